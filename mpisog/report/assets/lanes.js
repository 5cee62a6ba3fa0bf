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
        svg(bar, "title", {}, `${row.name ? row.name(value) : row.label + (value === null ? ", open" : "")}: ${begin}${end - 1 > begin ? " to " + (end - 1) : ""}`);
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
  // What fires is shown at the step; whether it holds may be open up to the seal.
  const value = (part, i) => (part.event ? i > 0 && part.truth[instants[i - 1]] === "1" : { 0: false, 1: true }[part.truth[instants[i]]] ?? null);
  return trace.parts.map((part) => ({ label: part.text + (part.event ? " fires" : ""), values: instants.map((_, i) => value(part, i)) }));
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

// States on a circle, the first at the left; loops point away from the others.
function drawAutomaton(box, automaton, initial) {
  box.replaceChildren();
  const count = automaton.edges.length, few = count < 3;
  const radius = count === 1 ? 0 : few ? 75 : Math.max(80, count * 26);
  const away = (q) => { const angle = Math.PI * (1 + 2 * (q - initial) / count); return few ? [0, -1] : [Math.cos(angle), Math.sin(angle)]; };
  const at = (q) => (few ? [q === initial ? -radius : radius, 0] : away(q).map((x) => radius * x));
  const wide = 2 * (radius + 110), [top, high] = few ? [-85, 145] : [-radius - 80, 2 * (radius + 80)];
  const size = Math.min(16, Math.max(10, 11 * wide / (box.clientWidth || 300)));  // readable however small the picture is
  const root = svg(box, "svg", { viewBox: `${-wide / 2} ${top} ${wide} ${high}`, style: `--edge: ${size}px` });
  const defs = svg(root, "defs");
  const head = svg(defs, "marker", { id: "automaton-head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  svg(head, "path", { d: "M0,0 L8,4 L0,8 z", style: "fill:var(--dim)" });
  const arrow = (d) => svg(root, "path", { class: "arc", d, "marker-end": "url(#automaton-head)" });
  const labels = [];
  const leads = (q, to) => automaton.edges[q].some((edge) => edge.to === to);
  const [left, middle] = at(initial);
  arrow(few ? `M${left - 46},${middle} L${left - 17},${middle}` : `M${left - 26},${middle + 34} L${left - 10},${middle + 14}`);
  automaton.edges.forEach((out, q) => out.forEach((edge) => {
    const [x1, y1] = at(q), [x2, y2] = at(edge.to), back = leads(edge.to, q);
    const label = { full: edge.label, text: short(edge.label, 20) + (edge.marked ? " *" : "") };
    labels.push(label);
    if (q === edge.to) {
      const [u, v] = away(q), spot = (far, aside) => `${x1 + far * u - aside * v},${y1 + far * v + aside * u}`;
      arrow(`M${spot(14, -8)} C${spot(56, -32)} ${spot(56, 32)} ${spot(14, 8)}`);
      [label.x, label.y] = [x1 + 54 * u, y1 + 54 * v - (Math.abs(u) > 0.5 ? 22 : 0)];
      return;
    }
    const [dx, dy] = [x2 - x1, y2 - y1], length = Math.hypot(dx, dy);
    const bend = few && !back && dx > 0 ? -26 : 26;  // loops stand above: an edge alone bends below
    const [mx, my] = [(x1 + x2) / 2 + dy / length * bend, (y1 + y2) / 2 - dx / length * bend];
    arrow(`M${x1 + dx / length * 17},${y1 + dy / length * 17} Q${mx},${my} ${x2 - dx / length * 17},${y2 - dy / length * 17}`);
    [label.x, label.y] = [mx, my + (my > (y1 + y2) / 2 ? size / 2 : 0)];
  }));
  // Labels that would cover each other are moved apart, the lower one further down.
  labels.sort((a, b) => a.y - b.y).forEach((label, n) => {
    const half = 0.31 * size * label.text.length, edge = Math.max(0, wide / 2 - half);
    label.x = Math.max(-edge, Math.min(edge, label.x));
    for (const other of labels.slice(0, n))
      if (Math.abs(other.y - label.y) < size && Math.abs(other.x - label.x) < half + 0.31 * size * other.text.length) label.y = other.y + size;
    svg(svg(root, "text", { class: "edge-text", x: label.x, y: label.y }, label.text), "title", {}, label.full);
  });
  const states = automaton.edges.map((_, q) => {
    const [x, y] = at(q);
    const circle = svg(root, "circle", { class: "state", cx: x, cy: y, r: 16 });
    return { circle, text: svg(root, "text", { class: "state-text", x, y }, "q" + q) };
  });
  return (now) => states.forEach(({ circle, text }, q) => { circle.classList.toggle("now", q === now); text.classList.toggle("now", q === now); });
}
