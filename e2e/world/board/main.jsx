// A board: lists of SortableJS, a list of dnd-kit, cards that are dragged as HTML says.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useSensor, useSensors } from "@dnd-kit/core";
import { SortableContext, arrayMove, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import Sortable from "sortablejs";
import $ from "jquery";
import "../dates/ui.js";

const state = { plan: ["Read", "Write", "Rest"], bin: [], files: [] };
const words = (list) => [...list.children].map((e) => e.textContent);
window.model = () => ({ ...state, todo: words(todo), doing: words(doing), menu: words(menu), native: words(shelf) });

function Item({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { padding: 8, border: "1px solid", width: 160, transition, transform: transform ? `translate(${transform.x}px,${transform.y}px)` : undefined };
  return <li ref={setNodeRef} style={style} {...attributes} {...listeners}>{id}</li>;
}
function Plan() {
  const [items, setItems] = useState(state.plan);
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }));
  state.plan = items;
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={({ active, over }) => over && setItems((list) => arrayMove(list, list.indexOf(active.id), list.indexOf(over.id)))}>
      <SortableContext items={items} strategy={verticalListSortingStrategy}><ul aria-label="Plan">{items.map((id) => <Item key={id} id={id} />)}</ul></SortableContext>
    </DndContext>
  );
}
const box = document.createElement("section");
box.innerHTML = `<style>section ul { border: 1px solid; width: 200px; min-height: 60px; padding: 4px } section li { padding: 6px; list-style: none; background: #eee; margin: 3px }</style>
<h2>To do</h2><ul id=todo aria-label="To do"><li>Apples</li><li>Pears</li><li>Plums</li></ul>
<h2>Doing</h2><ul id=doing aria-label=Doing><li>Bread</li></ul>
<h2>Menu</h2><ul id=menu aria-label=Menu><li>Soup</li><li>Fish</li><li>Cake</li></ul>
<h2>Shelf</h2><ul id=shelf aria-label=Shelf></ul><div id=card draggable=true style="width:90px;background:#fd8">Card</div>
<label>Papers <input type=file id=papers multiple></label>`;
document.body.append(box);
const [todo, doing, menu, shelf, card] = ["todo", "doing", "menu", "shelf", "card"].map((id) => document.getElementById(id));
for (const list of [todo, doing]) new Sortable(list, { group: "work", animation: 150 });
$(menu).sortable();
card.ondragstart = (e) => e.dataTransfer.setData("text/plain", card.textContent);
shelf.ondragover = (e) => e.preventDefault();
shelf.ondrop = (e) => { e.preventDefault(); shelf.append(Object.assign(document.createElement("li"), { textContent: e.dataTransfer.getData("text/plain") })); };
document.getElementById("papers").onchange = (e) => { state.files = [...e.target.files].map((f) => f.name); };
createRoot(document.getElementById("root")).render(<><h1>Board</h1><Plan /></>);
