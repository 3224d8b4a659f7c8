// Without WebGL: outlines from three sides, as SVG. Outlines are convex hulls, but those of polygons that
// are seen along their normal.
function svgElement(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/// Counter-clockwise (Andrew's monotone chain).
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = list => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/// One side: axes `across` and `up` of the world are shown, the third one is the depth.
function drawSide({across, up, toward, centre, radius, items, arrows, lines}) {
  const size = 380, left = 56, bottom = 44, inner = size - left - 12, base = size - bottom;
  const scale = Math.min(inner, base - 12) / (2 * radius), names = "xyz";
  const toX = value => left + inner / 2 + (value - centre[across]) * scale;
  const toY = value => (base + 12) / 2 - (value - centre[up]) * scale;
  const svg = svgElement("svg", {viewBox: `0 0 ${size} ${size}`});
  const clip = `clip-${across}${up}`;
  svg.append(svgElement("clipPath", {id: clip}, svgElement("rect", {x: left, y: 12, width: inner, height: base - 12})));
  const step = roundBelow(radius / 2), label = value => shortNumber(Math.abs(value) < step * 1e-9 ? 0 : value);
  for (let k = Math.ceil((centre[across] - radius) / step); k * step <= centre[across] + radius; ++k) {
    const x = toX(k * step);
    svg.append(svgElement("line", {class: "grid", x1: x, x2: x, y1: 12, y2: base}),
               svgElement("text", {x, y: base + 16, "text-anchor": "middle"}, label(k * step)));
  }
  for (let k = Math.ceil((centre[up] - radius) / step); k * step <= centre[up] + radius; ++k) {
    const y = toY(k * step);
    svg.append(svgElement("line", {class: "grid", x1: left, x2: left + inner, y1: y, y2: y}),
               svgElement("text", {x: left - 6, y: y + 4, "text-anchor": "end"}, label(k * step)));
  }
  const group = svgElement("g", {"clip-path": `url(#${clip})`});
  for (const item of [...items].sort((a, b) => toward * (a.depth[3 - across - up] - b.depth[3 - across - up]))) {
    const drawn = p => [toX(p[across]), toY(p[up])], isFlat = item.outline?.every(p => Math.abs(p[3 - across - up] - item.outline[0][3 - across - up]) < 1e-5 * radius);
    const outline = isFlat ? item.outline.map(drawn) : hull(item.points.map(drawn));
    group.append(svgElement("polygon", {points: outline.map(p => p.join(",")).join(" "), fill: item.fill, stroke: "#33414f", "stroke-width": 0.8}));
  }
  for (const {from, to, kind} of lines) {
    const stroke = kind === "spring" ? "#1a7a5c" : kind === "limit" ? "#d96b0d" : "#29333f", ends = [from, to].map(p => [toX(p[across]), toY(p[up])]);
    group.append(svgElement("polyline", {points: ends.map(p => p.join(",")).join(" "), stroke, "stroke-width": 1.4, fill: "none"}));
    if (kind !== "limit" && kind !== "needle") for (const [cx, cy] of ends) group.append(svgElement("circle", {cx, cy, r: 2.2, fill: stroke}));
  }
  for (const {from, to} of arrows) {
    const [x1, y1, x2, y2] = [toX(from[across]), toY(from[up]), toX(to[across]), toY(to[up])];
    group.append(svgElement("line", {x1, y1, x2, y2, stroke: "#c62828", "stroke-width": 1.6}),
                 svgElement("circle", {cx: x1, cy: y1, r: 2.4, fill: "#c62828"}));
  }
  svg.append(group, svgElement("path", {class: "axis", d: `M${left} 12V${base}H${left + inner}`}),
             svgElement("text", {class: "name", x: left + inner / 2, y: size - 8, "text-anchor": "middle"}, `${names[across]} (m)`),
             svgElement("text", {class: "name", "text-anchor": "middle", transform: `translate(14 ${(base + 12) / 2}) rotate(-90)`}, `${names[up]} (m)`));
  return svg;
}
