// Draws report.html from its data. A tally is [valid, estimate, [lower, upper], invalid].
/// As rate_text() in drivers/text.hpp.
function rateText(rate) {
  const least = Math.min(rate, 1 - rate), isRare = least > 1e-15 && least < 1e-4;
  return rate.toFixed(isRare ? Math.min(100, 1 - Math.floor(Math.log10(least))) : 4);
}
const isRate = outcome => outcome.kind !== "number";
const estimate = (outcome, value) => value === null ? "-" : isRate(outcome) ? rateText(value) : number(value, 6);
/// What the axis of an estimate says.
const estimateName = outcome => isRate(outcome) ? "rate" : {name: "mean", unit: outcome.unit};
const nameOf = outcome => outcome.label || outcome.name;
const interval = (outcome, pair) => pair ? `[${estimate(outcome, pair[0])}, ${estimate(outcome, pair[1])}]` : "-";
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

/// Of a bin, or of the one value in it.
const spanText = (low, high) => low === high ? number(low) : `${number(low)} to ${number(high)}`;
const samplesText = count => `${commas(count)} sample${count === 1 ? "" : "s"}`, validText = count => `${commas(count)} valid sample${count === 1 ? "" : "s"}`;

function histogram(outcome) {
  const {edges, counts, logarithmic} = outcome.histogram, most = Math.max(...counts), low = edges[0], high = edges[counts.length];
  const {svg, toX, toY} = chart({x: [low, high], y: [0, most * 1.05], xName: outcome, yName: "samples", logarithmic: {x: logarithmic},
                                 yTicks: ticks(0, most * 1.05).filter(Number.isInteger)});
  const isOneValue = !(high > low);
  counts.forEach((count, i) => {
    const from = isOneValue ? toX(low) - 20 : toX(edges[i]), to = isOneValue ? toX(low) + 20 : toX(edges[i + 1]);
    const bar = element("rect", {class: "bar", x: from + 0.5, width: Math.max(to - from - 1, 0.5), y: toY(count), height: toY(0) - toY(count)});
    bar.append(element("title", {}, `${spanText(edges[i], edges[i + 1])}: ${commas(count)}`));
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
                                 yName: estimateName(outcome), logarithmic: {x: true}});
  svg.append(band(points, toX, toY));
  svg.append(element("path", {class: "line", d: "M" + points.map(([at, t]) => `${toX(at)} ${toY(t[1])}`).join("L")}));
  return figure([bold("Convergence"), " with its 95 % interval"], svg);
}

function curve(outcome, {name, label, unit, bins, cells, first_order: index, rank}) {
  const first = bins.low[0], last = bins.high[bins.high.length - 1], values = bins.low.every((low, i) => low === bins.high[i]);
  const isLog = isLogarithmic(bins), margin = values ? 0.04 : 0, beyond = isLog ? (last / first) ** margin : margin * (last - first);
  const {svg, toX, toY} = chart({x: isLog ? [first / beyond, last * beyond] : [first - beyond, last + beyond], y: range(outcome, cells),
                                 xName: {name, label, unit}, yName: estimateName(outcome), logarithmic: {x: isLog}});
  cells.forEach((tally, i) => {
    if (tally[1] === null) return;
    const from = toX(bins.low[i]), to = toX(bins.high[i]), at = (from + to) / 2, y = toY(tally[1]);
    const mark = element("g", {}, element("title", {}, `${spanText(bins.low[i], bins.high[i])}: ` +
      `${estimate(outcome, tally[1])} ${interval(outcome, tally[2])}, ${commas(tally[0])} valid, ${commas(tally[3])} invalid`));
    mark.append(element("line", {class: "whisker", x1: from, x2: to, y1: y, y2: y}));
    if (tally[2]) mark.append(element("line", {class: "whisker", x1: at, x2: at, y1: toY(tally[2][0]), y2: toY(tally[2][1])}));
    mark.append(element("circle", {class: "dot", cx: at, cy: y, r: 2.6}));
    svg.append(mark);
  });
  const two = value => value.toFixed(2).replace(/^-(0\.00)$/, "$1"), three = ([value, lower, upper]) => `${two(value)} [${two(lower)}, ${two(upper)}]`;
  return figure([bold(name), element("br"), ...parts(`index ${three(index)},`, `rank correlation ${three(rank)}`)], svg);
}

/// Dark blue to yellow for 0 to 1.
function colour(share) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
  return `rgb(${stops[k].map((from, i) => Math.round(from + (at - k) * (stops[k + 1][i] - from))).join(",")})`;
}

/// Where the bins of an axis begin and end: values stand for themselves and their surroundings.
function edges({low, high}, isLog) {
  if (!low.every((value, i) => value === high[i])) return {from: low, to: high};
  const [into, out] = isLog ? [Math.log, Math.exp] : [value => value, value => value], at = low.map(into), last = at.length - 1;
  const between = at.slice(1).map((value, i) => (value + at[i]) / 2);
  return {from: [2 * at[0] - between[0], ...between].map(out), to: [...between, 2 * at[last] - between[last - 1]].map(out)};
}

function map(outcome, {x, y, x_bins, y_bins, cells}) {
  const h = 300, logarithmic = {x: isLogarithmic(x_bins), y: isLogarithmic(y_bins)}, [fx, fy] = [outcome.curves[x], outcome.curves[y]];
  const xs = edges(x_bins, logarithmic.x), ys = edges(y_bins, logarithmic.y);
  const {svg, toX, toY, left} = chart({x: [xs.from[0], xs.to[xs.to.length - 1]], y: [ys.from[0], ys.to[ys.to.length - 1]],
                                       xName: fx, yName: fy, h, logarithmic});
  const known = cells.map(t => t[1]).filter(value => value !== null), low = Math.min(...known), high = Math.max(...known);
  cells.forEach((tally, i) => {
    const bx = Math.floor(i / ys.from.length), by = i % ys.from.length;
    const from = toX(xs.from[bx]), to = toX(xs.to[bx]), upper = toY(ys.to[by]), lower = toY(ys.from[by]);
    const fill = tally[1] === null ? "#eee" : colour(high > low ? (tally[1] - low) / (high - low) : 0.5);
    const place = `${spanText(x_bins.low[bx], x_bins.high[bx])}, ${spanText(y_bins.low[by], y_bins.high[by])}: `;
    const text = place + (tally[1] === null ? "no valid sample" : `${estimate(outcome, tally[1])} ${interval(outcome, tally[2])}`);
    svg.append(element("rect", {x: from, y: upper, width: Math.max(to - from, 0.1), height: Math.max(lower - upper, 0.1), fill, stroke: fill, "stroke-width": 0.3, "shape-rendering": "crispEdges"},
                       element("title", {}, `${text}, ${commas(tally[0])} valid, ${commas(tally[3])} invalid`)));
  });
  return [svg, legend(outcome, known, left)];
}

/// What the colours of a map of these estimates stand for.
function legend(outcome, known, left) {
  if (known.length === 0) return "";
  const low = Math.min(...known), high = Math.max(...known);
  const svg = element("svg", {viewBox: `0 0 ${width} 34`}), parts = high > low ? 60 : 1, end = width - right, step = (end - left) / parts;
  for (let k = 0; k < parts; ++k)  // each up to the end, so that no seams are seen
    svg.append(element("rect", {x: left + k * step, y: 2, width: end - left - k * step, height: 10, fill: colour((k + 0.5) / parts), "shape-rendering": "crispEdges"}));
  const label = (x, anchor, text) => svg.append(element("text", {x, y: 26, "text-anchor": anchor}, text));
  if (high > low) label(left, "start", estimate(outcome, low)), label(end, "end", estimate(outcome, high));
  label((left + end) / 2, "middle", axisName(estimateName(outcome), 100) + (high > low ? "" : ` ${estimate(outcome, low)} everywhere`));
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
  return figure([bold(`${nameOf(outcome)} by two variables: `), list], place);
}

function table(head, rows, name = "") {
  const row = (cells, name) => element("tr", {}, cells.map(cell => element(name, {}, cell)));
  return element("div", {class: "scroll"}, element("table", {class: name}, row(head, "th"), rows.map(cells => row(cells, "td"))));
}

/// Parts of a cell, each of which stays in one line.
const whole = text => element("span", {class: "whole"}, text);
const parts = (...texts) => texts.filter(text => text && text !== "-").flatMap((text, i) => [i ? " " : "", whole(text)]);
const orDash = cell => cell.length ? cell : "-";

/// The categorical outcome that an outcome is a category of, or none.
const categoryOf = outcome => Object.keys(data.categories).find(name => outcome.name in data.categories[name].shares);

/// Of the outcomes that are no categories, which have a table of their own.
function outcomeTable() {
  const shown = data.outcomes.filter(o => !categoryOf(o));
  if (shown.length === 0) return "";
  const kinds = {truth: "rate", number: "mean", first_time: "rate reached"};
  const between = (low, high) => `${number(low)} to ${number(high)}`;
  return table(["outcome", "value, 95 % interval", "worst case", "median, 5 % to 95 %", "range", "invalid"],
    shown.map(o => [
      element("div", {class: "called"}, element("a", {href: `#${o.name}`}, nameOf(o)), element("div", {class: "soft"}, kinds[o.kind] + (o.unit && o.kind === "number" ? `, ${o.unit}` : ""))),
      orDash(parts(estimate(o, o.estimate), interval(o, o.interval))), orDash(parts(interval(o, o.worst))),
      o.quantiles ? parts(number(o.quantiles[2]), `(${between(o.quantiles[0], o.quantiles[4])})`) : "-",
      o.range ? parts(between(o.range[0], o.range[1])) : "-", commas(o.invalid)]), "outcomes");
}

/// Exclusive outcomes: shares whose intervals hold together, and the test of all.
function categories() {
  return Object.entries(data.categories).map(([name, {shares, count, unmatched, several, chi_square, degrees, p}]) => {
    const part = element("div", {class: "categories"}, element("h3", {}, `${name}: exclusive outcomes of ${validText(count)}, intervals that hold together with 95 %`),
      table(["category", "share", "95 % interval", "expected"], Object.entries(shares).map(([category, one]) => [
        element("div", {class: "called"}, element("a", {href: `#${category}`}, category)), rateText(one.share), `[${rateText(one.lower)}, ${rateText(one.upper)}]`, rateText(one.expected)])),
      element("p", {}, `Chi-square ${chi_square === null ? "infinite (a share that is expected to be 0 is not)" : number(chi_square, 4)} against the expected shares, ${degrees} degree${degrees === 1 ? "" : "s"} of freedom: p = ${number(p, 3)}.`));
    if (unmatched + several > 0)
      part.append(element("p", {}, `Of ${samplesText(count)} ${commas(unmatched)} have no category and ${commas(several)} more than one, so neither intervals nor test mean anything.`));
    return part;
  });
}

/// With the digits of the table.
const percent = rate => `${Number((100 * Number(rateText(rate))).toPrecision(12))}\u00a0%`;

/// The most frequent categories, and whether the shares are as expected.
function categorySentence(name) {
  const {shares, count, unmatched, several, p} = data.categories[name], most = Object.entries(shares).sort((a, b) => b[1].share - a[1].share);
  const part = element("p", {class: "sentence"}, bold(name)), few = most.slice(0, 3);
  if (count === 0) return part.append(": no valid sample."), part;
  part.append(` is ${few.map(([category, one]) => `${category} in ${percent(one.share)}`).join(", ")} of ${validText(count)}` +
              (most.length > few.length ? `, and one of ${most.length - few.length} others in the rest.` : "."));
  if (unmatched + several === 0) part.append(p < 0.05 ? ` The expected shares do not fit (p = ${number(p, 2)}).` : ` The expected shares may be right (p = ${number(p, 2)}).`);
  return part;
}

/// What came of an outcome, and what has most to do with it.
function sentence(outcome) {
  const part = element("p", {class: "sentence"}, bold(nameOf(outcome))), unit = outcome.unit ? `\u00a0${outcome.unit}` : "";
  if (outcome.estimate === null) return part.append(": no valid sample."), part;
  if (isRate(outcome)) {
    part.append(` ${outcome.kind === "truth" ? "holds" : "is reached"} in ${percent(outcome.estimate)} of ${validText(outcome.count)}` +
                (outcome.interval ? ` (95\u00a0%: ${percent(outcome.interval[0])} to ${percent(outcome.interval[1])}).` : "."));
  } else if (outcome.range[0] === outcome.range[1]) {
    part.append(` is ${number(outcome.estimate)}${unit} in ${outcome.count === 1 ? "the one valid sample" : `all ${validText(outcome.count)}`}.`);
  } else {
    part.append(` is ${number(outcome.estimate)}${unit} on average of ${validText(outcome.count)}` +
                (outcome.interval ? ` (95\u00a0%: ${number(outcome.interval[0])} to ${number(outcome.interval[1])}${unit}).` : "."));
    const [low, high] = [0, 4].map(k => outcome.quantiles ? number(outcome.quantiles[k]) : "");
    if (low !== high) part.append(` At least nine of ten lie between ${low} and ${high}${unit}.`);
  }
  const [most] = outcome.curves;
  if (most && most.first_order[1] > 0) {
    const name = most.label || most.name, way = most.rank[1] > 0.1 ? `, and mostly rises with ${name}` : most.rank[2] < -0.1 ? `, and mostly falls as ${name} rises` : "";
    part.append(` It depends most on ${name}, which alone explains ${number(100 * most.first_order[0], 2)}\u00a0% of its variance${way}.`);
  }
  return part;
}

const shareName = "share of the variance explained alone";
/// How much of an outcome each variable explains alone.
function ranking(outcome) {
  const rows = outcome.curves.slice(0, 8).map(one => ({...one, text: axisName(one.label || one.name, 190)})), line = 22, h = rows.length * line + bottom + top_;
  if (rows.length === 0) return "";
  const from = Math.max(100, 10 + Math.max(...rows.map(one => widthOf(one.text, 11))));
  const svg = element("svg", {viewBox: `0 0 ${width} ${h}`, role: "img"});
  const toX = scale(0, Math.max(0.05, ...rows.map(one => Math.min(1, one.first_order[2]))), from, width - right);
  const shown = value => toX(Math.max(0, value));
  for (const value of ticks(0, Math.max(0.05, ...rows.map(one => Math.min(1, one.first_order[2]))), 4)) {
    svg.append(element("line", {class: "grid", x1: toX(value), x2: toX(value), y1: top_, y2: h - bottom}),
               element("text", {x: toX(value), y: h - bottom + 17, "text-anchor": "middle"}, number(value, 3)));
  }
  rows.forEach(({name, text, first_order: [value, low, high]}, i) => {
    const y = top_ + i * line, middle = y + line / 2;
    svg.append(element("text", {x: from - 6, y: middle + 4, "text-anchor": "end"}, text, element("title", {}, name)),
               element("rect", {class: "bar", x: from, y: y + 4, width: Math.max(0.5, shown(value) - from), height: line - 8}),
               element("line", {class: "whisker", x1: shown(low), x2: shown(Math.min(1, high)), y1: middle, y2: middle}));
  });
  svg.append(element("path", {class: "axis", d: `M${from} ${top_}V${h - bottom}H${width - right}`}),
             element("text", {class: "name", x: Math.min((from + width - right) / 2, width - widthOf(shareName, 12) / 2), y: h - 6, "text-anchor": "middle"}, shareName));
  return figure([bold("What explains "), bold(nameOf(outcome))], svg);
}

/// A recorded quantity: samples as thin lines, their median, and what lies between 5 % and 95 % of them.
function recorded({x, y, samples, lines, points}) {
  const xs = points.map(p => p[0]).concat(lines.flatMap(line => line.x)), ys = points.flatMap(p => p.slice(2)).concat(lines.flatMap(line => line.y));
  const low = Math.min(...ys), high = Math.max(...ys), margin = high > low ? 0.04 * (high - low) : Math.abs(high) * 0.05 || 1;
  const {svg, toX, toY} = chart({x: [Math.min(...xs), Math.max(...xs)], y: [low - margin, high + margin], xName: x, yName: y});
  const several = points.filter(p => p[1] > 1);
  if (several.length > 1) {
    const edge = (k, list) => list.map(p => `${toX(p[0])} ${toY(p[k])}`).join("L");
    svg.append(element("path", {class: "band", d: `M${edge(2, several)}L${edge(4, [...several].reverse())}Z`}));
  }
  for (const line of lines)
    svg.append(element("path", {class: "thin", d: pathOf(line.x.map((at, i) => [at, line.y[i]]), toX, toY)}, element("title", {}, `sample ${line.sample}`)));
  svg.append(element("path", {class: "line", d: pathOf(points.map(p => [p[0], p[3]]), toX, toY)}));
  const caption = samples > 1 ? ` median and 5 % to 95 % of ${commas(samples)} samples; ${lines.length} of them as thin lines` : "";
  return figure([bold(`${y.label || y.name} over ${x.label || x.name}`), caption], svg);
}

/// The mechanism at the start: with WebGL as an image, which prints, too; else its sides.
function picture() {
  if (!data.motions) return "";
  const canvas = element("canvas", {style: "width: 700px; height: 400px"}), place = figure([bold("At the start"), ` sample ${data.motions[0].sample}`], canvas);
  byId("page").append(place);
  placeCamera();
  const stage = new Stage(data.motions[0], canvas);
  place.className = "picture";
  if (!stage.renderer) {
    const [side, , above] = stage.sides(0, {joints: true, arrows: false});
    canvas.replaceWith(data.planar ? side : element("div", {class: "sides"}, side, above));
    return place;
  }
  stage.draw(0, {joints: true, arrows: false});
  canvas.replaceWith(element("img", {class: "mechanism", src: canvas.toDataURL("image/png"), alt: "the mechanism at the start"}));
  return place;
}

/// The first page: what the sweep has shown.
function summary() {
  const charts = element("div", {class: "charts"}), first = new Map();  // a sentence for each outcome, one for all categories
  for (const outcome of data.outcomes.slice(0, 1)) charts.append(ranking(outcome), maps(outcome));
  for (const outcome of data.outcomes) first.set(categoryOf(outcome) ?? outcome, outcome);
  const sentences = [...first].slice(0, 3).map(([key, outcome]) => key === outcome ? sentence(outcome) : categorySentence(key));
  return element("div", {class: "summary"}, element("div", {class: "first"}, picture(), element("div", {}, sentences)),
    outcomeTable(), ...categories(), charts);
}

function section(outcome) {
  const head = element("div", {class: "head"}, element("h2", {}, nameOf(outcome)),
                       element("p", {class: "soft"}, (outcome.label ? `${outcome.name}: ` : "") + outcome.meaning));
  const part = element("section", {id: outcome.name}, head), isFirst = outcome === data.outcomes[0];
  part.append(element("div", {class: "charts"}, outcome.histogram ? histogram(outcome) : "", convergence(outcome),
                      isFirst ? "" : ranking(outcome), isFirst ? "" : maps(outcome)));
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
    element("p", {class: "soft"}, `${samplesText(data.samples)}, ${commas(data.steps)} step${data.steps === 1 ? "" : "s"} of ${h} s, ` +
      `${data.method}, sampler ${data.sampler}, seed ${data.seed}`));
  const first = summary();
  page.append(first, element("p", {class: "soft"}, "Intervals are 95 % and assume independent samples" +
      (data.sampler === "sobol" ? "; for Sobol samples they are conservative." : ".") +
      " Worst case: all invalid samples counted as false, then as true." +
      (data.charted < data.samples ? ` Charts show the first ${commas(data.charted)} samples.` : "")));
  const reasons = data.statuses.some(s => s.reason);
  page.append(table(["status", "samples", "replay the first"].concat(reasons ? ["what is wrong with it"] : []),
    data.statuses.map(s => [whole(s.name), commas(s.samples), element("code", {}, `jostle run ${word(folder)} `, whole(`--sample ${s.first_sample}`))]
      .concat(reasons ? [s.reason || ""] : []))));
  page.append(element("p", {class: "soft"}, "At worst: " + data.worst.map(w =>
    `${w.what} ${number(w.value, 2)}${w.unit ? " " + w.unit : ""}` + (w.sample >= 0 ? ` (sample ${w.sample})` : "")).join(", ") + "."));
  if (data.recorded.length > 0)
    page.append(element("section", {}, element("h2", {}, "Recorded quantities"), element("div", {class: "charts"}, data.recorded.map(recorded))));
  data.outcomes.forEach(outcome => page.append(section(outcome)));
}

show();
