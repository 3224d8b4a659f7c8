// Vectors are arrays of 3; rotations are 9 numbers, row after row; a 4x4 matrix is 16 numbers, column after column.
const add = (a, b) => a.map((value, i) => value + b[i]);
const subtract = (a, b) => a.map((value, i) => value - b[i]);
const times = (s, a) => a.map(value => s * value);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = a => Math.sqrt(dot(a, a));
const unit = a => times(1 / (norm(a) || 1), a);
const turn = (R, a) => [dot(R.slice(0, 3), a), dot(R.slice(3, 6), a), dot(R.slice(6, 9), a)];

function rotationOf([w, x, y, z]) {
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
          2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
}

function product(A, B) {
  const C = [];
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j) C.push(A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j]);
  return C;
}

/// Two unit vectors that are normal to n and to each other: right-handed (a, b, n).
function tangents(n) {
  const a = unit(cross(Math.abs(n[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], n));
  return [a, cross(n, a)];
}

/// A rotation whose columns are a, b, c.
const columns = (a, b, c) => [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]];

function matrixOf(R, position, scale = [1, 1, 1]) {
  return [R[0] * scale[0], R[3] * scale[0], R[6] * scale[0], 0, R[1] * scale[1], R[4] * scale[1], R[7] * scale[1], 0,
          R[2] * scale[2], R[5] * scale[2], R[8] * scale[2], 0, ...position, 1];
}

function product4(A, B) {
  const C = new Array(16).fill(0);
  for (let c = 0; c < 4; ++c)
    for (let r = 0; r < 4; ++r)
      for (let k = 0; k < 4; ++k) C[4 * c + r] += A[4 * k + r] * B[4 * c + k];
  return C;
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2), d = 1 / (near - far);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) * d, -1, 0, 0, 2 * far * near * d, 0];
}

function lookAt(eye, target, up) {
  const back = unit(subtract(eye, target)), right = unit(cross(up, back)), over = cross(back, right);
  return [right[0], over[0], back[0], 0, right[1], over[1], back[1], 0, right[2], over[2], back[2], 0,
          -dot(right, eye), -dot(over, eye), -dot(back, eye), 1];
}

/// The largest of 1, 2 and 5 times a power of ten up to `size`.
function roundBelow(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return power * (size >= 5 * power ? 5 : size >= 2 * power ? 2 : 1);
}

const shortNumber = value => value === null ? "-" : String(Number(value.toPrecision(5)));
