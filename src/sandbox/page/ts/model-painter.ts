// Paints a 3D model into a canvas with WebGL: its colours and pictures under one lamp at the viewer.

import { NotShown, type Part } from './glb.ts'
import { type Matrix, moved, multiply, perspective, turned, type Vector } from './matrices.ts'

const vertexShader = `#version 300 es
uniform mat4 view, projection;
in vec3 point, normal;
in vec2 coordinate;
out vec3 seen, facing;
out vec2 place;
void main() {
  vec4 at = view * vec4(point, 1.0);
  seen = at.xyz;
  facing = mat3(view) * normal;
  place = coordinate;
  gl_Position = projection * at;
}`

const fragmentShader = `#version 300 es
precision highp float;
uniform vec3 colour;
uniform sampler2D picture;
uniform bool pictured;
in vec3 seen, facing;
in vec2 place;
out vec4 result;
void main() {
  vec3 direction = length(facing) > 0.001 ? normalize(facing) : normalize(cross(dFdx(seen), dFdy(seen)));
  float light = 0.35 + 0.65 * abs(dot(direction, normalize(vec3(0.3, 0.5, 1.0))));
  vec3 paint = pictured ? colour * texture(picture, place).rgb : pow(colour, vec3(1.0 / 2.2));
  result = vec4(paint * light, 1.0);
}`

interface Turn {
  readonly yaw: number
  readonly pitch: number
  readonly zoom: number
}

export interface ModelPainter {
  paint(turn: Turn): void
  destroy(): void
}

interface Ball {
  readonly centre: Vector
  readonly radius: number
}

function ballAround(parts: readonly Part[]): Ball {
  const least = [Infinity, Infinity, Infinity]
  const most = [-Infinity, -Infinity, -Infinity]
  for (const { points } of parts) {
    for (const [n, value] of points.entries()) {
      least[n % 3] = Math.min(least[n % 3] ?? 0, value)
      most[n % 3] = Math.max(most[n % 3] ?? 0, value)
    }
  }
  const middle = (n: number) => ((least[n] ?? 0) + (most[n] ?? 0)) / 2
  const radius = Math.hypot(...most.map((one, n) => one - middle(n)))
  return { centre: [middle(0), middle(1), middle(2)], radius: radius || 1 }
}

/** @throws NotShown if the browser has no WebGL */
export async function createModelPainter(canvas: HTMLCanvasElement, parts: Part[]): Promise<ModelPainter> {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: true, preserveDrawingBuffer: true })
  if (!gl) throw new NotShown('no WebGL')
  const program = programOf(gl)
  const painted = await Promise.all(parts.map((part) => upload(gl, program, part)))
  const { centre, radius } = ballAround(parts)
  const toCentre = moved([-centre[0], -centre[1], -centre[2]])
  gl.enable(gl.DEPTH_TEST)
  const set = (name: string, matrix: Matrix) =>
    gl.uniformMatrix4fv(gl.getUniformLocation(program, name), false, matrix)

  return {
    paint({ yaw, pitch, zoom }) {
      fitToScreen(canvas, gl)
      const distance = (radius * 2.8) / zoom
      const view = multiply(moved([0, 0, -distance]), multiply(turned(yaw, pitch), toCentre))
      const near = Math.max(distance - radius * 1.5, radius / 100)
      set('view', view)
      set('projection', perspective(canvas.width / canvas.height, near, distance + radius * 1.5))
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
      for (const draw of painted) draw()
    },
    destroy: () => gl.getExtension('WEBGL_lose_context')?.loseContext(),
  }
}

function fitToScreen(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext): void {
  const scale = Math.min(devicePixelRatio, 2)
  const [width, height] = [canvas.clientWidth * scale || 300, canvas.clientHeight * scale || 300].map(
    Math.round,
  )
  if (width === undefined || height === undefined || (canvas.width === width && canvas.height === height))
    return
  canvas.width = width
  canvas.height = height
  gl.viewport(0, 0, width, height)
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram()
  const shaders = [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const
  for (const [kind, source] of shaders) {
    const shader = gl.createShader(kind)
    if (!shader) throw new NotShown('the WebGL context is lost')
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS))
    throw new NotShown(gl.getProgramInfoLog(program) ?? '')
  gl.useProgram(program)
  return program
}

/** Uploads a part. @returns a function that draws it */
async function upload(gl: WebGL2RenderingContext, program: WebGLProgram, part: Part): Promise<() => void> {
  const texture = part.picture && textureOf(gl, await createImageBitmap(part.picture))
  const array = gl.createVertexArray()
  gl.bindVertexArray(array)
  const give = (name: string, values: Float32Array, size: number) => {
    const at = gl.getAttribLocation(program, name)
    if (at < 0) return
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0)
  }
  give('point', part.points, 3)
  give('normal', part.normals, 3)
  give('coordinate', part.coordinates, 2)
  const [red = 1, green = 1, blue = 1] = part.colour
  return () => {
    gl.bindVertexArray(array)
    gl.bindTexture(gl.TEXTURE_2D, texture ?? null)
    gl.uniform3f(gl.getUniformLocation(program, 'colour'), red, green, blue)
    gl.uniform1i(gl.getUniformLocation(program, 'pictured'), texture ? 1 : 0)
    gl.drawArrays(gl.TRIANGLES, 0, part.points.length / 3)
  }
}

function textureOf(gl: WebGL2RenderingContext, image: ImageBitmap): WebGLTexture {
  const texture = gl.createTexture()
  gl.bindTexture(gl.TEXTURE_2D, texture)
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image)
  gl.generateMipmap(gl.TEXTURE_2D)
  return texture
}
