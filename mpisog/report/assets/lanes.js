// Lanes along the run: where atoms and parts of the formula hold, and where processes are.
const ROW = 20;
const COLOURS = ["#2563eb", "#0f766e", "#9333ea", "#b45309", "#be123c", "#4d7c0f", "#0369a1", "#7c3aed"];

function ranges(values) {
  const found = [];
  values.forEach((value, i) => {
    if (found.length && found.at(-1).value === value) found.at(-1).end = i + 1;
    else found.push({ value, begin: i, end: i + 1 });
  });
  return found;
}

class Lanes {
  constructor(box, walk, onGo) { this.box = box; this.walk = walk; this.onGo = onGo; this.count = walk.last + 1;
    this.wide = Math.max(340, box.clientWidth || 1100); this.label = Math.min(230, this.wide * 0.32);
    this.end = this.wide - 8; }  // the last number needs a margin
  x(instant) { return this.label + (instant / this.count) * (this.end - this.label); }

  // rows: {label, values, name?}; `paint` gives the class or colour of a value.
  draw(rows, paint) {
    this.box.replaceChildren();
    const root = svg(this.box, "svg", { viewBox: `0 0 ${this.wide} ${rows.length * ROW + 18}` });
    if (this.walk.start !== null)
      svg(root, "rect", { class: "lane-cycle", x: this.x(this.walk.start), y: 0, width: this.end - this.x(this.walk.start), height: rows.length * ROW });
    rows.forEach((row, y) => {
      const label = svg(root, "text", { class: "lane-text", x: 2, y: y * ROW + ROW / 2 }, short(row.label, Math.floor(this.label / 7.4)));
      svg(label, "title", {}, row.label);
      for (const { value, begin, end } of ranges(row.values)) {
        const style = paint(value);
        if (!style) continue;
        const wide = Math.max(1, this.x(end) - this.x(begin) - 1);
        const bar = svg(root, "rect", { x: this.x(begin), y: y * ROW + 3, width: wide, height: ROW - 6, rx: 2, ...style });
        svg(bar, "title", {}, `${row.name ? row.name(value) : row.label}: ${begin}${end - 1 > begin ? " to " + (end - 1) : ""}`);
        if (row.name && wide > 40) svg(root, "text", { class: "segment-text", x: this.x(begin) + 4, y: y * ROW + ROW / 2 }, short(row.name(value), Math.floor(wide / 6)));
      }
    });
    const bottom = rows.length * ROW;
    for (let i = 0, step = Math.max(1, Math.ceil(this.count / 12)); i < this.count; i += step)
      svg(root, "text", { class: "caption", x: this.x(i + 0.5), y: bottom + 13 }, String(i));
    this.now = svg(root, "line", { class: "lane-now", y1: 0, y2: bottom });
    root.addEventListener("click", (event) => {
      const place = root.getBoundingClientRect();
      const x = (event.clientX - place.left) / place.width * this.wide;
      if (x >= this.label) this.onGo(Math.floor((x - this.label) / (this.end - this.label) * this.count));
    });
  }
  mark(instant) {
    if (!this.now) return;
    for (const end of ["x1", "x2"]) this.now.setAttribute(end, this.x(instant + 0.5));
  }
}

function truthRows(walk) {
  const trace = walk.trace;
  const instants = Array.from({ length: walk.last + 1 }, (_, i) => walk.instant(i));
  return trace.parts.map((part) => ({ label: part.text, values: instants.map((i) => part.truth[i] === "1") }));
}

// For each invariant, which of its places holds the token at each instant; observed ones first.
function processRows(walk, observed) {
  const rows = data.invariants.map((invariant) => ({
    label: invariant.places.slice(0, 3).map((p) => places[p].name).join(" + "), values: [],
    name: (p) => (p === null ? "" : places[p].name), places: invariant.places,
  }));
  const game = new Game();
  for (let i = 0; i <= walk.last; ++i) {
    for (const row of rows) row.values.push(row.places.find((p) => game.marking[p] > 0) ?? null);
    if (i < walk.last) game.apply(walk.firings[i], 1);
  }
  const seen = (row) => row.places.some((p) => observed.has(p));
  const moving = rows.filter((row) => new Set(row.values).size > 1);
  return [...moving.filter(seen), ...moving.filter((row) => !seen(row))];
}

function drawAutomaton(box, automaton) {
  box.replaceChildren();
  const count = automaton.edges.length;
  const radius = Math.max(70, count * 24);
  const at = (q) => { const angle = Math.PI * (1 + 2 * q / count); return count === 1 ? [0, 0] : [radius * Math.cos(angle), 0.7 * radius * Math.sin(angle)]; };
  const root = svg(box, "svg", { viewBox: `${-radius - 85} ${-0.7 * radius - 70} ${2 * radius + 170} ${1.4 * radius + 110}` });
  const defs = svg(root, "defs");
  const head = svg(defs, "marker", { id: "automaton-head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  svg(head, "path", { d: "M0,0 L8,4 L0,8 z", style: "fill:var(--dim)" });
  const leads = (q, to) => automaton.edges[q].some((edge) => edge.to === to);
  automaton.edges.forEach((out, q) => out.forEach((edge) => {
    const [x1, y1] = at(q), [x2, y2] = at(edge.to), back = leads(edge.to, q);
    const label = short(edge.label, back ? 20 : 28) + (edge.marked ? " *" : "");
    if (q === edge.to) {
      svg(root, "path", { class: "arc", d: `M${x1 - 8},${y1 - 15} C${x1 - 34},${y1 - 56} ${x1 + 34},${y1 - 56} ${x1 + 8},${y1 - 15}`, "marker-end": "url(#automaton-head)" });
      svg(svg(root, "text", { class: "edge-text", x: x1, y: y1 - 50 }, label), "title", {}, edge.label);
      return;
    }
    const [dx, dy] = [x2 - x1, y2 - y1], length = Math.hypot(dx, dy);
    // Loops stand above the states: an edge alone bends below, two between the same states bend apart.
    const bend = !back && dx < 0 ? -26 : 26;
    const [mx, my] = [(x1 + x2) / 2 - dy / length * bend, (y1 + y2) / 2 + dx / length * bend];
    svg(root, "path", { class: "arc", d: `M${x1 + dx / length * 17},${y1 + dy / length * 17} Q${mx},${my} ${x2 - dx / length * 17},${y2 - dy / length * 17}`, "marker-end": "url(#automaton-head)" });
    svg(svg(root, "text", { class: "edge-text", x: mx, y: my }, label), "title", {}, edge.label);
  }));
  const states = automaton.edges.map((_, q) => {
    const [x, y] = at(q);
    const circle = svg(root, "circle", { class: "state", cx: x, cy: y, r: 16 });
    return { circle, text: svg(root, "text", { class: "state-text", x, y }, "q" + q) };
  });
  return (now) => states.forEach(({ circle, text }, q) => { circle.classList.toggle("now", q === now); text.classList.toggle("now", q === now); });
}
