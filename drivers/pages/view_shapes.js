// Meshes: {points, normals}, three points for each triangle, in the frame of the shape.

/// Turns a profile (radius, height, normal's radius, normal's height) about z.
function lathe(profile, parts = 32) {
  const mesh = {points: [], normals: []};
  const put = ([r, z, nr, nz], angle) => {
    mesh.points.push([r * Math.cos(angle), r * Math.sin(angle), z]);
    mesh.normals.push([nr * Math.cos(angle), nr * Math.sin(angle), nz]);
  };
  for (let k = 0; k < parts; ++k) {
    const from = 2 * Math.PI * k / parts, to = 2 * Math.PI * (k + 1) / parts;
    for (let i = 0; i + 1 < profile.length; ++i) {
      const [a, b] = [profile[i], profile[i + 1]];
      put(a, from), put(a, to), put(b, to), put(a, from), put(b, to), put(b, from);
    }
  }
  return mesh;
}

/// Half a circle of `radius`, its halves `half` above and below the origin.
function capProfile(radius, half) {
  const arc = [], parts = 10;
  for (let k = -parts; k <= parts; ++k) {
    const angle = Math.PI / 2 * k / parts, c = Math.cos(angle), s = Math.sin(angle);
    if (k === 0) arc.push([radius, -half, 1, 0]);
    arc.push([radius * c, radius * s + (k < 0 ? -half : half), c, s]);
  }
  return arc;
}

function boxMesh([a, b, c]) {
  const mesh = {points: [], normals: []};
  for (let axis = 0; axis < 3; ++axis) {
    for (const side of [-1, 1]) {
      const at = (u, v) => {
        const p = [0, 0, 0];
        p[axis] = side, p[(axis + 1) % 3] = u, p[(axis + 2) % 3] = v;
        return [p[0] * a, p[1] * b, p[2] * c];
      };
      const n = [0, 0, 0];
      n[axis] = side;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) mesh.points.push(at(u, v)), mesh.normals.push(n);
    }
  }
  return mesh;
}

/// The corners of a polygon with points on its arcs, 6 degrees apart.
function withArcs(corners, bulges) {
  const points = [], count = corners.length / 2;
  bulges.forEach((bulge, i) => {
    const [x, y, u, v] = [0, 1, 2, 3].map(k => corners[(2 * i + k) % (2 * count)]), side = bulge && (1 - bulge * bulge) / (4 * bulge);
    points.push(x, y);
    const cx = (x + u) / 2 - side * (v - y), cy = (y + v) / 2 + side * (u - x), angle = 4 * Math.atan(bulge), facets = Math.ceil(Math.abs(angle) * 30 / Math.PI);
    for (let k = 1; k < facets; ++k) {
      const c = Math.cos(angle * k / facets), s = Math.sin(angle * k / facets);
      points.push(cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy));
    }
  });
  return points;
}

/// The outline of a polygon, [x, y] counter-clockwise, rounded where corners turn outwards.
function roundedOutline(corners, radius) {
  const points = [], count = corners.length / 2, at = i => [corners[2 * (i % count)], corners[2 * (i % count) + 1]];
  for (let i = 0; i < count; ++i) {
    const [p, q, r] = [at(i + count - 1), at(i), at(i + 1)];
    const angle = (a, b) => Math.atan2(a[0] - b[0], b[1] - a[1]);  // of the outward normal
    const first = angle(p, q), turn = Math.atan2(Math.sin(angle(q, r) - first), Math.cos(angle(q, r) - first));
    if (radius === 0) points.push(q);
    else if (turn <= 0) {
      const middle = first + turn / 2, far = radius / Math.cos(turn / 2);
      points.push([q[0] + far * Math.cos(middle), q[1] + far * Math.sin(middle)]);
    } else {
      const parts = turn < 0.2 ? 1 : 8;
      for (let k = 0; k <= parts; ++k) points.push([q[0] + radius * Math.cos(first + turn * k / parts), q[1] + radius * Math.sin(first + turn * k / parts)]);
    }
  }
  return points;
}

/// Triangles of a simple polygon, each of three numbers of points (clipping of ears).
function trianglesOf(points) {
  const left = points.map((_, i) => i), triangles = [];
  const area = (a, b, c) => (points[b][0] - points[a][0]) * (points[c][1] - points[a][1]) - (points[b][1] - points[a][1]) * (points[c][0] - points[a][0]);
  while (left.length > 3) {
    const n = left.length;
    let ear = left.findIndex((b, i) => {
      const a = left[(i + n - 1) % n], c = left[(i + 1) % n];
      return area(a, b, c) > 0 && !left.some(p => p !== a && p !== b && p !== c && area(a, b, p) > 0 && area(b, c, p) > 0 && area(c, a, p) > 0);
    });
    if (ear < 0) ear = 0;
    triangles.push([left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]]);
    left.splice(ear, 1);
  }
  return [...triangles, left];
}

/// A plate, as deep as a tenth of its reach on either side of the plane.
function plateMesh(corners, [radius, reach]) {
  const outline = roundedOutline(corners, radius), deep = 0.1 * reach, mesh = {points: [], normals: [], outline: outline.map(([x, y]) => [x, y, 0])};
  const put = (p, z, normal) => { mesh.points.push([p[0], p[1], z]), mesh.normals.push(normal); };
  for (const [a, b, c] of trianglesOf(outline)) {
    for (const i of [a, b, c]) put(outline[i], deep, [0, 0, 1]);
    for (const i of [a, c, b]) put(outline[i], -deep, [0, 0, -1]);
  }
  outline.forEach((p, i) => {
    const q = outline[(i + 1) % outline.length], length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
    const normal = [(q[1] - p[1]) / length, (p[0] - q[0]) / length, 0];
    for (const [r, z] of [[p, -deep], [q, -deep], [q, deep], [p, -deep], [q, deep], [p, deep]]) put(r, z, normal);
  });
  return mesh;
}

/// The loops of a face, from the corner that follows each one: [[corner, ...], ...].
function loopsOf(after) {
  const loops = [], left = new Map(after);
  while (left.size > 0) {
    const loop = [];
    for (let corner = left.keys().next().value, next; (next = left.get(corner)) !== undefined; corner = next) loop.push(corner), left.delete(corner);
    loops.push(loop);
  }
  return loops;
}

/// Triangles of a face with the outward normal m, as corners. Holes are joined to the outline by the shortest cut that crosses no edge.
function faceTriangles(loops, at, m) {
  const axis = m.map(Math.abs).indexOf(Math.max(...m.map(Math.abs))), flat = i => m[axis] > 0 ? [at(i)[(axis + 1) % 3], at(i)[(axis + 2) % 3]] : [at(i)[(axis + 2) % 3], at(i)[(axis + 1) % 3]];
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const area = loop => loop.reduce((sum, i, k) => sum + turn([0, 0], flat(i), flat(loop[(k + 1) % loop.length])), 0);
  const [outline, ...holes] = [...loops].sort((a, b) => area(b) - area(a));
  let whole = outline;
  while (holes.length > 0) {
    const edges = [whole, ...holes].flatMap(loop => loop.map((i, k) => [flat(i), flat(loop[(k + 1) % loop.length])]));
    let best = null;
    holes.forEach((hole, h) => hole.forEach((i, k) => whole.forEach((j, l) => {
      const [p, q] = [flat(i), flat(j)], length = Math.hypot(p[0] - q[0], p[1] - q[1]);
      if (best && best.length <= length || edges.some(([a, b]) => turn(a, b, p) * turn(a, b, q) < 0 && turn(p, q, a) * turn(p, q, b) < 0)) return;
      best = {length, h, k, l};
    })));
    if (!best) break;
    const hole = holes.splice(best.h, 1)[0];
    whole = [...whole.slice(0, best.l + 1), ...hole.slice(best.k), ...hole.slice(0, best.k + 1), ...whole.slice(best.l)];
  }
  return trianglesOf(whole.map(flat)).map(triangle => triangle.map(i => whole[i]));
}

/// A hull, convex or not, its faces moved out by the radius, with flat strips along the edges and flat tips at the corners.
function hullMesh(corners, edges, radius) {
  const at = i => corners.slice(3 * i, 3 * i + 3), mesh = {points: [], normals: []}, faces = new Map();
  const minus = (a, b) => a.map((x, k) => x - b[k]), out = (a, m) => a.map((x, k) => x + radius * m[k]);
  const across = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = a => a.map(x => x / (Math.hypot(...a) || 1));
  const put = (a, b, c, m) => { mesh.points.push(a, b, c), mesh.normals.push(m, m, m); };
  const next = face => faces.get(face) || faces.set(face, new Map()).get(face);
  for (let e = 0; e < edges.length; e += 4) next(edges[e + 2]).set(edges[e], edges[e + 1]), next(edges[e + 3]).set(edges[e + 1], edges[e]);
  const normals = new Map(), around = new Map();
  for (const [face, after] of faces) {
    const loops = loopsOf(after), loop = loops[0], sum = [0, 0, 0];
    for (const each of loops)
      for (let k = 1; k + 1 < each.length; ++k) across(minus(at(each[k]), at(each[0])), minus(at(each[k + 1]), at(each[0]))).forEach((x, i) => { sum[i] += x; });
    const m = unit(sum);
    normals.set(face, m);
    for (const triangle of faceTriangles(loops, at, m)) put(...triangle.map(i => out(at(i), m)), m);
    // At a corner, the face beside this one follows across the edge that ends there.
    loop.forEach((corner, k) => {
      const before = loop[(k + loop.length - 1) % loop.length], other = [...faces].find(([, map]) => map.get(corner) === before);
      if (!around.has(corner)) around.set(corner, new Map());
      if (other) around.get(corner).set(face, other[0]);
    });
  }
  if (!(radius > 0)) return mesh;
  for (let e = 0; e < edges.length; e += 4) {
    const [p, q] = [at(edges[e]), at(edges[e + 1])], m = normals.get(edges[e + 2]), n = normals.get(edges[e + 3]), middle = unit(m.map((x, k) => x + n[k]));
    put(out(p, m), out(p, n), out(q, n), middle), put(out(p, m), out(q, n), out(q, m), middle);
  }
  for (const [corner, after] of around) {
    const turn = [after.keys().next().value];
    while (turn.length <= after.size && after.get(turn[turn.length - 1]) !== turn[0]) turn.push(after.get(turn[turn.length - 1]));
    const p = at(corner), tip = unit(turn.reduce((sum, face) => sum.map((x, k) => x + normals.get(face)[k]), [0, 0, 0]));
    for (let k = 1; k + 1 < turn.length; ++k) put(out(p, normals.get(turn[0])), out(p, normals.get(turn[k])), out(p, normals.get(turn[k + 1])), tip);
  }
  return mesh;
}

/// `size` as the engine has it; of a half space, `extent` is half the edge of the square that is drawn.
function meshOf({type, size, corners, bulges, edges}, extent) {
  const [radius, half] = size;
  if (type === "polygon") return plateMesh(bulges ? withArcs(corners, bulges) : corners, size);
  if (type === "hull") return hullMesh(corners, edges, radius);
  if (type === "box") return boxMesh(size);
  if (type === "half_space") {
    const e = extent, points = [[-e, -e, 0], [e, -e, 0], [e, e, 0], [-e, -e, 0], [e, e, 0], [-e, e, 0]];
    return {points, normals: points.map(() => [0, 0, 1])};
  }
  const thin = Math.max(radius, extent / 500);  // a particle or a segment can be seen
  if (type === "sphere") return lathe(capProfile(thin, 0));
  if (type === "capsule") return lathe(capProfile(thin, half));
  return lathe([[0, -half, 0, -1], [radius, -half, 0, -1], [radius, -half, 1, 0], [radius, half, 1, 0], [radius, half, 0, 1], [0, half, 0, 1]]);
}

/// From the origin to (0, 0, 1).
const arrowMesh = () => lathe([[0, 0, 0, -1], [0.022, 0, 1, 0], [0.022, 0.78, 1, 0], [0.065, 0.78, 0, -1], [0, 1, 0.95, 0.3]], 14);
const ballMesh = () => lathe(capProfile(1, 0), 14);
const rodMesh = () => lathe([[0, 0, 0, -1], [1, 0, 1, 0], [1, 1, 1, 0], [0, 1, 0, 1]], 10);
