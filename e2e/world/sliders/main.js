// A mixer: sliders of noUiSlider, of jQuery UI, of the browser.
import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
import $ from "jquery";
import "../dates/ui.js";
import "jquery-ui-dist/jquery-ui.css";

const state = {};
window.model = () => state;
document.getElementById("root").innerHTML = `<h1>Mixer</h1><style>.s{width:300px;margin:40px}</style><div class=s id=volume></div><div class=s id=band></div><div class=s id=old></div>
<label>Treble <input type=range id=treble min=0 max=10></label><label>Count <input id=count value=3></label><ol id=tabs></ol>
<div id=deck><ul><li><a href="#a">Sound</a></li><li><a href="#b">Light</a></li></ul><div id=a>Sound is on</div><div id=b>Light is off</div></div>
<button id=ask>Reset</button><div id=sure title="Reset all?">All is lost then.</div>`;
const at = (id) => document.getElementById(id);
noUiSlider.create(at("volume"), { start: 20, step: 5, range: { min: 0, max: 100 }, handleAttributes: [{ "aria-label": "Volume" }] }).on("update", ([v]) => { state.volume = +v; });
noUiSlider.create(at("band"), { start: [10, 60], connect: true, range: { min: 0, max: 100 }, format: { to: Math.round, from: Number }, handleAttributes: [{ "aria-label": "Low" }, { "aria-label": "High" }] }).on("update", (v) => { state.band = v; });
$("#old").slider({ value: 30, change: (_, ui) => { state.old = ui.value; } });
at("treble").addEventListener("input", (e) => { state.treble = +e.target.value; });
$("#count").spinner({ stop: () => { state.count = $("#count").spinner("value"); } });
$("#deck").tabs({ activate: (_, ui) => { state.tab = ui.newTab.text(); } });
$("#sure").dialog({ autoOpen: false, modal: true, buttons: { Reset() { state.reset = true; $(this).dialog("close"); }, Keep() { $(this).dialog("close"); } } });
at("ask").onclick = () => $("#sure").dialog("open");
