// Rigging and animation: a skeleton of three joints that all vertices follow, and an animation that sways or turns the model.

import type { Accessor, Animation, Buffer as Bytes, Document, Node, Scene } from '@gltf-transform/core'
import type { Piece } from './surface.ts'

/** Heights of the joints above the ground. */
const joints = [0, 0.7, 1.4]

interface Weights {
  readonly joints: Accessor
  readonly weights: Accessor
}

/** Each vertex follows the joints below and above it, weighted by distance. */
export function weigh(document: Document, bytes: Bytes, { positions }: Piece): Weights {
  const heights = positions.filter((_, i) => i % 3 === 1)
  const follows = new Uint8Array(heights.length * 4)
  const shares = new Float32Array(heights.length * 4)
  for (const [i, height] of heights.entries()) {
    const place = Math.max(0, Math.min(joints.length - 1, height / 0.7))
    const below = Math.min(joints.length - 2, Math.floor(place))
    const share = place - below
    // glTF requires joint 0 where the weight is 0.
    follows.set([share < 1 ? below : 0, share > 0 ? below + 1 : 0], i * 4)
    shares.set([1 - share, share], i * 4)
  }
  return {
    joints: document.createAccessor().setType('VEC4').setArray(follows).setBuffer(bytes),
    weights: document.createAccessor().setType('VEC4').setArray(shares).setBuffer(bytes),
  }
}

/** Adds the spine to the scene and returns its joints, the lowest first. */
export function rig(document: Document, bytes: Bytes, scene: Scene, body: Node): Node[] {
  const inverse = new Float32Array(joints.flatMap((y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1]))
  const matrices = document.createAccessor().setType('MAT4').setArray(inverse).setBuffer(bytes)
  const skin = document.createSkin('spine').setInverseBindMatrices(matrices)
  const spine = joints.map((y, i) => {
    const above = y - (joints[i - 1] ?? 0)
    return document.createNode(`joint ${i}`).setTranslation([0, above, 0])
  })
  for (const [i, joint] of spine.entries()) {
    const parent = spine[i - 1] ?? scene
    parent.addChild(joint)
    skin.addJoint(joint)
  }
  if (spine[0]) skin.setSkeleton(spine[0])
  body.setSkin(skin)
  return spine
}

const seconds = 4
const keys = 16

/** The spine sways; a model without one turns. After four seconds the animation is back at its beginning. */
export function animate(document: Document, bytes: Bytes, spine: readonly Node[], body: Node): void {
  const times = Float32Array.from({ length: keys + 1 }, (_, i) => (i / keys) * seconds)
  const input = document.createAccessor().setType('SCALAR').setArray(times).setBuffer(bytes)
  const animation = document.createAnimation(spine.length > 0 ? 'sway' : 'turn')
  const rotate = (node: Node, axis: 'y' | 'z', angleAt: (share: number) => number) => {
    const rotations = Array.from(times, (time) => about(axis, angleAt(time / seconds))).flat()
    const output = document
      .createAccessor()
      .setType('VEC4')
      .setArray(new Float32Array(rotations))
      .setBuffer(bytes)
    addRotation(document, animation, node, input, output)
  }
  if (spine.length === 0) rotate(body, 'y', (share) => share * 2 * Math.PI)
  for (const [i, joint] of spine.entries()) {
    rotate(joint, 'z', (share) => (0.1 + 0.1 * i) * Math.sin(share * 2 * Math.PI - i * 0.6))
  }
}

function addRotation(
  document: Document,
  animation: Animation,
  node: Node,
  input: Accessor,
  output: Accessor,
): void {
  const sampler = document
    .createAnimationSampler()
    .setInput(input)
    .setOutput(output)
    .setInterpolation('LINEAR')
  const channel = document
    .createAnimationChannel()
    .setTargetNode(node)
    .setTargetPath('rotation')
    .setSampler(sampler)
  animation.addSampler(sampler).addChannel(channel)
}

/** The rotation about an axis as a quaternion. */
function about(axis: 'y' | 'z', angle: number): [number, number, number, number] {
  const [sine, cosine] = [Math.sin(angle / 2), Math.cos(angle / 2)]
  return axis === 'y' ? [0, sine, 0, cosine] : [0, 0, sine, cosine]
}
