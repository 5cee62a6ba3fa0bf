// A whole observation graph: aggregates as nodes, what is known of one when it is clicked.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
function svg(parent, tag, attributes = {}, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}
function line(parent, tag, text) { const made = document.createElement(tag); made.textContent = text; parent.append(made); return made; }
const holding = (aggregate) => Object.entries(aggregate.label).filter(([, truth]) => truth).map(([atom]) => atom).join(", ") || "no atom holds";

function show(number) {
  const box = byId("details"), aggregate = data.aggregates[number];
  box.replaceChildren();
  line(box, "p", `${number}: ${holding(aggregate)}`);
  line(box, "p", `${aggregate.markings} markings, ${aggregate.nodes} nodes`);
  if (aggregate.dead) line(box, "p", "has a dead marking");
  if (aggregate.divergent) line(box, "p", "has a silent cycle");
  document.querySelectorAll("circle").forEach((circle, i) => circle.classList.toggle("changed", i === number));
  byId("filter").value = ""; filter((row) => row.source === number || row.target === number);
}
function filter(wanted) {
  [...byId("rows").children].forEach((row, i) => { row.hidden = !wanted(data.edges[i], row.textContent.toLowerCase()); });
}

byId("title").textContent = data.title;
byId("formula").textContent = data.atoms.join(", ");
byId("remark").textContent = data.remark;
if (data.layout.length) {
  const xs = data.layout.map(([x]) => x), ys = data.layout.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - 40, Math.min(...ys) - 40];
  const root = svg(byId("net"), "svg", { class: "fits", viewBox: `${left} ${top} ${Math.max(...xs) - left + 40} ${Math.max(...ys) - top + 40}` });
  const head = svg(svg(root, "defs"), "marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  svg(head, "path", { d: "M0,0 L8,4 L0,8 z", style: "fill:var(--dim)" });
  for (const edge of data.edges) {
    const [x1, y1] = data.layout[edge.source], [x2, y2] = data.layout[edge.target];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const path = length === 0
      ? `M${x1 - 8},${y1 - 13} C${x1 - 30},${y1 - 46} ${x1 + 30},${y1 - 46} ${x1 + 8},${y1 - 13}`
      : `M${x1 + (x2 - x1) / length * 16},${y1 + (y2 - y1) / length * 16} L${x2 - (x2 - x1) / length * 16},${y2 - (y2 - y1) / length * 16}`;
    svg(svg(root, "path", { class: "arc", d: path, "marker-end": "url(#head)" }), "title", {}, edge.transition || "not observed");
  }
  data.aggregates.forEach((aggregate, i) => {
    const [cx, cy] = data.layout[i];
    const colour = aggregate.dead ? "stroke:var(--good)" : aggregate.divergent ? "stroke:var(--on)" : "";
    const circle = svg(root, "circle", { class: "place", cx, cy, r: 15, style: colour + ";cursor:pointer" });
    svg(circle, "title", {}, holding(aggregate));
    svg(root, "text", { class: "count", x: cx, y: cy, style: "pointer-events:none" }, String(i));
    circle.addEventListener("click", () => show(i));
  });
} else byId("net").textContent = "too many aggregates for a picture: see the edges";
for (const edge of data.edges) {
  const row = document.createElement("tr");
  for (const text of [edge.source, edge.transition || "(not observed)", edge.target, edge.waited ? "yes" : "no"]) line(row, "td", text);
  row.addEventListener("click", () => show(edge.target));
  byId("rows").append(row);
}
byId("filter").addEventListener("input", (event) => { const text = event.target.value.toLowerCase(); filter((_, row) => row.includes(text)); });
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";
byId("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset;
  now.theme = now.theme === "dark" ? "light" : "dark";
});
