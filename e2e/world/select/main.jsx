// An order form of fields that choose: react-select, downshift, Choices, Tom Select, Select2.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";
import Creatable from "react-select/creatable";
import Async from "react-select/async";
import { useCombobox } from "downshift";
import Choices from "choices.js";
import "choices.js/public/assets/styles/choices.css";
import TomSelect from "tom-select";
import "tom-select/dist/css/tom-select.css";
import $ from "jquery";
import select2 from "select2/dist/js/select2.js";
import "select2/dist/css/select2.css";

select2(window, $);
const state = {};
window.model = () => state;
const countries = ["Argentina", "Bolivia", "Brazil", "Chile", "Colombia", "Ecuador", "Peru", "Uruguay"];
const options = countries.map((label) => ({ value: label.slice(0, 2).toLowerCase(), label }));
const keep = (key) => (value) => { state[key] = Array.isArray(value) ? value.map((v) => v.value) : (value?.value ?? value); };

function City() {
  const [items, setItems] = useState(countries);
  const { isOpen, getLabelProps, getInputProps, getMenuProps, getItemProps, getToggleButtonProps } = useCombobox({
    items,
    onInputValueChange: ({ inputValue }) => setItems(countries.filter((c) => c.toLowerCase().includes(inputValue.toLowerCase()))),
    onSelectedItemChange: ({ selectedItem }) => { state.origin = selectedItem; },
  });
  return (
    <div>
      <label {...getLabelProps()}>Origin</label>
      <input {...getInputProps()} />
      <button type="button" aria-label="toggle menu" {...getToggleButtonProps()}>v</button>
      <ul {...getMenuProps()}>{isOpen && items.map((item, index) => <li key={item} {...getItemProps({ item, index })}>{item}</li>)}</ul>
    </div>
  );
}

const later = (text) => new Promise((done) => setTimeout(() => done(options.filter((o) => o.label.toLowerCase().includes(text.toLowerCase()))), 300));

createRoot(document.getElementById("root")).render(
  <form onSubmit={(e) => e.preventDefault()}>
    <label id="l1">Country</label><Select aria-labelledby="l1" options={options} onChange={keep("country")} />
    <label id="l2">Tags</label><Creatable isMulti aria-labelledby="l2" options={options} onChange={keep("tags")} />
    <label id="l3">Partner</label><Async aria-labelledby="l3" loadOptions={later} onChange={keep("partner")} />
    <City />
  </form>,
);
const more = document.createElement("section");
more.innerHTML = `<h2>Delivery</h2>
<label for="size">Size</label> <select id="size"><option value="">Choose</option><option value="s">Small</option><option value="m">Medium</option><option value="l">Large</option></select>
<label for="ways">Ways</label> <select id="ways" multiple><option value="b">By bike</option><option value="c">By car</option><option value="t">By train</option></select>
<label for="team">Team</label> <select id="team" style="width:200px"><option></option><option value="r">Red</option><option value="g">Green</option><option value="y">Yellow</option></select>
<label for="who">Who</label> <select id="who" multiple placeholder="People"><option value="1">Ann</option><option value="2">Bob</option><option value="3">Cid</option></select>`;
document.body.append(more);
const size = document.getElementById("size");
new Choices(size, { shouldSort: false });
size.addEventListener("change", () => { state.size = size.value; });
const ways = document.getElementById("ways");
new Choices(ways, { removeItemButton: true });
ways.addEventListener("change", () => { state.ways = [...ways.selectedOptions].map((o) => o.value); });
$("#team").select2({ placeholder: "a team" }).on("change", (e) => { state.team = e.target.value; });
new TomSelect("#who", { create: true, onChange: (v) => { state.who = v; } });
