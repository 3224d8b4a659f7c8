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

/// `size` as the engine has it; of a half space, `extent` is half the edge of the square that is drawn.
function meshOf({type, size}, extent) {
  const [radius, half] = size;
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
