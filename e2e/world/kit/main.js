// A booking form of Shoelace's elements, which keep everything in shadow trees.
import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/components/input/input.js";
import "@shoelace-style/shoelace/dist/components/select/select.js";
import "@shoelace-style/shoelace/dist/components/option/option.js";
import "@shoelace-style/shoelace/dist/components/switch/switch.js";
import "@shoelace-style/shoelace/dist/components/rating/rating.js";
import "@shoelace-style/shoelace/dist/components/range/range.js";
import "@shoelace-style/shoelace/dist/components/dialog/dialog.js";
import "@shoelace-style/shoelace/dist/components/button/button.js";
import "@shoelace-style/shoelace/dist/components/details/details.js";
import "@shoelace-style/shoelace/dist/components/dropdown/dropdown.js";
import "@shoelace-style/shoelace/dist/components/menu/menu.js";
import "@shoelace-style/shoelace/dist/components/menu-item/menu-item.js";
import "@shoelace-style/shoelace/dist/components/tree/tree.js";
import "@shoelace-style/shoelace/dist/components/tree-item/tree-item.js";

document.getElementById("root").innerHTML = `<h1>Booking</h1>
<sl-input id=name label="Name"></sl-input><sl-select id=room label="Room"><sl-option value=s>Small</sl-option><sl-option value=l>Large</sl-option></sl-select>
<sl-switch id=quiet>Quiet</sl-switch><sl-range id=beds label="Beds" min=1 max=9></sl-range><sl-rating id=stars label="Stars"></sl-rating>
<sl-dropdown><sl-button slot=trigger caret>More</sl-button><sl-menu id=more><sl-menu-item value=print>Print</sl-menu-item><sl-menu-item value=send>Send</sl-menu-item></sl-menu></sl-dropdown>
<sl-tree id=tree><sl-tree-item>Floors<sl-tree-item>First</sl-tree-item><sl-tree-item>Second</sl-tree-item></sl-tree-item></sl-tree>
<sl-button id=book>Book</sl-button><sl-dialog id=sure label="Sure?">It costs 40.<sl-button slot=footer id=yes variant=primary>Yes, book</sl-button></sl-dialog>`;
const at = (id) => document.getElementById(id);
const state = { booked: false };
at("book").onclick = () => at("sure").show();
at("yes").onclick = () => { state.booked = true; at("sure").hide(); };
at("more").addEventListener("sl-select", (e) => { state.picked = e.detail.item.value; });
at("tree").addEventListener("sl-selection-change", (e) => { state.floor = e.detail.selection.map((i) => i.textContent.trim()).join(); });
window.model = () => ({ ...state, name: at("name").value, room: at("room").value, quiet: at("quiet").checked, beds: +at("beds").value, stars: at("stars").value });
