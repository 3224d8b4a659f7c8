"use strict";
// What all pages share: their data, elements, numbers and charts.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

const width = 360, height = 230, right = 12, top_ = 10, bottom = 44;

function element(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "line", "rect", "circle", "text", "title"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const child of children.flat()) made.append(child);
  return made;
}

const commas = number => number.toLocaleString("en-US");

function number(value, digits = 5) {
  if (value === null || value === undefined) return "-";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return Number(value.toPrecision(Math.max(Math.min(2, digits), digits - 1))).toExponential().replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

const pen = document.createElement("canvas").getContext("2d");
/// In units of a chart, as its style has texts of this size.
function widthOf(text, size) {
  pen.font = `${size}px system-ui, "Segoe UI", "DejaVu Sans", sans-serif`;
  return pen.measureText(text).width;
}

/// What an axis shows of {name, label, unit} in so much room, or of a text; of a long name its end.
function axisName(axis, room) {
  const {name, label, unit} = typeof axis === "string" ? {name: axis} : axis, units = unit ? ` (${unit})` : "";
  let text = label || name, most = text.length;
  while (most > 4 && widthOf(text + units, 12) > room) text = `\u2026${(label || name).slice(-(--most))}`;
  return text + units;
}

/// Base64 of little-endian numbers.
function bytes(text) {
  const raw = atob(text), list = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) list[i] = raw.charCodeAt(i);
  return list.buffer;
}

/// About `count` round numbers in [low, high].
function ticks(low, high, count = 5) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough)), off = factor => Math.abs(Math.log(factor * power / rough));
  const step = power * [1, 2, 5, 10].reduce((best, factor) => off(factor) < off(best) ? factor : best);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list.map(value => Math.abs(value) < 1e-9 * step ? 0 : value);
}

/// Of one of these ticks, with as many digits as tell it from the next.
function tickText(value, all) {
  const step = all.length > 1 ? all[1] - all[0] : value, most = Math.max(...all.map(Math.abs));
  return number(value, Math.max(4, step > 0 ? Math.ceil(Math.log10(most / step) - 1e-9) + 1 : 4));
}

/// About `count` powers of ten in [low, high], or also twice and five times them if there are few.
function decades(low, high, count) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high)), powers = [...Array(last - first + 1).keys()].map(k => first + k);
  const within = value => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9), power = p => Number(`1e${p}`);
  const whole = powers.filter(p => within(power(p))), step = Math.max(1, Math.round((whole.length - 1) / count));
  if (whole.length > 2) return whole.filter(p => p % step === 0).map(power);
  const some = powers.flatMap(p => [1, 2, 5].map(factor => Number(`${factor}e${p}`))).filter(within);
  if (whole.length > 1 && some.length > 1.5 * count) return whole.map(power);
  return some.length > 1 ? some : ticks(low, high, count);
}
const powerText = value => value >= 1e5 || value < 1e-3 ? Number(value.toPrecision(2)).toExponential().replace("e+", "e") : commas(value);

function scale(low, high, from, to) {
  const span = high > low ? high - low : 1, shift = high > low ? 0 : 0.5;
  return value => from + ((value - low) / span + shift) * (to - from);
}

/// An axis of [low, high] over `from` to `to`: where a value is, and [value, text] of its ticks.
function axisOf([low, high], from, to, count, logarithmic, told) {
  const place = logarithmic ? scale(Math.log10(low), Math.log10(high), from, to) : scale(low, high, from, to);
  const values = told ?? (logarithmic ? decades(low, high, count) : high > low ? ticks(low, high, count) : [low]);
  return {at: logarithmic ? value => place(Math.log10(value)) : place,
          marks: values.map(value => [value, logarithmic ? powerText(value) : tickText(value, values)])};
}

/// Whether bins are drawn over powers of ten: of positive values whose middle one is nearer to the middle of their logarithms.
function isLogarithmic({low, high}) {
  const first = low[0], last = high[high.length - 1], half = low.length >> 1;
  if (!(first > 0) || last < 8 * first) return false;
  const middle = low.length % 2 ? (low[half] + high[half]) / 2 : (high[half - 1] + low[half]) / 2;
  const off = f => Math.abs((f(middle) - f(first)) / (f(last) - f(first)) - 0.5);
  return off(Math.log) < off(value => value);
}

/// A chart with axes: returns {svg, toX, toY, left}. Names of axes are texts or {name, label, unit}; those of `logarithmic`
/// have powers of ten; a `heading` stands above it.
function chart({x, y, xName, yName = "", heading = "", logarithmic = {}, xTicks = null, yTicks = null, w = width, h = height}) {
  const svg = element("svg", {viewBox: `0 0 ${w} ${h}`, role: "img"}), base = h - bottom, over = heading ? top_ + 16 : top_;
  const vertical = axisOf(y, base, over, Math.max(3, Math.round((base - over) / 36)), logarithmic.y, yTicks);
  // Room for the widest number, beside the name.
  const left = Math.ceil(Math.max(yName ? 58 : 40, (yName ? 24 : 8) + Math.max(0, ...vertical.marks.map(([, text]) => widthOf(text, 11)))));
  const horizontal = axisOf(x, left, w - right, Math.max(2, Math.round((w - left) / 75)), logarithmic.x, xTicks), toX = horizontal.at, toY = vertical.at;
  for (const [value, text] of vertical.marks) {
    svg.append(element("line", {class: "grid", x1: left, x2: w - right, y1: toY(value), y2: toY(value)}));
    svg.append(element("text", {x: left - 6, y: toY(value) + 4, "text-anchor": "end"}, text));
  }
  let end = -Infinity;
  for (const [value, text] of horizontal.marks) {
    const at = toX(value), half = widthOf(text, 11) / 2, middle = Math.min(at, w - half);
    svg.append(element("line", {class: "axis", x1: at, x2: at, y1: base, y2: base + 4}));
    if (middle - half < end + 6) continue;  // labels do not overlap
    end = middle + half;
    svg.append(element("text", {x: middle, y: base + 17, "text-anchor": "middle"}, text));
  }
  svg.append(element("path", {class: "axis", d: `M${left} ${over}V${base}H${w - right}`}));
  svg.append(element("text", {class: "name", x: (left + w - right) / 2, y: h - 6, "text-anchor": "middle"}, axisName(xName, w - left)));
  const middle = (over + base) / 2;
  if (yName) svg.append(element("text", {class: "name", x: 0, y: 0, "text-anchor": "middle", transform: `translate(11 ${middle}) rotate(-90)`},
                                axisName(yName, 2 * middle)));
  if (heading) svg.append(element("text", {class: "name", x: 4, y: 13}, heading));
  return {svg, toX, toY, left};
}

/// A path through points [x, y] of a chart; an interrupted line where y is not a number.
function pathOf(points, toX, toY) {
  let text = "", pen = "M";
  for (const [x, y] of points) {
    if (y === null || !Number.isFinite(y)) pen = "M";
    else text += `${pen}${toX(x).toFixed(2)} ${toY(y).toFixed(2)}`, pen = "L";
  }
  return text;
}
