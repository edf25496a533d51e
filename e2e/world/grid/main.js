// A stock list of Tabulator, in which rows are sorted, filtered, chosen and edited.
import { TabulatorFull as Tabulator } from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.css";

const names = ["Anvil", "Bolt", "Chisel", "Drill", "Easel", "File", "Gauge", "Hammer"];
document.getElementById("root").innerHTML = "<h1>Stock</h1><div id=table></div>";
const table = new Tabulator("#table", {
  height: 320, layout: "fitColumns", selectableRows: true, data: Array.from({ length: 400 }, (_, i) => ({ id: i + 1, name: names[i % 8] + " " + (i + 1), count: (i * 37) % 101, used: i % 3 === 0 })),
  columns: [
    { formatter: "rowSelection", width: 40, headerSort: false },
    { title: "Name", field: "name", editor: "input", headerFilter: "input" },
    { title: "Count", field: "count", editor: "number", sorter: "number" },
    { title: "Used", field: "used", formatter: "tickCross", editor: "tickCross" },
  ],
});
window.model = () => ({
  first: table.getRows("active")[0]?.getData().name, shown: table.getDataCount("active"), chosen: table.getSelectedData().map((r) => r.id),
  one: table.getRow(1) && table.getRow(1).getData().name, three: table.getRow(3) && table.getRow(3).getData().count,
});
