// The motions of the page in space: where the eye is, and what it sees.
const palette = [[0.20, 0.47, 0.76], [0.93, 0.53, 0.18], [0.25, 0.62, 0.38], [0.55, 0.40, 0.72], [0.80, 0.31, 0.37],
                 [0.16, 0.60, 0.63], [0.72, 0.58, 0.20], [0.85, 0.47, 0.69]];
const fixedColour = [0.62, 0.66, 0.70], arrowColour = [0.78, 0.16, 0.16];

for (const motion of data.motions) {
  motion.poses = new Float32Array(bytes(motion.poses));
  motion.contacts = new Int32Array(bytes(motion.contacts));
  motion.impulses = new Float32Array(bytes(motion.impulses));
  motion.curves = new Float32Array(bytes(motion.curves));
  motion.frames = motion.time.length;
}

function poseOf(motion, frame, body) {
  const at = 7 * (frame * data.bodies.length + body);
  return {position: Array.from(motion.poses.slice(at, at + 3)), R: rotationOf(motion.poses.slice(at + 3, at + 7))};
}

function placeOf(motion, frame, shape) {
  const {position, R} = poseOf(motion, frame, shape.body);
  return {position: add(position, turn(R, shape.position)), R: product(R, shape.axes)};
}

/// How far a shape goes from its own point, m.
function extentOf({type, size: [radius, half], size}) {
  if (type === "half_space") return 0;
  return type === "box" ? norm(size) : type === "sphere" ? radius : type === "cylinder" ? Math.hypot(radius, half) : radius + half;
}
const reach = shape => norm(shape.position) + extentOf(shape);

/// The middle and half the size of what moves, over all frames; fixed shapes count where they are not much larger.
function measure() {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const include = (position, margin) => position.forEach((value, k) => {
    low[k] = Math.min(low[k], value - margin), high[k] = Math.max(high[k], value + margin);
  });
  for (const motion of data.motions)
    for (const shape of motion.shapes.filter(s => s.type !== "half_space" && !data.bodies[s.body].fixed))
      for (let frame = 0; frame < motion.frames; ++frame) include(placeOf(motion, frame, shape).position, extentOf(shape));
  for (const motion of data.motions)  // bodies without shapes are drawn by their joints
    for (let frame = 0; frame < motion.frames; frame += Math.ceil(motion.frames / 100))
      for (const {from, to} of linksOf(motion, frame)) include(from, 0), include(to, 0);
  const empty = low[0] > high[0], span = empty ? 0 : norm(subtract(high, low));
  for (const shape of data.motions[0].shapes.filter(s => s.type !== "half_space" && data.bodies[s.body].fixed))
    if (empty || extentOf(shape) < span) include(placeOf(data.motions[0], 0, shape).position, extentOf(shape));
  if (low[0] > high[0]) return {centre: [0, 0, 0], radius: 1};
  return {centre: times(0.5, add(low, high)), radius: Math.max(0.5 * norm(subtract(high, low)), 1e-6)};
}

const scene = measure();

/// A planar scene is seen with x (or y, in the plane y, z) to the right; up is against gravity, or the other axis.
function axesOfView() {
  const against = times(-1, data.gravity);
  if (!data.planar) return {up: norm(against) > 0 ? unit(against) : [0, 0, 1]};
  const normal = unit(data.plane_normal), inPlane = subtract(against, times(dot(against, normal), normal));
  const other = Math.abs(normal[2]) > 0.5 ? [0, 1, 0] : [0, 0, 1], up = norm(inPlane) > 0 ? unit(inPlane) : other;
  const right = cross(up, normal), main = Math.abs(normal[0]) > 0.5 ? 1 : 0;
  const side = right[main] < -1e-9 ? -1 : 1;  // from behind, x would point left
  return {up, away: times(side, normal), across: times(side, right)};
}

const axes = axesOfView(), up = axes.up;

/// The half size of the shapes of a body, m.
const reachOf = body => Math.max(0, ...data.motions[0].shapes.filter(s => s.body === body && s.type !== "half_space").map(reach));
const movers = data.bodies.map((_, body) => body).filter(body => !data.bodies[body].fixed && reachOf(body) > 0);

/// The body that the eye follows at first: the largest one, if all that moves would else be a dot in an empty scene.
function bodyToFollow() {
  if (!movers.length) return -1;
  const largest = movers.reduce((a, b) => reachOf(b) > reachOf(a) ? b : a);
  return scene.radius > 2 * radiusAround(largest) ? largest : -1;
}

/// What is seen around a body that is followed: all that moves, as it lies about it at the start.
const radiusAround = body => Math.min(scene.radius, Math.max(3 * reachOf(body), ...movers.map(other => reachOf(other) +
  norm(subtract(poseOf(data.motions[0], 0, other).position, poseOf(data.motions[0], 0, body).position)))));

const firstFollowed = bodyToFollow(), near = firstFollowed < 0 ? scene.radius : radiusAround(firstFollowed);
const check = roundBelow(near / 3), planeExtent = 5 * scene.radius;
const camera = {follow: firstFollowed};

/// Half the edges of the box around a shape, in its frame.
function extentsOf({type, size: [radius, half], size}) {
  if (type === "box") return size;
  if (type === "polygon") return [radius + half, radius + half, 0.1 * half];
  if (type === "hull") return [radius + half, radius + half, radius + half];
  return [radius, radius, type === "sphere" ? radius : type === "capsule" ? half + radius : half];
}

/// Whether the box around a shape stands between two points.
function hides(extents, {position, R}, from, to) {
  const local = v => [0, 1, 2].map(k => dot([R[k], R[3 + k], R[6 + k]], v));
  const start = local(subtract(from, position)), along = local(subtract(to, from));
  let first = 0, last = 1;
  extents.forEach((extent, k) => {
    const [a, b] = [(-extent - start[k]) / along[k], (extent - start[k]) / along[k]];
    first = Math.max(first, Math.min(a, b)), last = Math.min(last, Math.max(a, b));
  });
  return first < last;
}

/// How many points of shapes that move are hidden by shapes that never do, in up to 20 frames of each motion. Planes do
/// not count: they are left out where they hide anything.
function hiddenFrom(viewpoint) {
  let hidden = 0;
  for (const motion of data.motions) {
    const solid = motion.shapes.filter(s => s.type !== "half_space");
    const walls = solid.filter(s => data.bodies[s.body].fixed).map(s => [extentsOf(s), placeOf(motion, 0, s)]);
    const moving = solid.filter(s => !data.bodies[s.body].fixed);
    const frames = Math.max(2, Math.min(20, 2000 / (1 + walls.length * moving.length)));  // a page opens at once
    for (let frame = 0; frame < motion.frames; frame += Math.ceil(motion.frames / frames))
      for (const shape of moving) {
        const {position, R} = placeOf(motion, frame, shape), ends = extentsOf(shape);
        for (const k of [0, 1, 2])
          for (const end of [-ends[k], ends[k]]) {
            const point = add(position, times(end, [R[k], R[3 + k], R[6 + k]]));
            if (walls.some(([extents, place]) => hides(extents, place, viewpoint, point))) ++hidden;
          }
      }
  }
  return hidden;
}

/// From the usual side, or from the next one, or from higher, where fewer bodies are hidden.
function chooseSide() {
  let least = Infinity, best;
  for (const elevation of [0.35, 0.8])
    for (const eighth of [0, -1, 1, -2, 2, -3, 3, 4]) {
      Object.assign(camera, {azimuth: 0.6 + eighth * Math.PI / 4, elevation});
      const hidden = hiddenFrom(eye());
      if (hidden < least) least = hidden, best = {...camera};
    }
  Object.assign(camera, best);
}

function placeCamera() {
  camera.across = axes.across ?? tangents(up)[0];
  camera.away = axes.away ?? cross(camera.across, up);
  camera.distance = 2.9 * scene.radius;
  camera.target = scene.centre;
  if (axes.away) camera.azimuth = 0.25, camera.elevation = 0.18;
  else chooseSide();
  follow(firstFollowed);
}

/// -1: the whole scene.
function follow(body) {
  camera.follow = body;
  camera.target = scene.centre;
  camera.distance = 2.9 * (body < 0 ? scene.radius : radiusAround(body));
}

/// What the eye looks at: with a body that is followed, all moves with it.
const targetOf = (motion, frame) => camera.follow < 0 ? camera.target
  : add(subtract(camera.target, scene.centre), poseOf(motion, frame, camera.follow).position);

/// Farther away in a pane that is narrower than high, so that as much is seen across as upwards.
function fitTo(aspect) {
  const half = 0.35;
  return Math.sin(half) / Math.sin(Math.min(half, Math.atan(Math.tan(half) * aspect)));
}

function eye(target = camera.target, fit = 1) {
  const level = add(times(Math.cos(camera.azimuth), camera.away), times(Math.sin(camera.azimuth), camera.across));
  const direction = add(times(Math.cos(camera.elevation), level), times(Math.sin(camera.elevation), up));
  return add(target, times(fit * camera.distance, direction));
}

const colourOf = body => data.bodies[body].fixed ? fixedColour : palette[data.bodies.slice(0, body).filter(b => !b.fixed).length % palette.length];

/// What arrows are drawn for, m: of what is seen, not more than eight times the largest body that moves.
const arrowRoom = Math.min(near, 8 * Math.max(0, ...movers.map(reachOf)) || near);

/// How long an arrow of 1 N s is, m: the largest but a few is 0.45 of that room long.
const arrowScale = (() => {
  const sizes = [];
  for (const {impulses} of data.motions)
    for (let i = 0; i < impulses.length; i += 6) sizes.push(Math.hypot(impulses[i + 3], impulses[i + 4], impulses[i + 5]));
  sizes.sort((a, b) => a - b);
  const large = sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
  return large > 0 ? 0.45 * arrowRoom / large : 0;
})();

function arrowsOf(motion, frame) {
  const list = [], first = frame > 0 ? motion.contacts[frame - 1] : 0;
  for (let i = first; i < motion.contacts[frame]; ++i) {
    const [x, y, z, a, b, c] = motion.impulses.slice(6 * i, 6 * i + 6);
    const impulse = times(arrowScale, [a, b, c]), size = norm(impulse), longest = 0.9 * arrowRoom;
    list.push({from: [x, y, z], vector: size > longest ? times(longest / size, impulse) : impulse});
  }
  return list;
}

const jointColour = [0.16, 0.20, 0.26], springColour = [0.10, 0.48, 0.36], limitColour = [0.85, 0.42, 0.05];

/// Joints and springs: their points on both bodies in the world, and the axis of those that have one. A body that moves
/// and has no shape is drawn as bones from its centre of mass to its joints.
function linksOf(motion, frame) {
  const world = (body, point) => {
    if (body < 0) return point;
    const {position, R} = poseOf(motion, frame, body);
    return add(position, turn(R, point));
  };
  const links = motion.links.map(link => ({
    kind: link.kind, from: world(link.body_a, link.point_a), to: world(link.body_b, link.point_b),
    axis: link.axis ? turn(link.body_b < 0 ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : poseOf(motion, frame, link.body_b).R, link.axis) : null
  }));
  const bones = motion.links.flatMap(link => [[link.body_a, link.point_a], [link.body_b, link.point_b]])
    .filter(([body]) => body >= 0 && !data.bodies[body].fixed && !motion.shapes.some(shape => shape.body === body))
    .map(([body, point]) => ({kind: "bone", body, from: poseOf(motion, frame, body).position, to: world(body, point), axis: null}));
  return [...bones, ...links];
}

const isStill = body => body < 0 || data.bodies[body].fixed;

/// Lines at the limits of joints, about `size` long: of a hinge the arc that its body may turn, with where it is; of a slide
/// the way that its point may go. They stay with the first body, or with the second if that one never moves.
function limitsOf(motion, frame, size) {
  const line = (from, to, kind = "limit") => ({kind, from, to});
  const placed = (body, point, axis, across) => {
    const {position, R} = body < 0 ? {position: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1]} : poseOf(motion, frame, body);
    return {at: add(position, turn(R, point)), axis: turn(R, axis), across: turn(R, across), centre: position};
  };
  return motion.links.filter(link => link.limits).flatMap(link => {
    const a = placed(link.body_a, link.point_a, link.axis_a, link.across_a), b = placed(link.body_b, link.point_b, link.axis, link.across_b);
    const isReversed = isStill(link.body_b), [base, other] = isReversed ? [b, a] : [a, b];
    const [lower, upper] = isReversed ? [-link.limits[1], -link.limits[0]] : link.limits;
    if (link.kind === "prismatic") {
      const at = way => add(base.at, times(way, base.axis)), tick = times(size / 3, base.across);
      return [line(at(lower), at(upper)), ...[lower, upper].map(way => line(add(at(way), tick), subtract(at(way), tick)))];
    }
    // From the hinge towards the centre of the body, if that is elsewhere.
    const over = cross(base.axis, base.across), turned = cross(other.axis, other.across), arm = subtract(other.centre, other.at);
    const flat = [dot(arm, other.across), dot(arm, turned)], shift = Math.hypot(...flat) > 1e-3 * size ? Math.atan2(flat[1], flat[0]) : 0;
    const towards = (u, v, angle) => add(times(Math.cos(angle + shift), u), times(Math.sin(angle + shift), v));
    const end = Math.min(upper, lower + 2 * Math.PI), parts = Math.max(2, Math.ceil((end - lower) / 0.15));
    const rim = k => add(base.at, times(size, towards(base.across, over, lower + k * (end - lower) / parts)));
    return [...Array(parts).keys()].map(k => line(rim(k), rim(k + 1))).concat(
      [line(base.at, rim(0)), line(base.at, rim(parts)), line(other.at, add(other.at, times(1.2 * size, towards(other.across, turned, 0))), "needle")]);
  });
}

/// The axes of the world, as the eye sees them.
function drawCompass(svg, back) {
  const right = unit(cross(up, back)), over = cross(back, right), colours = ["#b3261e", "#2e7d32", "#1558b0"];
  const drawn = [0, 1, 2].map(k => ({k, x: 26 * right[k], y: -26 * over[k], depth: back[k]})).sort((a, b) => a.depth - b.depth);
  svg.replaceChildren(...drawn.flatMap(({k, x, y}) => [
    svgElement("line", {x1: 0, y1: 0, x2: x, y2: y, stroke: colours[k], "stroke-width": 2}),
    svgElement("text", {x: 1.3 * x, y: 1.3 * y + 4, "text-anchor": "middle"}, "xyz"[k])]));
}

/// The point of a plane that is next to the middle of the scene, on a corner of its checks.
function nearCentre(position, R) {
  const axis = k => [R[k], R[3 + k], R[6 + k]], away = subtract(scene.centre, position);
  const whole = k => times(2 * check * Math.round(dot(away, axis(k)) / (2 * check)), axis(k));
  return add(position, add(whole(0), whole(1)));
}

/// How the sides of a shape are told apart: 1 by their normals, 2 by eighths of a round shape, so that it is seen to turn.
const facesOf = ({type}) => type === "sphere" || type === "capsule" ? 2 : 1;

/// A motion that a canvas shows.
class Stage {
  constructor(motion, canvas) {
    this.motion = motion, this.canvas = canvas;
    this.meshes = motion.shapes.map(shape => meshOf(shape, planeExtent));
    this.renderer = makeRenderer(canvas);
    if (!this.renderer) return;
    this.loaded = this.meshes.map(mesh => this.renderer.load(mesh));
    this.arrow = this.renderer.load(arrowMesh()), this.ball = this.renderer.load(ballMesh()), this.rod = this.renderer.load(rodMesh());
  }

  /// Returns where the eye is from what it looks at.
  draw(frame, {joints, arrows, faces = true}) {
    const {motion, renderer} = this, aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight), fit = fitTo(aspect);
    const target = targetOf(motion, frame), from = eye(target, fit);
    const lens = perspective(0.7, aspect, camera.distance / 100, fit * camera.distance + 12 * scene.radius);
    renderer.begin(product4(lens, lookAt(from, target, up)), unit(add(unit(subtract(from, target)), times(1.2, up))));
    motion.shapes.forEach((shape, i) => {
      const {position, R} = placeOf(motion, frame, shape), isPlane = shape.type === "half_space";
      if (isPlane && dot([R[2], R[5], R[8]], subtract(from, position)) < 0) return;  // a wall in front of the eye
      renderer.draw(this.loaded[i], matrixOf(R, isPlane ? nearCentre(position, R) : position), colourOf(shape.body),
                    isPlane ? {check, extent: planeExtent} : {faces: faces ? facesOf(shape) : 0});
    });
    if (joints) this.drawJoints(frame);
    if (arrows) this.drawArrows(frame);
    return unit(subtract(from, target));
  }

  drawArrows(frame) {
    const {motion, renderer} = this, thick = Math.max(0.35 * arrowRoom, 1e-9);
    for (const {from: point, vector} of arrowsOf(motion, frame)) {
      const length = norm(vector), n = unit(vector), [a, b] = tangents(n), dot_ = 0.012 * arrowRoom;
      renderer.draw(this.ball, matrixOf([1, 0, 0, 0, 1, 0, 0, 0, 1], point, [dot_, dot_, dot_]), arrowColour, {onTop: true});
      renderer.draw(this.arrow, matrixOf(columns(a, b, n), point, [thick, thick, length]), arrowColour, {onTop: true});
    }
  }

  drawLine(from, to, thick, colour) {
    const along = subtract(to, from), length = norm(along);
    if (length === 0) return;
    const n = unit(along), [a, b] = tangents(n);
    this.renderer.draw(this.rod, matrixOf(columns(a, b, n), from, [thick, thick, length]), colour, {onTop: true});
  }

  drawJoints(frame) {
    const {motion, renderer} = this, size = camera.distance / 2.9, thick = 0.006 * size;
    for (const {from, to, axis, kind, body} of linksOf(motion, frame)) {
      const colour = kind === "spring" ? springColour : kind === "bone" ? colourOf(body) : jointColour;
      this.drawLine(from, to, kind === "bone" ? 2 * thick : 0.6 * thick, colour);
      if (kind === "bone") continue;
      if (axis) this.drawLine(subtract(to, times(0.12 * size, axis)), add(to, times(0.12 * size, axis)), thick, colour);
      for (const point of [from, to]) renderer.draw(this.ball, matrixOf([1, 0, 0, 0, 1, 0, 0, 0, 1], point, [2 * thick, 2 * thick, 2 * thick]), colour, {onTop: true});
    }
    for (const {from, to, kind} of limitsOf(motion, frame, 0.15 * size))
      this.drawLine(from, to, kind === "limit" ? 0.5 * thick : 0.7 * thick, kind === "limit" ? limitColour : jointColour);
  }

  /// Drawings from three sides.
  sides(frame, {joints, arrows: hasArrows}) {
    const {motion} = this, items = motion.shapes.map((shape, i) => {
      const {position, R} = placeOf(motion, frame, shape), isPlane = shape.type === "half_space";
      const base = isPlane ? nearCentre(position, R) : position, deep = times(-0.04 * scene.radius, [R[2], R[5], R[8]]);
      const points = this.meshes[i].points.map(p => add(base, turn(R, p)));
      const fill = colourOf(shape.body).map(c => Math.round(255 * c));
      const outline = this.meshes[i].outline?.map(p => add(base, turn(R, p)));
      return {outline, points: isPlane ? [...points, ...points.map(p => add(p, deep))] : points, depth: isPlane ? times(-1e9, up.map(Math.abs)) : base,
              fill: `rgba(${fill},${isPlane ? 0.35 : 0.75})`};
    });
    const lines = joints ? [...linksOf(motion, frame), ...limitsOf(motion, frame, 0.15 * near)] : [];
    const arrows = hasArrows ? arrowsOf(motion, frame).map(({from, vector}) => ({from, to: add(from, vector)})) : [];
    const vertical = up.map(Math.abs).indexOf(Math.max(...up.map(Math.abs))), [first, second] = [0, 1, 2].filter(k => k !== vertical);
    const common = {centre: scene.centre, radius: 1.08 * scene.radius, items, arrows, lines};
    return [drawSide({across: first, up: vertical, toward: -1, ...common}), drawSide({across: second, up: vertical, toward: 1, ...common}),
            drawSide({across: first, up: second, toward: 1, ...common})];
  }
}
