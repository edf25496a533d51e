// A catalogue of ten thousand rows of which some are there (react-window), and a list of Vue.
import { createRoot } from "react-dom/client";
import { List } from "react-window";
import { createApp, h, ref } from "vue";

const state = {};
window.model = () => state;
const Row = ({ index, style }) => <div style={style}>Part {index + 1} <button onClick={() => { state.bought = index + 1; }}>Buy {index + 1}</button></div>;
createRoot(document.getElementById("root")).render(<><h1>Catalogue</h1><List aria-label="Parts" style={{ height: 200 }} rowComponent={Row} rowCount={10000} rowHeight={30} rowProps={{}} /></>);
const shopping = document.createElement("section");
shopping.innerHTML = "<h2>Shopping</h2><div id=vue></div>";
document.body.append(shopping);
createApp({
  setup() {
    const items = ref(["milk"]), text = ref(""), done = ref([]);
    const add = () => { if (text.value) items.value.push(text.value); text.value = ""; state.items = [...items.value]; };
    return () => h("form", { onSubmit: (e) => { e.preventDefault(); add(); } }, [
      h("input", { "aria-label": "Item", value: text.value, onInput: (e) => { text.value = e.target.value; } }), h("button", "Add"),
      h("ul", { "aria-label": "Items" }, items.value.map((item) => h("li", { key: item }, [h("label", [h("input", { type: "checkbox", onChange: (e) => { if (e.target.checked) done.value.push(item); state.done = [...done.value]; } }), " " + item])]))),
    ]);
  },
}).mount("#vue");
