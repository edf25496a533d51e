// A calendar of FullCalendar, in which days are chosen and events are dragged.
import { Calendar } from "@fullcalendar/core";
import dayGrid from "@fullcalendar/daygrid";
import timeGrid from "@fullcalendar/timegrid";
import interaction from "@fullcalendar/interaction";

const state = { view: "dayGridMonth" };
const root = document.getElementById("root");
root.style.maxWidth = "900px";
const calendar = new Calendar(root, {
  plugins: [dayGrid, timeGrid, interaction], initialDate: "2026-06-10", editable: true, selectable: true, height: 600,
  headerToolbar: { left: "prev,next", center: "title", right: "dayGridMonth,timeGridWeek" },
  events: [{ id: "1", title: "Dentist", start: "2026-06-10" }, { id: "2", title: "Lunch", start: "2026-06-17T12:00:00", end: "2026-06-17T13:00:00" }],
  dateClick: ({ dateStr }) => { state.clicked = dateStr; },
  eventClick: ({ event }) => { state.opened = event.title; },
  datesSet: ({ view }) => { state.view = view.type; state.title = view.title; },
});
calendar.render();
window.model = () => ({ ...state, dentist: calendar.getEventById("1").startStr, lunch: calendar.getEventById("2").startStr.slice(0, 16) });
