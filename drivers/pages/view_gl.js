// Shaded triangles by WebGL 1.
const vertexProgram = `
attribute vec3 point, normal;
uniform mat4 place, camera;
varying vec3 seenNormal, local, side;
void main() {
  seenNormal = mat3(place) * normal;
  local = point;
  side = normal;
  gl_Position = camera * place * vec4(point, 1.0);
}`;
const fragmentProgram = `
precision highp float;
uniform vec3 colour, light, background;
uniform float check, extent, plain, faces;
varying vec3 seenNormal, local, side;
void main() {
  if (check > 0.0) {  // a plane: a chequerboard that fades out
    vec2 cell = floor(local.xy / check);
    float odd = mod(cell.x + cell.y, 2.0);
    float far = clamp(length(local.xy) / extent, 0.0, 1.0);
    gl_FragColor = vec4(mix(mix(vec3(0.80, 0.83, 0.86), vec3(0.72, 0.76, 0.80), odd), background, far * far), 1.0);
    return;
  }
  vec3 n = normalize(gl_FrontFacing ? seenNormal : -seenNormal);
  float lit = 0.64 + 0.30 * max(dot(n, light), 0.0) + 0.14 * n.z;
  // Lighter (above 0) or darker: another shade for each of the six sides, as of heads and tails; eighths of round shapes.
  vec3 size = abs(side);
  float tone = 0.0;
  if (faces > 1.5) tone = local.x * local.y * local.z > 0.0 ? 0.0 : 0.22;
  else if (faces > 0.5) tone = size.z >= max(size.x, size.y) ? (side.z > 0.0 ? 0.38 : -0.30)
                             : size.y >= size.x ? (side.y > 0.0 ? 0.20 : -0.16) : (side.x > 0.0 ? 0.06 : -0.06);
  vec3 shade = tone > 0.0 ? mix(colour, vec3(1.0), tone) : (1.0 + tone) * colour;
  gl_FragColor = vec4(mix(shade * lit, colour, plain), 1.0);
}`;
const background = [0.933, 0.949, 0.965];

/// Draws meshes on a canvas; null where there is no WebGL.
function makeRenderer(canvas) {
  const gl = canvas.getContext("webgl", {antialias: true, preserveDrawingBuffer: true});
  if (!gl) return null;
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertexProgram], [gl.FRAGMENT_SHADER, fragmentProgram]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source), gl.compileShader(shader), gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  const at = name => gl.getUniformLocation(program, name);
  const uniforms = Object.fromEntries(["place", "camera", "colour", "light", "background", "check", "extent", "plain", "faces"].map(n => [n, at(n)]));
  const buffer = list => {
    const made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(list.flat()), gl.STATIC_DRAW);
    return made;
  };
  const bind = (name, from) => {
    const place = gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, from);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  };
  return {
    load: mesh => ({count: mesh.points.length, points: buffer(mesh.points), normals: buffer(mesh.normals)}),
    begin(camera, light) {
      const ratio = window.devicePixelRatio || 1;
      const w = Math.round(canvas.clientWidth * ratio), h = Math.round(canvas.clientHeight * ratio);
      if (canvas.width !== w || canvas.height !== h) canvas.width = w, canvas.height = h;
      gl.viewport(0, 0, w, h);
      gl.clearColor(...background, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.uniformMatrix4fv(uniforms.camera, false, camera);
      gl.uniform3fv(uniforms.light, light);
      gl.uniform3fv(uniforms.background, background);
    },
    draw(mesh, place, colour, {check = 0, extent = 1, faces = 0, onTop = false} = {}) {
      if (onTop) gl.disable(gl.DEPTH_TEST);
      bind("point", mesh.points), bind("normal", mesh.normals);
      gl.uniformMatrix4fv(uniforms.place, false, place);
      gl.uniform3fv(uniforms.colour, colour);
      gl.uniform1f(uniforms.check, check), gl.uniform1f(uniforms.extent, extent), gl.uniform1f(uniforms.plain, onTop ? 1 : 0), gl.uniform1f(uniforms.faces, faces);
      gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
    }
  };
}
