// A journey: a table of DataTables, a tree of jsTree, a map of Leaflet, slides of
// Swiper, lists of dragula, a note in Trix, fields of IMask, Awesomplete and Pikaday,
// questions of SweetAlert.
import "trix";
import "trix/dist/trix.css";
import $ from "jquery";
import "../dates/ui.js";
import "jstree";
import "jstree/dist/themes/default/style.css";
import DataTable from "datatables.net";
import L from "leaflet";
import "leaflet/dist/leaflet.css";
import IMask from "imask";
import Awesomplete from "awesomplete";
import "awesomplete/awesomplete.css";
import Pikaday from "pikaday";
import "pikaday/css/pikaday.css";
import dragula from "dragula";
import "dragula/dist/dragula.css";
import Swal from "sweetalert2";
import Swiper from "swiper";
import { Navigation, Pagination } from "swiper/modules";
import "swiper/css";
import "swiper/css/navigation";
import "swiper/css/pagination";

const state = {};
window.model = () => state;
document.getElementById("root").innerHTML = `<h1>Journey</h1>
<form id=form><label>Phone <input id=phone></label><label>Expiry <input id=expiry></label><label>Country <input id=country></label><label>Leaves <input id=leaves></label></form>
<trix-editor id=note aria-label="Note" style="min-height:60px"></trix-editor>
<div id=photos class=swiper style="width:300px;height:120px"><div class=swiper-wrapper>${["Harbour", "Castle", "Museum", "Beach"].map((p) => `<div class=swiper-slide>${p}</div>`).join("")}</div><div class=swiper-pagination></div><div class=swiper-button-prev></div><div class=swiper-button-next></div></div>
<style>.list{width:160px;min-height:60px;border:1px solid;padding:4px} .list div{padding:6px;border:1px solid #999;cursor:grab}</style>
<h2>Bring</h2><div id=bring class=list><div>Coat</div><div>Map</div><div>Hat</div></div><h2>Leave</h2><div id=leave class=list><div>Skis</div></div>
<div id=tree></div><button id=drop>Cancel journey</button><div id=map style="width:400px;height:240px"></div>
<table id=stops><thead><tr><th>Place<th>Nights<th>Price</thead><tbody>${[["Bern", 2, 310], ["Como", 4, 720], ["Arles", 1, 95], ["Porto", 3, 240], ["Ghent", 2, 280], ["Kyoto", 9, 1900], ["Lima", 5, 800]].map((r) => `<tr>${r.map((c) => `<td>${c}`).join("")}`).join("")}</table>`;
const at = (id) => document.getElementById(id);
const phone = IMask(at("phone"), { mask: "+{41} (00) 000-00-00" }).on("accept", () => { state.phone = phone.value; });
const expiry = IMask(at("expiry"), { mask: "MM/YY", blocks: { MM: { mask: IMask.MaskedRange, from: 1, to: 12 }, YY: { mask: "00" } } }).on("complete", () => { state.expiry = expiry.value; });
new Awesomplete(at("country"), { list: ["Peru", "Poland", "Portugal", "Qatar"], minChars: 1, autoFirst: true });
at("country").addEventListener("awesomplete-selectcomplete", () => { state.country = at("country").value; });
new Pikaday({ field: at("leaves"), toString: (d) => `${d.getFullYear()}-${d.getMonth() + 1}-${d.getDate()}`, defaultDate: new Date(2026, 4, 1), onSelect(d) { state.leaves = this.toString(d); } });
at("note").addEventListener("trix-change", () => { state.note = at("note").editor.getDocument().toString().trim(); state.bold = at("note").innerHTML.includes("<strong>"); });
new Swiper("#photos", { modules: [Navigation, Pagination], navigation: { nextEl: ".swiper-button-next", prevEl: ".swiper-button-prev" }, pagination: { el: ".swiper-pagination", clickable: true },
  on: { slideChange() { state.photo = this.activeIndex; } } });
const names = (id) => [...at(id).children].map((c) => c.textContent);
dragula([at("bring"), at("leave")]).on("drop", () => { state.bring = names("bring"); state.leave = names("leave"); });
$(at("tree")).jstree({ core: { data: [{ text: "Papers", children: [{ text: "Passport" }, { text: "Visa" }] }, { text: "Tickets", children: [{ text: "Train" }] }], check_callback: true }, plugins: ["checkbox"] })
  .on("changed.jstree", (_, e) => { state.papers = e.selected.map((id) => e.instance.get_node(id).text); });
at("drop").onclick = async () => {
  const { value } = await Swal.fire({ title: "Why do you cancel?", input: "select", inputOptions: { ill: "Illness", work: "Work" }, inputPlaceholder: "Choose", showCancelButton: true });
  if (value && (await Swal.fire({ title: "Really?", showDenyButton: true, confirmButtonText: "Yes, cancel", denyButtonText: "Keep it" })).isConfirmed) state.cancelled = value;
};
const map = L.map("map", { center: [46.9, 7.4], zoom: 6 });
map.on("zoomend", () => { state.zoom = map.getZoom(); });
L.marker([46.9, 7.4], { title: "Bern", icon: L.divIcon({ className: "pin", html: "B" }) }).addTo(map).bindPopup("<b>Bern</b><br><button id=stay>Stay here</button>").on("popupopen", () => { at("stay").onclick = () => { state.stay = "Bern"; }; });
L.marker([46.8, 8.1], { alt: "Como", icon: L.icon({ iconUrl: "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", iconSize: [20, 20] }) }).addTo(map).on("click", () => { state.marker = "Como"; });
L.polygon([[47.5, 5], [47.5, 6], [46.5, 5.5]]).addTo(map).bindTooltip("Jura").on("click", () => { state.area = "Jura"; });
const table = new DataTable(at("stops"), { pageLength: 3, lengthMenu: [3, 5], select: true });
table.on("draw", () => { state.rows = table.rows({ page: "current", search: "applied" }).data().toArray().map((r) => r[0]); });
