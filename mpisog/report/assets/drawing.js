// The net: around the trace with fixed positions, or the steps around as columns.
const WINDOW = 3;
const MOST_SCALE = 1.6;  // few nodes are not blown up to the size of the page

class Drawing {
  constructor(box, onFire) { this.box = box; this.onFire = onFire; this.shapes = null; this.key = null; }

  show(walk, mode, fixed, observed) {
    const layout = mode === "steps" ? this.columns(walk) : fixed;
    const key = mode === "steps" ? "steps" + walk.at + ":" + walk.hand.length : "net";
    if (key !== this.key || this.walk !== walk) this.draw(layout, observed);
    this.key = key;
    this.walk = walk;
    this.update(walk);
  }

  // Transitions of the steps around in columns; each place where it is first met.
  columns(walk) {
    const steps = [];
    if (walk.hand.length || !walk.firings.length) steps.push(...walk.hand.slice(-WINDOW), ...walk.game.allEnabled().slice(0, 2 * WINDOW));
    else for (let i = Math.max(0, walk.at - WINDOW); i < Math.min(walk.firings.length, walk.at + WINDOW + 1); ++i) steps.push(walk.firings[i]);
    const nodes = new Map();
    const heights = new Map();
    const put = (kind, index, x) => {
      const name = kind + index;
      if (nodes.has(name)) return;
      const row = heights.get(x) || 0;
      heights.set(x, row + 1);
      nodes.set(name, { kind, index, x: x * 95, y: row * 62 + (kind === "t" ? 20 : 0) });
    };
    steps.forEach((t, column) => {
      for (const [p] of transitions[t].pre) put("p", p, 2 * column);
      put("t", t, 2 * column + 1);
      for (const [p] of transitions[t].post) put("p", p, 2 * column + 2);
    });
    return [...nodes.values()];
  }

  draw(layout, observed) {
    this.box.replaceChildren();
    this.shapes = { p: new Map(), t: new Map(), arcs: [] };
    this.at = new Map(layout.map((node) => [node.kind + node.index, node]));
    if (!layout.length) return;
    const xs = layout.map((n) => n.x), ys = layout.map((n) => n.y);
    const [left, top] = [Math.min(...xs) - 50, Math.min(...ys) - 34];
    const [wide, high] = [Math.max(...xs) - left + 50, Math.max(...ys) - top + 44];
    const root = svg(this.box, "svg", { viewBox: `${left} ${top} ${wide} ${high}`, role: "img", "aria-label": "the net" });
    // What would become too small to read is drawn in full size and scrolled.
    this.scrolls = wide > 1.3 * (this.box.clientWidth || 900) || high > 1300;
    root.setAttribute("class", this.scrolls ? "wide" : "fits");
    root.style.maxWidth = `${MOST_SCALE * wide}px`;
    if (this.scrolls) { root.setAttribute("width", wide); root.setAttribute("height", high); }
    this.corner = [left, top];
    const defs = svg(root, "defs");
    for (const [id, colour] of [["head", "var(--dim)"], ["hot-head", "var(--hot)"]]) {
      const marker = svg(defs, "marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
      svg(marker, "path", { d: "M0,0 L8,4 L0,8 z", style: `fill:${colour}` });
    }
    const arcs = svg(root, "g");
    for (const node of layout) if (node.kind === "t") {
      const { pre, post } = transitions[node.index];
      for (const [p, w] of pre) this.arc(arcs, "p" + p, "t" + node.index, w, node.index, p, -1);
      for (const [p, w] of post) this.arc(arcs, "t" + node.index, "p" + p, w, node.index, p, 1);
    }
    for (const node of layout) node.kind === "p" ? this.place(root, node, observed) : this.transition(root, node);
    this.root = root;
  }

  arc(parent, from, to, weight, t, p, side) {
    const [a, b] = [this.at.get(from), this.at.get(to)];
    if (!a || !b) return;
    const { pre, post } = transitions[t];
    const both = pre.some(([q]) => q === p) && post.some(([q]) => q === p);
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.hypot(dx, dy) || 1;
    const bend = both ? 14 : 0;
    const cut = (node, sign) => { const r = node.kind === "p" ? 17 : 13; return [node.x + sign * dx / length * r, node.y + sign * dy / length * r]; };
    const [x1, y1] = cut(a, 1), [x2, y2] = cut(b, -1);
    const [mx, my] = [(x1 + x2) / 2 - dy / length * bend, (y1 + y2) / 2 + dx / length * bend];
    const line = svg(parent, "path", { class: "arc", d: `M${x1},${y1} Q${mx},${my} ${x2},${y2}`, "marker-end": "url(#head)" });
    if (weight > 1) svg(parent, "text", { class: "caption", x: mx, y: my - 3 }, String(weight));
    this.shapes.arcs.push({ line, t, p, side });
  }

  place(root, node, observed) {
    const group = svg(root, "g", { "data-place": places[node.index].id });
    svg(group, "title", {}, places[node.index].name);
    const circle = svg(group, "circle", { class: "place" + (observed.has(node.index) ? " observed" : ""), cx: node.x, cy: node.y, r: 15 });
    const tokens = svg(group, "g");
    svg(group, "text", { class: "caption", x: node.x, y: node.y + 27 }, short(places[node.index].name, 14));
    this.shapes.p.set(node.index, { circle, tokens, node });
  }

  transition(root, node) {
    const group = svg(root, "g", { "data-transition": transitions[node.index].id });
    svg(group, "title", {}, transitions[node.index].name);
    const box = svg(group, "rect", { class: "transition", x: node.x - 11, y: node.y - 11, width: 22, height: 22, rx: 3 });
    svg(group, "text", { class: "caption", x: node.x, y: node.y + 24 }, short(transitions[node.index].name, 14));
    box.addEventListener("click", () => this.onFire(node.index));
    this.shapes.t.set(node.index, { box, node });
  }

  update(walk) {
    const fired = walk.hand.length ? walk.hand.at(-1) : walk.at ? walk.firings[walk.at - 1] : null;
    const changed = new Set(fired === null ? [] : [...transitions[fired].pre, ...transitions[fired].post].map(([p]) => p));
    for (const [p, { circle, tokens, node }] of this.shapes.p) {
      circle.classList.toggle("changed", changed.has(p));
      tokens.replaceChildren();
      const count = walk.game.marking[p];
      if (count > 4) svg(tokens, "text", { class: "count", x: node.x, y: node.y }, String(count));
      else for (const [x, y] of [[], [[0, 0]], [[-5, 0], [5, 0]], [[-5, 4], [5, 4], [0, -5]], [[-5, -5], [5, -5], [-5, 5], [5, 5]]][count])
        svg(tokens, "circle", { class: "token", cx: node.x + x, cy: node.y + y, r: 3.6 });
    }
    for (const [t, { box }] of this.shapes.t) {
      box.classList.toggle("hot", t === fired);
      box.classList.toggle("enabled", walk.game.enabled(t));
    }
    const seen = this.scrolls && this.at.get("t" + (fired ?? walk.next()));
    if (seen) this.box.scrollTo({ left: seen.x - this.corner[0] - this.box.clientWidth / 2, top: seen.y - this.corner[1] - this.box.clientHeight / 2 });
    for (const { line, t } of this.shapes.arcs) {
      line.classList.toggle("hot", t === fired);
      line.setAttribute("marker-end", t === fired ? "url(#hot-head)" : "url(#head)");
    }
  }

  // Tokens on their way along the arcs of the transition that has just fired.
  move(t) {
    if (!this.root || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const { line, side } of this.shapes.arcs.filter((arc) => arc.t === t)) {
      const dot = svg(this.root, "circle", { class: "moving", r: 4 });
      const length = line.getTotalLength();
      const begun = performance.now() + (side > 0 ? 140 : 0);
      const step = (now) => {
        const share = (now - begun) / 140;
        if (share >= 1 || !dot.isConnected) return dot.remove();
        const point = line.getPointAtLength(Math.max(0, share) * length);
        dot.setAttribute("cx", point.x); dot.setAttribute("cy", point.y);
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }
  }
}
