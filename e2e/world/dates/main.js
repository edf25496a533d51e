// A trip's form: flatpickr in its modes, a datepicker of jQuery UI, the browser's own fields.
import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";
import $ from "jquery";
import "./ui.js";
import "jquery-ui-dist/jquery-ui.css";

const state = {};
window.model = () => state;
document.getElementById("root").innerHTML = `<h1>Trip</h1>
<label>Leave <input id=leave></label> <label>Stay <input id=stay></label> <label>Alarm <input id=alarm></label>
<label>Visa <input id=visa></label> <label>Born <input id=born type=date></label> <label>Week <input id=week type=week></label>
<label>Meet <input id=meet type=datetime-local></label> <label>Month <input id=month type=month></label> <label>Color <input id=color type=color></label>
<p id=said>nothing yet</p>`;
const at = (id) => document.getElementById(id);
const keep = (id) => (_, text) => { state[id] = text; at("said").textContent = id + " " + text; };
flatpickr("#leave", { defaultDate: "2026-03-10", onChange: keep("leave") });
flatpickr("#stay", { mode: "range", defaultDate: ["2026-05-02", "2026-05-04"], onChange: keep("stay") });
flatpickr("#alarm", { enableTime: true, noCalendar: true, time_24hr: true, dateFormat: "H:i", allowInput: true, onChange: keep("alarm") });
$("#visa").datepicker({ dateFormat: "yy-mm-dd", defaultDate: "2026-07-01", changeMonth: true, onSelect: (text) => keep("visa")(0, text) });
for (const id of ["born", "week", "meet", "month", "color"]) at(id).addEventListener("change", (e) => keep(id)(0, e.target.value));
