// The page: panels side by side with one time and one camera.
class Panel {
  constructor(motion, several) {
    this.motion = motion;
    this.element = document.createElement("div");
    this.element.className = "panel";
    this.canvas = document.createElement("canvas");
    this.element.append(this.facts(several), this.canvas);
    byId("panels").append(this.element);
    this.stage = new Stage(motion, this.canvas);
    if (!this.stage.renderer) return;
    this.compass = svgElement("svg", {class: "compass", viewBox: "-40 -40 80 80"});
    this.element.append(this.compass);
    this.listen();
  }

  facts(several) {
    const box = document.createElement("details"), {motion} = this;
    box.className = "facts", box.open = !several;
    const row = ([name, value]) => `<tr><td>${name}</td><td>${shortNumber(value)}</td></tr>`;
    const isShown = ([name]) => !/\.rotation\.q[wxyz]$/.test(name);  // beside roll, pitch and yaw
    box.innerHTML = `<summary>sample ${motion.sample} <span></span></summary><table>` +
      [...Object.entries(motion.variables), ...Object.entries(motion.outcomes)].filter(isShown).map(row).join("") + "</table>";
    const status = box.querySelector("span");
    status.textContent = motion.status;
    if (motion.status !== "ok") status.className = "failed";
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
      else camera.azimuth -= 0.008 * dx, camera.elevation = Math.min(1.55, Math.max(-1.55, camera.elevation + 0.008 * dy));
      draw();
    });
    this.canvas.addEventListener("wheel", event => {
      event.preventDefault();
      camera.distance *= Math.exp(0.001 * event.deltaY);
      draw();
    }, {passive: false});
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
    const top = this.element.querySelector(".facts").offsetHeight + 16;
    sides.style.paddingTop = `${top}px`;
    sides.style.setProperty("--room", `${Math.max(240, this.element.clientHeight - top - 6)}px`);
    this.element.append(sides);
  }
}

/// A line chart of a quantity over the time, with a line for each motion and one for the time that is shown.
class CurveChart {
  constructor(axis, number) {
    const points = data.motions.map(motion => motion.time.map((time, i) => [time, motion.curves[i * data.curves.length + number]]));
    const values = points.flat().map(([, y]) => y).filter(Number.isFinite), end = Math.max(...data.motions.map(m => m.time[m.frames - 1]));
    const low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const margin = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.05 || 1;
    const {svg, toX, toY} = chart({x: [0, end || 1], y: values.length ? [low - margin, high + margin] : [0, 1], xName: "time (s)", yName: axisName(axis, 18), h: 170});
    svg.append(element("title", {}, axis.name));
    points.forEach((list, i) => svg.append(element("path", {class: "line", d: pathOf(list, toX, toY), stroke: lineColours[i]},
                                                   element("title", {}, `sample ${data.motions[i].sample}`))));
    this.cursor = element("line", {class: "cursor", y1: 10, y2: 170 - bottom});
    svg.append(this.cursor);
    this.svg = svg, this.toX = toX;
  }

  show(time) {
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, this.toX(time));
  }
}

const lineColours = ["#1f5fa8", "#d9822b", "#2f855a", "#805ad5"], mostCharts = 8;

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
byId("hint").textContent = "Drag to turn, shift and drag to move, wheel to zoom. " +
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
const panels = data.motions.map(motion => new Panel(motion, data.motions.length > 1));
if (panels.some(panel => !panel.stage.renderer)) byId("drawing").checked = byId("drawing").disabled = true;
const charts = longest.frames > 1 ? data.curves.slice(0, mostCharts).map((axis, i) => new CurveChart(axis, i)) : [];
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
