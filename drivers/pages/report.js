"use strict";
// Draws report.html from its data. A tally is [valid, estimate, [lower, upper], invalid].
const data = JSON.parse(document.getElementById("data").textContent);
const width = 360, height = 230, left = 58, right = 12, top_ = 10, bottom = 44;

function element(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "line", "rect", "circle", "text", "title"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const child of children.flat()) made.append(child);
  return made;
}

const commas = number => number.toLocaleString("en-US");
const isRate = outcome => outcome.kind !== "number";

function number(value, digits = 5) {
  if (value === null || value === undefined) return "-";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(Math.max(0, digits - 2)).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}
const estimate = (outcome, value) => value === null ? "-" : isRate(outcome) ? value.toFixed(4) : number(value, 6);
const interval = (outcome, pair) => pair ? `[${estimate(outcome, pair[0])}, ${estimate(outcome, pair[1])}]` : "-";
const withUnit = (name, unit) => unit ? `${name} (${unit})` : name;

/// About `count` round numbers in [low, high].
function ticks(low, high, count = 5) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list.map(value => Math.abs(value) < 1e-9 * step ? 0 : value);
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
  for (const value of ticks(y[0], y[1])) {
    svg.append(element("line", {class: "grid", x1: left, x2: width - right, y1: toY(value), y2: toY(value)}));
    svg.append(element("text", {x: left - 6, y: toY(value) + 4, "text-anchor": "end"}, number(value, 4)));
  }
  const decades = () => ticks(Math.log10(x[0]), Math.log10(x[1]), 4).filter(Number.isInteger).map(p => 10 ** p);
  let end = -Infinity;
  for (const value of xTicks ?? (logarithmic ? decades() : ticks(x[0], x[1], 4))) {
    const label = logarithmic ? commas(value) : number(value, 4), at = toX(value), half = 3.2 * label.length;
    svg.append(element("line", {class: "axis", x1: at, x2: at, y1: h - bottom, y2: h - bottom + 4}));
    if (at - half < end + 4) continue;  // labels do not overlap
    end = at + half;
    svg.append(element("text", {x: at, y: h - bottom + 17, "text-anchor": "middle"}, label));
  }
  svg.append(element("path", {class: "axis", d: `M${left} ${top_}V${h - bottom}H${width - right}`}));
  svg.append(element("text", {class: "name", x: (left + width - right) / 2, y: h - 6, "text-anchor": "middle"}, xName));
  const middle = (top_ + h - bottom) / 2;
  svg.append(element("text", {class: "name", x: 0, y: 0, "text-anchor": "middle",
                              transform: `translate(11 ${middle}) rotate(-90)`}, yName));
  return {svg, toX, toY};
}

const figure = (caption, svg, ...more) => element("figure", {}, element("figcaption", {}, ...caption), svg, ...more);
const bold = text => element("b", {}, text);

/// The least range that holds all tallies, rounded up; rates stay within 0 and 1.
function range(outcome, tallies) {
  const values = tallies.flatMap(t => [t[1], ...(t[2] ?? [])]).filter(value => value !== null);
  if (values.length === 0) return [0, 1];
  let low = Math.min(...values), high = Math.max(...values);
  const margin = high > low ? 0.06 * (high - low) : isRate(outcome) ? 0.05 : Math.abs(high) * 0.05 || 1;
  low -= margin, high += margin;
  return isRate(outcome) ? [Math.max(0, low), Math.min(1, high)] : [low, high];
}

function histogram(outcome) {
  const {low, high, counts} = outcome.histogram, most = Math.max(...counts);
  const {svg, toX, toY} = chart({x: [low, high], y: [0, most * 1.05], xName: withUnit(outcome.name, outcome.unit), yName: "samples"});
  const step = (high - low) / counts.length;
  counts.forEach((count, i) => {
    const from = counts.length > 1 ? toX(low + i * step) : left, to = counts.length > 1 ? toX(low + (i + 1) * step) : width - right;
    const bar = element("rect", {class: "bar", x: from + 0.5, width: Math.max(to - from - 1, 0.5), y: toY(count), height: toY(0) - toY(count)});
    bar.append(element("title", {}, `${number(low + i * step)} to ${number(low + (i + 1) * step)}: ${commas(count)}`));
    svg.append(bar);
  });
  const caption = outcome.kind === "first_time" ? "Times, of the samples that reach it" : "Distribution of the valid samples";
  return figure([bold(caption)], svg);
}

function band(points, toX, toY) {
  const known = points.filter(([, t]) => t[2]);
  if (known.length < 2) return "";
  const edge = (k, list) => list.map(([at, t]) => `${toX(at)} ${toY(t[2][k])}`).join("L");
  return element("path", {class: "band", d: `M${edge(0, known)}L${edge(1, [...known].reverse())}Z`});
}

function convergence(outcome) {
  const points = outcome.convergence.filter(([, t]) => t[1] !== null);
  if (points.length < 2) return "";
  const [low, high] = range(outcome, points.map(([, t]) => t));
  const {svg, toX, toY} = chart({x: [points[0][0], points[points.length - 1][0]], y: [low, high], xName: "samples",
                                 yName: isRate(outcome) ? "rate" : "mean", logarithmic: true});
  svg.append(band(points, toX, toY));
  svg.append(element("path", {class: "line", d: "M" + points.map(([at, t]) => `${toX(at)} ${toY(t[1])}`).join("L")}));
  return figure([bold("Convergence"), " with its 95 % interval"], svg);
}

function curve(outcome, {name, unit, bins, cells, first_order: index, rank}) {
  const last = bins.high.length - 1, values = bins.low.every((low, i) => low === bins.high[i]);
  const margin = values ? 0.04 * (bins.high[last] - bins.low[0]) : 0;
  const {svg, toX, toY} = chart({x: [bins.low[0] - margin, bins.high[last] + margin], y: range(outcome, cells),
                                 xName: withUnit(name, unit), yName: isRate(outcome) ? "rate" : "mean"});
  cells.forEach((tally, i) => {
    if (tally[1] === null) return;
    const from = toX(bins.low[i]), to = toX(bins.high[i]), at = (from + to) / 2, y = toY(tally[1]);
    const mark = element("g", {}, element("title", {}, `${number(bins.low[i])} to ${number(bins.high[i])}: ` +
      `${estimate(outcome, tally[1])} ${interval(outcome, tally[2])}, ${commas(tally[0])} valid, ${commas(tally[3])} invalid`));
    mark.append(element("line", {class: "whisker", x1: from, x2: to, y1: y, y2: y}));
    if (tally[2]) mark.append(element("line", {class: "whisker", x1: at, x2: at, y1: toY(tally[2][0]), y2: toY(tally[2][1])}));
    mark.append(element("circle", {class: "dot", cx: at, cy: y, r: 2.6}));
    svg.append(mark);
  });
  const three = ([value, lower, upper]) => `${value.toFixed(2)} [${lower.toFixed(2)}, ${upper.toFixed(2)}]`;
  return figure([bold(name), element("br"), `index ${three(index)}, rank correlation ${three(rank)}`], svg);
}

/// Dark blue to yellow for 0 to 1.
function colour(share) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
  return `rgb(${stops[k].map((from, i) => Math.round(from + (at - k) * (stops[k + 1][i] - from))).join(",")})`;
}

/// Where the bins of an axis begin and end: values stand for themselves and their surroundings.
function edges({low, high}) {
  if (!low.every((value, i) => value === high[i])) return {from: low, to: high};
  const between = low.slice(1).map((value, i) => (value + low[i]) / 2), first = between[0] - low[0], last = low[low.length - 1];
  return {from: [low[0] - first, ...between], to: [...between, last + (last - between[between.length - 1])]};
}

function map(outcome, {x, y, x_bins, y_bins, cells}) {
  const h = 300, xs = edges(x_bins), ys = edges(y_bins), [fx, fy] = [outcome.curves[x], outcome.curves[y]];
  const {svg, toX, toY} = chart({x: [xs.from[0], xs.to[xs.to.length - 1]], y: [ys.from[0], ys.to[ys.to.length - 1]],
                                 xName: withUnit(fx.name, fx.unit), yName: withUnit(fy.name, fy.unit), h});
  const known = cells.map(t => t[1]).filter(value => value !== null), low = Math.min(...known), high = Math.max(...known);
  cells.forEach((tally, i) => {
    const bx = Math.floor(i / ys.from.length), by = i % ys.from.length;
    const from = toX(xs.from[bx]), to = toX(xs.to[bx]), upper = toY(ys.to[by]), lower = toY(ys.from[by]);
    const fill = tally[1] === null ? "#eee" : colour(high > low ? (tally[1] - low) / (high - low) : 0.5);
    const text = tally[1] === null ? "no valid sample" : `${estimate(outcome, tally[1])} ${interval(outcome, tally[2])}`;
    svg.append(element("rect", {x: from, y: upper, width: Math.max(to - from, 0.1), height: Math.max(lower - upper, 0.1), fill, "shape-rendering": "crispEdges"},
                       element("title", {}, `${text}, ${commas(tally[0])} valid, ${commas(tally[3])} invalid`)));
  });
  return [svg, legend(outcome, low, high)];
}

function legend(outcome, low, high) {
  const svg = element("svg", {viewBox: `0 0 ${width} 34`}), parts = 60, step = (width - left - right) / parts;
  for (let k = 0; k < parts; ++k)
    svg.append(element("rect", {x: left + k * step, y: 2, width: step + 0.3, height: 10, fill: colour((k + 0.5) / parts)}));
  const label = (x, anchor, text) => svg.append(element("text", {x, y: 26, "text-anchor": anchor}, text));
  label(left, "start", estimate(outcome, low)), label(width - right, "end", estimate(outcome, high));
  label((left + width - right) / 2, "middle", isRate(outcome) ? "rate" : "mean");
  return svg;
}

/// The map of two variables, and a list to choose others.
function maps(outcome) {
  if (outcome.maps.length === 0) return "";
  const list = element("select", {"aria-label": "variables of the map"});
  outcome.maps.forEach((one, i) =>
    list.append(element("option", {value: i}, `${outcome.curves[one.x].name} and ${outcome.curves[one.y].name}`)));
  const place = element("div"), draw = () => place.replaceChildren(...map(outcome, outcome.maps[list.value]));
  list.addEventListener("change", draw);
  draw();
  return figure([bold("Two variables: "), list], place);
}

function table(head, rows) {
  const row = (cells, name) => element("tr", {}, cells.map(cell => element(name, {}, cell)));
  return element("div", {class: "scroll"}, element("table", {}, row(head, "th"), rows.map(cells => row(cells, "td"))));
}

function outcomeTable() {
  const kinds = {truth: "rate", number: "mean", first_time: "rate reached"};
  return table(["outcome", "", "value", "95 % interval", "worst case", "median", "5 % to 95 %", "range", "invalid"],
    data.outcomes.map(o => [
      bold(o.name), kinds[o.kind], estimate(o, o.estimate), interval(o, o.interval), interval(o, o.worst),
      o.quantiles ? number(o.quantiles[2]) : "-", o.quantiles ? `${number(o.quantiles[0])} to ${number(o.quantiles[4])}` : "-",
      o.range ? `${number(o.range[0])} to ${number(o.range[1])}` : "-", commas(o.invalid)]));
}

function section(outcome) {
  const part = element("section", {}, element("h2", {}, outcome.name), element("p", {class: "soft"}, outcome.meaning));
  part.append(element("div", {class: "charts"}, outcome.histogram ? histogram(outcome) : "", convergence(outcome), maps(outcome)));
  if (outcome.curves.length > 0)
    part.append(element("h3", {}, `${isRate(outcome) ? "Rate" : "Mean"} against each variable, by what explains most`),
                element("div", {class: "charts"}, outcome.curves.map(one => curve(outcome, one))));
  return part;
}

/// The folder of the sweep: where this page is, unless the page was written elsewhere.
const folder = data.folder || decodeURIComponent(location.pathname).replace(/\/[^/]*$/, "");
const word = text => /^[\w\-+=:,./@%]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function show() {
  const title = data.title || folder.replace(/^.*\//, "");
  document.title = `${title} - jostle report`;
  const page = document.getElementById("page"), h = number(data.step);
  page.replaceChildren(element("h1", {}, title),
    element("p", {class: "soft"}, `${commas(data.samples)} samples, ${commas(data.steps)} steps of ${h} s, ` +
      `${data.method}, sampler ${data.sampler}, seed ${data.seed}`), outcomeTable(),
    element("p", {class: "soft"}, "Intervals are 95 % and assume independent samples" +
      (data.sampler === "sobol" ? "; for Sobol samples they are conservative." : ".") +
      " Worst case: all invalid samples counted as false, then as true." +
      (data.charted < data.samples ? ` Charts show the first ${commas(data.charted)} samples.` : "")));
  const reasons = data.statuses.some(s => s.reason);
  page.append(table(["status", "samples", "replay the first"].concat(reasons ? ["what is wrong with it"] : []),
    data.statuses.map(s => [s.name, commas(s.samples), element("code", {}, `jostle run ${word(folder)} --sample ${s.first_sample}`)]
      .concat(reasons ? [s.reason || ""] : []))));
  page.append(element("p", {class: "soft"}, "At worst: " + data.worst.map(w =>
    `${w.what} ${number(w.value, 2)}${w.unit ? " " + w.unit : ""}` + (w.sample >= 0 ? ` (sample ${w.sample})` : "")).join(", ") + "."));
  data.outcomes.forEach(outcome => page.append(section(outcome)));
}

show();
