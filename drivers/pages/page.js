"use strict";
// What all pages share: their data, elements, numbers and charts.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = id => document.getElementById(id);

const width = 360, height = 230, left = 58, right = 12, top_ = 10, bottom = 44;

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
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return Number(value.toPrecision(Math.max(1, digits - 1))).toExponential().replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}
/// What an axis shows of {name, label, unit}; of a long name its end.
function axisName({name, label, unit}, most = 40) {
  const whole = label || name, text = whole.length > most ? `\u2026${whole.slice(1 - most)}` : whole;
  return unit ? `${text} (${unit})` : text;
}

/// Base64 of little-endian numbers.
function bytes(text) {
  const raw = atob(text), list = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) list[i] = raw.charCodeAt(i);
  return list.buffer;
}

/// About `count` round numbers in [low, high].
function ticks(low, high, count = 5) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list.map(value => Math.abs(value) < 1e-9 * step ? 0 : value);
}

/// Of one of these ticks, with as many digits as tell it from the next.
function tickText(value, all) {
  const step = all.length > 1 ? all[1] - all[0] : value, most = Math.max(...all.map(Math.abs));
  return number(value, Math.max(4, step > 0 ? Math.ceil(Math.log10(most / step) - 1e-9) + 1 : 4));
}

function scale(low, high, from, to) {
  const span = high > low ? high - low : 1, shift = high > low ? 0 : 0.5;
  return value => from + ((value - low) / span + shift) * (to - from);
}

/// A chart with axes: returns {svg, x, y}. `logarithmic`: powers of ten along x.
function chart({x, y, xName, yName, logarithmic = false, xTicks = null, h = height}) {
  const svg = element("svg", {viewBox: `0 0 ${width} ${h}`, role: "img"});
  const place = scale(logarithmic ? Math.log10(x[0]) : x[0], logarithmic ? Math.log10(x[1]) : x[1], left, width - right);
  const toX = logarithmic ? value => place(Math.log10(value)) : place;
  const toY = scale(y[0], y[1], h - bottom, top_);
  const yTicks = ticks(y[0], y[1]);
  for (const value of yTicks) {
    svg.append(element("line", {class: "grid", x1: left, x2: width - right, y1: toY(value), y2: toY(value)}));
    svg.append(element("text", {x: left - 6, y: toY(value) + 4, "text-anchor": "end"}, tickText(value, yTicks)));
  }
  const decades = !logarithmic ? [] : ticks(Math.log10(x[0]), Math.log10(x[1]), 4).filter(Number.isInteger).map(p => 10 ** p);
  let end = -Infinity;
  const shown = xTicks ?? (!logarithmic ? ticks(x[0], x[1], 4) : decades.length > 0 ? decades : x);
  for (const value of shown) {
    const label = logarithmic ? commas(value) : tickText(value, shown), at = toX(value), half = 3.2 * label.length;
    svg.append(element("line", {class: "axis", x1: at, x2: at, y1: h - bottom, y2: h - bottom + 4}));
    if (at - half < end + 4) continue;  // labels do not overlap
    end = at + half;
    svg.append(element("text", {x: Math.min(at, width - half), y: h - bottom + 17, "text-anchor": "middle"}, label));
  }
  svg.append(element("path", {class: "axis", d: `M${left} ${top_}V${h - bottom}H${width - right}`}));
  svg.append(element("text", {class: "name", x: (left + width - right) / 2, y: h - 6, "text-anchor": "middle"}, xName));
  const middle = (top_ + h - bottom) / 2;
  svg.append(element("text", {class: "name", x: 0, y: 0, "text-anchor": "middle",
                              transform: `translate(11 ${middle}) rotate(-90)`}, yName));
  return {svg, toX, toY};
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
