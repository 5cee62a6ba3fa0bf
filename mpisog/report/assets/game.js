// The token game: a marking that steps are applied to and taken back from.
const data = JSON.parse(document.getElementById("data").textContent);
const { places, transitions } = data.net;

class Game {
  constructor() { this.marking = places.map((place) => place.initial); }
  enabled(t) { return transitions[t].pre.every(([p, w]) => this.marking[p] >= w); }
  apply(t, sign) {
    for (const [p, w] of transitions[t].pre) this.marking[p] -= sign * w;
    for (const [p, w] of transitions[t].post) this.marking[p] += sign * w;
  }
  allEnabled() { return transitions.map((_, t) => t).filter((t) => this.enabled(t)); }
  holds(atom) {
    if (atom.kind === "fireable") return atom.transitions.some((t) => this.enabled(t));
    if (atom.kind === "dead") return !transitions.some((_, t) => this.enabled(t));
    const sum = atom.terms.reduce((total, [p, factor]) => total + factor * this.marking[p], 0);
    return { "<=": sum <= atom.bound, ">=": sum >= atom.bound, "==": sum === atom.bound,
      "!=": sum !== atom.bound, "<": sum < atom.bound, ">": sum > atom.bound }[atom.op];
  }
}

// A run that can be walked along in both directions; without a trace it has no steps.
class Walk {
  constructor(trace) {
    this.trace = trace;
    this.firings = trace ? trace.firings : [];
    this.last = trace ? trace.last : 0;
    this.start = trace && trace.sealed === null && !trace.dead ? trace.split : null;
    this.game = new Game();
    this.at = 0;
    this.hand = [];
  }
  go(instant) {
    this.leaveHand();
    const goal = Math.max(0, Math.min(this.last, instant));
    while (this.at < goal) this.game.apply(this.firings[this.at++], 1);
    while (this.at > goal) this.game.apply(this.firings[--this.at], -1);
  }
  forward() { this.go(this.at === this.last && this.start !== null ? this.start + 1 : this.at + 1); }
  fire(t) { if (this.game.enabled(t)) { this.game.apply(t, 1); this.hand.push(t); } }
  undo() { if (this.hand.length) this.game.apply(this.hand.pop(), -1); }
  leaveHand() { while (this.hand.length) this.undo(); }
  // The letter's number: after the last step of the cycle comes its first again.
  instant(i) { return i < this.trace.letters.length ? i : this.trace.split; }
  next() { return this.hand.length || this.at >= this.last ? (this.start !== null && !this.hand.length ? this.firings[this.start] : null) : this.firings[this.at]; }
}

const byId = (id) => document.getElementById(id);
function element(parent, tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}
function svg(parent, tag, attributes = {}, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}
// Beginning and end: names often differ in their last characters only.
function short(text, most) {
  const end = Math.floor(0.4 * (most - 1));
  return text.length > most ? text.slice(0, most - 1 - end) + "…" + text.slice(text.length - end) : text;
}
