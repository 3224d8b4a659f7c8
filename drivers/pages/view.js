// The page: panels side by side with one time and one camera.
class Panel {
  constructor(motion, number, several) {
    this.motion = motion, this.number = number;
    this.element = document.createElement("div");
    this.element.className = "panel";
    this.canvas = element("canvas", {tabindex: 0, "aria-label": `sample ${motion.sample} in space; arrow keys turn, plus and minus zoom`});
    this.element.append(this.facts(several), this.canvas);
    byId("panels").append(this.element);
    this.stage = new Stage(motion, this.canvas);
    if (!this.stage.renderer) return;
    this.compass = svgElement("svg", {class: "compass", viewBox: "-40 -40 80 80"});
    this.element.append(this.compass);
    this.listen();
  }

  facts(several) {
    const {motion} = this, status = element("span", {class: motion.status === "ok" ? "" : "failed"}, motion.status);
    const row = ([name, text]) => element("tr", {}, element("td", {}, name), element("td", {}, text));
    const isShown = ([name]) => !/\.rotation\.q[wxyz]$/.test(name);  // beside roll, pitch and yaw
    const text = (name, value) => value === null ? "-" : data.truths?.includes(name) ? (value ? "yes" : "no") : number(value);
    const part = (list, name) => element("tbody", {class: name}, Object.entries(list).filter(isShown).map(([name, value]) => row([name, text(name, value)])));
    const colour = several && charts.length > 0 ? [element("span", {class: "colour", style: `background: ${lineColours[this.number]}`}), " "] : [];
    const box = element("details", {class: "facts"}, element("summary", {}, ...colour, `sample ${motion.sample} `, status),
                        element("table", {}, part(motion.variables, "given"), part(motion.outcomes, "found")));
    box.open = !several && innerWidth > 600;  // else it would hide the scene
    return box;
  }

  listen() {
    let last = null;
    this.canvas.addEventListener("pointerdown", event => {
      last = [event.clientX, event.clientY];
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointerup", () => { last = null; });
    this.canvas.addEventListener("pointermove", event => {
      if (!last) return;
      const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
      last = [event.clientX, event.clientY];
      if (event.shiftKey) move(dx / this.canvas.clientHeight, dy / this.canvas.clientHeight);
      else turnBy(0.008 * dx, 0.008 * dy);
      draw();
    });
    this.canvas.addEventListener("wheel", event => {
      event.preventDefault();
      camera.distance *= Math.exp(0.001 * event.deltaY);
      draw();
    }, {passive: false});
    const sideways = {ArrowLeft: -1, ArrowRight: 1}, upwards = {ArrowUp: -1, ArrowDown: 1};
    this.canvas.addEventListener("keydown", event => {
      const x = sideways[event.key] ?? 0, y = upwards[event.key] ?? 0, zoom = {"+": -1, "=": -1, "-": 1}[event.key] ?? 0;
      if (event.ctrlKey || event.metaKey || event.altKey || x === 0 && y === 0 && zoom === 0) return;
      event.preventDefault();
      if (event.shiftKey && zoom === 0) move(0.05 * x, 0.05 * y);
      else turnBy(0.1 * x, 0.1 * y);
      camera.distance *= 1.15 ** zoom;
      draw();
    });
  }

  draw(frame) {
    const at = Math.min(frame, this.motion.frames - 1), sides = byId("drawing").checked || !this.stage.renderer;
    this.element.querySelector(".sides")?.remove();
    if (this.compass) this.compass.style.display = sides ? "none" : "";
    if (sides) this.drawSides(at);
    else drawCompass(this.compass, this.stage.draw(at, shownLinks()));
  }

  drawSides(frame) {
    const sides = element("div", {class: "sides"}, this.stage.sides(frame, shownLinks()));
    // Beside the facts, or below them where that leaves too little room.
    const {offsetWidth, offsetHeight} = this.element.querySelector(".facts"), isBeside = this.element.clientWidth - offsetWidth > 400;
    const top = isBeside ? 8 : offsetHeight + 16;
    sides.style.paddingTop = `${top}px`, sides.style.paddingLeft = isBeside ? `${offsetWidth + 20}px` : "8px";
    sides.style.setProperty("--room", `${Math.max(240, this.element.clientHeight - top - 6)}px`);
    this.element.append(sides);
  }
}

const lineColours = ["#1f5fa8", "#c8741a", "#2f855a", "#805ad5"], mostCharts = 8;

/// What a chart shows, as its first line: the label and as much as fits of what it stands for, or the end of a long name.
function headingOf({label, name, unit}, room) {
  if (!label || label === name) return axisName({name, unit}, room - 8);
  const units = unit ? ` (${unit})` : "", whole = `${label}: ${name}${units}`;
  let most = name.length;
  const text = () => most < 1 ? axisName({name: label, unit}, room - 8) : most === name.length ? whole : `${label}: ${name.slice(0, most)}\u2026${units}`;
  while (most > 0 && widthOf(text(), 12) > room - 8) --most;
  return text();
}

/// A line chart of a quantity over the time, with a line for each motion and one for the time that is shown.
class CurveChart {
  constructor(axis, number) {
    const points = data.motions.map(motion => motion.time.map((time, i) => [time, motion.curves[i * data.curves.length + number]]));
    const values = points.flat().map(([, y]) => y).filter(Number.isFinite), end = Math.max(...data.motions.map(m => m.time[m.frames - 1]));
    const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const margin = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.05 || 1, isKnown = values.length > 0 && !axis.truth, w = 280, h = 140;
    const {svg, toX, toY} = chart({x: [0, end || 1], y: isKnown ? [low - margin, high + margin] : [-0.05, 1.05], xName: "time (s)", heading: headingOf(axis, w), w, h,
                                   yTicks: axis.truth ? [0, 1] : null});
    svg.append(element("title", {}, axis.label ? `${axis.label}: ${axis.name}` : axis.name));
    points.forEach((list, i) => svg.append(element("path", {class: "line", d: pathOf(list, toX, toY), stroke: lineColours[i]},
                                                   element("title", {}, `sample ${data.motions[i].sample}`))));
    this.cursor = element("line", {class: "cursor", y1: toY(isKnown ? high + margin : 1.05), y2: h - bottom});
    svg.append(this.cursor);
    this.svg = svg, this.toX = toX;
  }

  show(time) {
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.toX(time));
  }
}

function turnBy(dx, dy) {
  camera.azimuth -= dx, camera.elevation = Math.min(1.55, Math.max(-1.55, camera.elevation + dy));
}

function move(dx, dy) {
  const back = unit(subtract(eye(camera.target), camera.target)), right = unit(cross(up, back)), over = cross(back, right);
  camera.target = add(camera.target, times(0.7 * camera.distance, add(times(-dx, right), times(dy, over))));
}

const shownLinks = () => ({joints: byId("joints").checked, arrows: byId("arrows").checked, faces: byId("faces").checked});

/// -1: the whole scene.
function choose(body) {
  follow(body);
  byId("follow").value = body;
}

function resetCamera() {
  placeCamera();
  byId("follow").value = camera.follow;
}

const slider = byId("frame"), longest = data.motions.reduce((a, b) => b.frames > a.frames ? b : a);
let playing = null;  // {clock, time}: when it began, and from which time of the motion

function draw() {
  const frame = Number(slider.value);
  for (const panel of panels) panel.draw(frame);
  for (const one of charts) one.show(longest.time[frame]);
  byId("time").textContent = `t = ${longest.time[frame].toFixed(4)} s, step ${Math.round(longest.time[frame] / data.step)}`;
}

function advance() {
  if (!playing) return;
  const time = playing.time + (performance.now() - playing.clock) / 1000 * Number(byId("speed").value);
  let frame = Number(slider.value);
  while (frame + 1 < longest.frames && longest.time[frame + 1] <= time) ++frame;
  slider.value = frame;
  draw();
  if (frame + 1 === longest.frames) setPlaying(false);
  else requestAnimationFrame(advance);
}

function setPlaying(on) {
  if (on && Number(slider.value) === longest.frames - 1) slider.value = 0;
  playing = on ? {clock: performance.now(), time: longest.time[Number(slider.value)]} : null;
  byId("play").textContent = on ? "Pause" : "Play";
  if (on) advance();
}

/// #time=0.3 opens the page there, #drawing as seen from three sides, #plain without curves; all as #time=0.3&drawing.
/// #picture=0.4 is the scene alone, after that part of the motion; #follow=NAME looks at a body, &near=0.1 at so many
/// metres around it, without arrows, whose length is that of the scene.
function readHash() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  byId("drawing").checked = wanted.has("drawing");
  if (wanted.has("plain")) byId("curves").checked = false;
  const time = Number(wanted.get("time") ?? 0), after = longest.time.findIndex(t => t >= time - 1e-12);
  slider.value = after < 0 ? longest.frames - 1 : after;
  document.body.classList.toggle("picture", wanted.has("picture"));
  const followed = data.bodies.findIndex(body => body.name === wanted.get("follow"));
  if (followed >= 0) choose(followed);
  if (wanted.has("near")) camera.distance = 2.9 * Number(wanted.get("near")), byId("arrows").checked = false;
  if (wanted.has("picture")) slider.value = Math.round(Number(wanted.get("picture")) * (longest.frames - 1));
}

document.title = `${data.title || "jostle"} - motion`;
byId("title").textContent = data.title || "Motion";
byId("hint").textContent = "Drag or press arrows to turn, with shift to move; wheel, + and - zoom. " +
  (data.motions[0].shapes.some(shape => shape.type === "half_space") ? `Checks of the ground: ${shortNumber(check)} m. ` : "") +
  `Red arrows: contact impulses of the step. ${data.motions[0].links.some(link => link.limits) ? "Orange: limits of joints. " : ""}Key f: follow the next body.`;
for (const body of [-1, ...movers]) {
  const option = document.createElement("option");
  option.value = body, option.textContent = body < 0 ? "whole scene" : data.bodies[body].name;
  byId("follow").append(option);
}
byId("joints").parentElement.hidden = data.motions.every(motion => motion.links.length === 0);
slider.max = longest.frames - 1;
resetCamera();
const charts = longest.frames > 1 ? data.curves.slice(0, mostCharts).map((axis, i) => new CurveChart(axis, i)) : [];
const panels = data.motions.map((motion, i) => new Panel(motion, i, data.motions.length > 1));
if (panels.some(panel => !panel.stage.renderer)) byId("drawing").checked = byId("drawing").disabled = true;
byId("charts").append(...charts.map(one => one.svg));
byId("curves").parentElement.hidden = charts.length === 0;
function showCurves() {
  byId("charts").hidden = !byId("curves").checked || charts.length === 0;
  draw();
}
byId("curves").addEventListener("change", showCurves);
slider.addEventListener("input", () => { setPlaying(false); draw(); });
byId("play").addEventListener("click", () => setPlaying(!playing));
byId("speed").addEventListener("change", () => { if (playing) setPlaying(true); });
byId("follow").addEventListener("change", event => { choose(Number(event.target.value)); draw(); });
document.addEventListener("keydown", event => {
  if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = [-1, ...movers];
  choose(all[(all.indexOf(camera.follow) + 1) % all.length]);
  draw();
});
for (const id of ["arrows", "drawing", "joints", "faces"]) byId(id).addEventListener("change", draw);
byId("reset").addEventListener("click", () => { resetCamera(); draw(); });
window.addEventListener("resize", draw);
window.addEventListener("hashchange", () => { readHash(); draw(); });
readHash();
if (panels.some(panel => !panel.stage.renderer)) byId("drawing").checked = true;
showCurves();
