// A cube in each of the 3D formats other than GLB.

import { zipOf } from './zip.ts'

const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 1, (n >> 1) & 1, n >> 2] as const)
/** The four corners of each face, counter-clockwise seen from outside. */
const faces = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const
const triangles = faces.flatMap(([a, b, c, d]) => [[a, b, c] as const, [a, c, d] as const])

const lines = (...all: readonly string[]): Buffer => Buffer.from(`${all.join('\n')}\n`)

export const obj = lines(
  '# A cube of the sandbox',
  'mtllib cube.mtl',
  'o cube',
  ...corners.map((corner) => `v ${corner.join(' ')}`),
  'usemtl wood',
  ...faces.map((face) => `f ${face.map((corner) => corner + 1).join(' ')}`),
)

export const mtl = lines('newmtl wood', 'Kd 0.8 0.6 0.4')

const at = (corner: number): string => (corners[corner] ?? []).join(' ')

export const stl = lines(
  'solid cube',
  ...triangles.flatMap((triangle) => [
    'facet normal 0 0 0',
    'outer loop',
    ...triangle.map((corner) => `vertex ${at(corner)}`),
    'endloop',
    'endfacet',
  ]),
  'endsolid cube',
)

export const fbx = lines(
  '; FBX 7.4.0 project file',
  'FBXHeaderExtension:  {',
  '  FBXHeaderVersion: 1003',
  '  FBXVersion: 7400',
  '}',
  'Objects:  {',
  '  Geometry: 1, "Geometry::cube", "Mesh" {',
  `    Vertices: *24 { a: ${corners.flat().join(',')} }`,
  // The last index of a face is stored as its bitwise complement.
  `    PolygonVertexIndex: *24 { a: ${faces.flatMap(([a, b, c, d]) => [a, b, c, ~d]).join(',')} }`,
  '    GeometryVersion: 124',
  '  }',
  '  Model: 2, "Model::cube", "Mesh" { Version: 232 }',
  '}',
  'Connections:  {',
  '  C: "OO",1,2',
  '  C: "OO",2,0',
  '}',
)

const points = Buffer.from(new Float32Array(corners.flat()).buffer)
const indices = Buffer.from(new Uint16Array(triangles.flat()).buffer)
const bin = Buffer.concat([points, indices])

export const gltf = lines(
  JSON.stringify({
    asset: { version: '2.0', generator: 'sandbox' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: points.length },
      { buffer: 0, byteOffset: points.length, byteLength: indices.length },
    ],
    buffers: [
      {
        byteLength: bin.length,
        uri: `data:application/octet-stream;base64,${bin.toString('base64')}`,
      },
    ],
  }),
)

const usda = lines('#usda 1.0', '( defaultPrim = "cube" )', 'def Cube "cube" { double size = 1 }')

export const usdz = zipOf([['cube.usda', usda]], 64)

export const zip = zipOf([
  ['cube.obj', obj],
  ['cube.mtl', mtl],
])
