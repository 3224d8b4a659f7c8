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
    } else for (let k = 0; k <= 8; ++k) points.push([q[0] + radius * Math.cos(first + turn * k / 8), q[1] + radius * Math.sin(first + turn * k / 8)]);
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

/// `size` as the engine has it; of a half space, `extent` is half the edge of the square that is drawn.
function meshOf({type, size, corners}, extent) {
  const [radius, half] = size;
  if (type === "polygon") return plateMesh(corners, size);
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
