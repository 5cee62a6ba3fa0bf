// The page: one result at a time, one instant at a time.
const READABLE = 80;  // nodes of a net that can be taken in at a glance
const MOST_LANES = 30;
let walk, truthLanes, processLanes, markState, current = 0, timer = null;
const drawing = new Drawing(byId("net"), (t) => fireByHand(t));

function open(number) {
  current = number;
  const result = data.results[number];
  walk = new Walk(result.trace);
  stop();
  document.querySelectorAll("#summary tbody tr").forEach((row, i) => row.classList.toggle("now", i === number));
  byId("badge").textContent = result.verdict;
  byId("badge").className = result.verdict;
  byId("formula").textContent = result.formula;
  byId("remark").textContent = result.remarks.join(" ");
  const why = byId("why");
  why.replaceChildren();
  for (const { text, instants } of result.trace ? result.trace.why : []) {
    const item = element(why, "li");
    text.split("`").forEach((part, i) => element(item, i % 2 ? "code" : "span", part));
    item.addEventListener("click", () => go(Math.max(0, ...instants)));
  }
  for (const id of ["player", "lane-box", "process-box", "automaton-box", "table-box"]) byId(id).hidden = !result.trace;
  for (const id of ["copy-scenario", "copy-json"]) byId(id).hidden = !result.trace;
  if (result.trace) prepareTrace(result.trace);
  const [whole, near] = byId("mode").options;
  [whole.textContent, near.textContent] = result.trace ? ["around the trace", "the steps around"] : ["the net", "what is enabled"];
  byId("mode").value = result.layout.length && result.layout.length <= READABLE ? "net" : "steps";
  refresh();
}

function prepareTrace(trace) {
  const slider = byId("slider");
  slider.max = walk.last;
  const share = (i) => 100 * i / Math.max(1, walk.last) + "%";
  const cycle = byId("cycle-mark"), seal = byId("seal-mark");
  cycle.hidden = walk.start === null;
  if (walk.start !== null) { cycle.style.left = share(walk.start); cycle.style.right = "0"; }
  seal.hidden = trace.sealed === null;
  if (trace.sealed !== null) seal.style.left = `calc(${share(trace.sealed)} - .5rem)`;
  truthLanes = new Lanes(byId("lanes"), walk, go);
  byId("open-note").hidden = !trace.parts.some((part) => part.truth.includes("?"));
  truthLanes.draw(truthRows(walk), (value) => ({ class: value === null ? "lane-open" : value ? "lane-on" : "lane-off" }));
  processLanes = new Lanes(byId("processes"), walk, go);
  const rows = processRows(walk, new Set(data.results[current].observed));
  byId("process-box").hidden = !rows.length;
  byId("process-count").textContent = rows.length > MOST_LANES ? `, ${MOST_LANES} of the ${rows.length} that move` : "";
  processLanes.draw(rows.slice(0, MOST_LANES), (p) => (p === null ? null : { style: `fill:${COLOURS[p % COLOURS.length]}` }));
  markState = drawAutomaton(byId("automaton"), trace.automaton, trace.states[0]);
  fillTable(trace);
}

function fillTable(trace) {
  const body = byId("rows");
  body.replaceChildren();
  const game = new Game();
  for (let i = 0; i <= walk.last; ++i) {
    const row = element(body, "tr");
    if (walk.start !== null && i > walk.start) row.classList.add("cycle");
    const t = i ? walk.firings[i - 1] : null;
    const before = i ? new Set(trace.letters[walk.instant(i - 1)]) : new Set();
    const now = new Set(trace.letters[walk.instant(i)]);
    const isEvent = (a) => trace.atoms[a].kind === "fire";
    const turned = [...[...before].filter(isEvent).map((a) => trace.atoms[a].text + " fires"),
      ...[...now].filter((a) => !before.has(a) && !isEvent(a)).map((a) => "+" + trace.atoms[a].text),
      ...[...before].filter((a) => !now.has(a) && !isEvent(a)).map((a) => "−" + trace.atoms[a].text)];
    const changes = [];
    if (t !== null) {
      const touched = [...new Set([...transitions[t].pre, ...transitions[t].post].map(([p]) => p))];
      const old = touched.map((p) => game.marking[p]);
      game.apply(t, 1);
      touched.forEach((p, k) => { if (old[k] !== game.marking[p]) changes.push(`${places[p].name} ${old[k]}→${game.marking[p]}`); });
    }
    for (const text of [i, t === null ? "start" : transitions[t].name, "q" + trace.states[i], turned.join(", ")]) element(row, "td", text, "text");
    const last = element(row, "td", undefined, "text");
    changes.forEach((text, n) => { element(last, "span", text + (n + 1 < changes.length ? "," : ""), "whole"); last.append(" "); });
    row.addEventListener("click", () => go(i));
  }
  filter();
}

function filter() {
  const wanted = byId("filter").value.toLowerCase();
  for (const row of byId("rows").children) row.hidden = !row.textContent.toLowerCase().includes(wanted);
}

function refresh() {
  const trace = walk.trace, result = data.results[current];
  const atoms = trace ? trace.atoms : result.atoms;
  drawing.show(walk, byId("mode").value, result.layout, new Set(result.observed));
  byId("where").textContent = walk.last || trace ? `step ${walk.at} of ${walk.last}${remark()}` : "";
  byId("slider").value = walk.at;
  byId("hand-state").textContent = walk.hand.length ? `by hand: ${walk.hand.map((t) => transitions[t].name).slice(-6).join(" ")}` : "click to fire by hand";
  byId("undo").hidden = !walk.hand.length;
  byId("return").hidden = !walk.hand.length || !trace;
  showEnabled();
  const list = byId("atoms");
  list.replaceChildren();
  const fired = walk.hand.at(-1) ?? walk.firings[walk.at - 1];
  for (const atom of atoms) {
    const isEvent = atom.kind === "fire";
    element(list, "li", isEvent ? atom.text + " fires" : atom.text, (isEvent ? atom.transition === fired : walk.game.holds(atom)) ? "on" : "");
  }
  if (!trace) return;
  truthLanes.mark(walk.at);
  processLanes.mark(walk.at);
  markState(walk.hand.length ? -1 : trace.states[walk.at]);
  [...byId("rows").children].forEach((row, i) => row.classList.toggle("now", i === walk.at));
  const box = document.querySelector("#table-box .scroll"), row = byId("rows").children[walk.at];
  if (row && (row.offsetTop < box.scrollTop || row.offsetTop > box.scrollTop + box.clientHeight - 40)) box.scrollTop = row.offsetTop - 60;
}

function remark() {
  if (walk.trace.sealed === walk.at) return ": sealed, from here on nothing can change the verdict";
  if (walk.trace.dead && walk.at === walk.last) return ": dead, this marking stays for ever";
  return walk.start !== null && walk.at >= walk.start ? ": in the cycle, which repeats for ever" : "";
}

const MOST_BUTTONS = 60;
function showEnabled() {
  const box = byId("enabled");
  box.replaceChildren();
  const next = walk.next();
  const enabled = walk.game.allEnabled().sort((a, b) => (b === next) - (a === next));  // it first: many are not shown
  for (const t of enabled.slice(0, MOST_BUTTONS)) {
    const button = element(box, "button", transitions[t].name, t === next ? "next" : "");
    button.dataset.fire = transitions[t].id;
    button.addEventListener("click", () => fireByHand(t));
  }
  if (enabled.length > MOST_BUTTONS) element(box, "span", `and ${enabled.length - MOST_BUTTONS} more`);
  if (!enabled.length) element(box, "span", "nothing: this marking is dead");
}

function go(instant) { const before = walk.at; walk.go(instant); refresh(); if (walk.at === before + 1) drawing.move(walk.firings[before]); }
function forward() { const before = walk.at; walk.forward(); refresh(); if (walk.at !== before) drawing.move(walk.firings[walk.at - 1]); }
function fireByHand(t) {
  stop();
  if (!walk.game.enabled(t)) return;
  if (!walk.hand.length && walk.at < walk.last && walk.firings[walk.at] === t) return forward();
  walk.fire(t); refresh(); drawing.move(t);
}
function stop() { clearInterval(timer); timer = null; byId("play").textContent = "▶▶"; }
function play() { if (timer) return stop(); byId("play").textContent = "❚❚"; timer = setInterval(() => (walk.at === walk.last && walk.start === null ? stop() : forward()), 600); }

function copy(text, button) {
  const done = () => { const was = button.textContent; button.textContent = "copied"; setTimeout(() => { button.textContent = was; }, 900); };
  const area = element(document.body, "textarea", text);
  area.value = text; area.select();
  document.execCommand("copy");  // works in a page that was opened as a file, too
  area.remove(); done();
}

byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(walk.at - 1));
byId("forward").addEventListener("click", forward);
byId("last").addEventListener("click", () => go(walk.last));
byId("play").addEventListener("click", play);
byId("undo").addEventListener("click", () => { walk.undo(); refresh(); });
byId("return").addEventListener("click", () => { walk.leaveHand(); refresh(); });
byId("filter").addEventListener("input", filter);
byId("mode").addEventListener("change", refresh);
byId("copy-scenario").addEventListener("click", (event) => copy(data.results[current].trace.scenario, event.target));
byId("copy-json").addEventListener("click", (event) => copy(JSON.stringify(data.results[current].trace.json, null, 2), event.target));
byId("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input[type=search], select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = { ArrowRight: forward, ArrowLeft: () => go(walk.at - 1), Home: () => go(0), End: () => go(walk.last), " ": play }[event.key];
  if (action && data.results[current].trace) { event.preventDefault(); action(); }
});

let resized;
addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => { if (walk.trace) { prepareTrace(walk.trace); refresh(); } }, 150);
});

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
byId("title").textContent = data.title;
if (data.results.length > 1) {
  byId("summary").hidden = false;
  const body = document.querySelector("#summary tbody");
  data.results.forEach((result, i) => {
    const row = element(body, "tr");
    element(row, "td", result.verdict, "verdict " + result.verdict);
    for (const text of [result.name, short(result.formula, 120), result.trace ? result.trace.last : "", result.seconds.toFixed(3)]) element(row, "td", text, "text");
    row.addEventListener("click", () => { location.hash = encodeURIComponent(result.name); open(i); });
  });
}
const wanted = data.results.findIndex((result) => encodeURIComponent(result.name) === location.hash.slice(1));
const violated = data.results.findIndex((result) => result.trace);
open(Math.max(0, wanted >= 0 ? wanted : violated));
