// The contract of every model with the files of the local gateway: each offered answer yields a real file with the requested properties,
// and its link serves it with its type and length. The tests derive the expected properties from the request, independently of the
// gateway's code.

import { NodeIO } from '@gltf-transform/core'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Flat } from '../../src/catalog/field.ts'
import type { Delivers, Model } from '../../src/catalog/model.ts'
import {
  type Body,
  bodyOf,
  countsOf,
  eachModel,
  mostResults,
  openRichGateway,
  type RichSandbox,
  variety,
} from '../support/gateway/contract.ts'
import { bytesOf, facts, removeGateway } from '../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
beforeAll(async () => {
  sandbox = await openRichGateway()
})
afterAll(() => removeGateway(sandbox))

interface File {
  readonly bytes: Buffer
  readonly type: string | null
}

/** Downloads a result. Links need no key. */
async function read(url: string): Promise<File> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  const bytes = await bytesOf(answer)
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(new URL(url).pathname).toMatch(/\.\w+$/)
  return { bytes, type: answer.headers.get('content-type') }
}

/** The requested values by path, with defaults for absent ones. */
const wishesOf = (model: Model, body: Body): Flat => ({ ...model.defaultValues, ...model.values(body) })

const sides = z.object({
  size: z.string().optional(),
  aspectRatio: z.string().optional(),
  aspect_ratio: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
})

/** Width and height in pixels, or only their ratio. */
function frameOf(wishes: Flat): { width?: number | undefined; height?: number | undefined; ratio: number } {
  const { size, aspectRatio, aspect_ratio, width, height } = sides.parse(wishes)
  if (width && height) return { width, height, ratio: width / height }
  const words = aspect_ratio ?? aspectRatio ?? size ?? '16:9'
  const [across = 1, down = 1] = words.split(/[x:]/).map(Number)
  return words.includes('x')
    ? { width: across, height: down, ratio: across / down }
    : { ratio: across / down }
}

function expectFrame({ width = 0, height = 0 }, wishes: Flat, said: string) {
  const asked = frameOf(wishes)
  expect(Math.abs(width / height / asked.ratio - 1), said).toBeLessThan(0.02)
  if (asked.width) expect([width, height], said).toEqual([asked.width, asked.height])
}

const videoTypes = { MP4: 'video/mp4', WEBM: 'video/webm', MOV: 'video/quicktime' } as const
const videoWishes = z.object({
  outputFormat: z.enum(['MP4', 'WEBM', 'MOV']).default('MP4'),
  'settings.audio': z.boolean().default(false),
})

const shapeOf = (ratio: number) => (ratio > 1.25 ? 'wide' : ratio < 0.8 ? 'tall' : 'square')

async function expectVideo({ bytes, type }: File, model: Model, body: Body, said: string) {
  const wishes = wishesOf(model, body)
  const { outputFormat, 'settings.audio': sounds } = videoWishes.parse(wishes)
  const { mime, sound, seconds, ...frame } = await facts(bytes)
  expect([type, mime], said).toEqual([videoTypes[outputFormat], videoTypes[outputFormat]])
  expect(sound !== undefined, said).toBe(sounds)
  const { unit, quantity } = model.cost(body)
  expect(unit).toBe('second')
  expect(Math.round(seconds), said).toBe(outputFormat === 'MP4' && quantity > 7 ? 10 : 5)
  expect(shapeOf(frame.width / frame.height), said).toBe(shapeOf(frameOf(wishes).ratio))
}

async function expectImage({ bytes, type }: File, model: Model, body: Body, said: string) {
  const { format, width, height } = await sharp(bytes).metadata()
  expect(['image/png', 'image/jpeg'], said).toContain(type)
  expect(`image/${format}`, said).toBe(type)
  const wishes = wishesOf(model, body)
  expectFrame({ width, height }, wishes, said)
  const long = wishes.imageSize === '2K' ? 2048 : 1024
  if (!frameOf(wishes).width) expect(Math.max(width, height), said).toBe(long)
  const { channels } = await sharp(bytes).stats()
  expect(Math.max(...channels.map(({ stdev }) => stdev)), said).toBeGreaterThan(20)
}

const soundTypes = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'application/octet-stream',
} as const
const soundWishes = z.object({
  'audio_setting.format': z.enum(['mp3', 'wav', 'flac', 'pcm']).optional(),
})

async function expectSound({ bytes, type }: File, model: Model, body: Body, said: string) {
  const { 'audio_setting.format': format = model.commands[0] === 'dialogue' ? 'wav' : 'mp3' } =
    soundWishes.parse(wishesOf(model, body))
  expect(type, said).toBe(soundTypes[format])
  if (format === 'pcm') {
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    expect(
      samples.some((one) => Math.abs(one) > 5000),
      said,
    ).toBe(true)
    return
  }
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  expect((await input.getMimeType()).split(';')[0], said).toBe(type)
  expect(await input.computeDuration(), said).toBeGreaterThanOrEqual(1)
}

async function expectModel3d({ bytes, type }: File, model: Model, body: Body, said: string) {
  const wishes = wishesOf(model, body)
  expect(type, said).toBe('model/gltf-binary')
  const root = (await new NodeIO().readBinary(bytes)).getRoot()
  const primitives = root.listMeshes().flatMap((mesh) => mesh.listPrimitives())
  expect(primitives[0]?.getIndices()?.getCount(), said).toBeGreaterThan(1000)
  expect(root.listSkins().length, said).toBe(wishes.enable_rigging ? 1 : 0)
  expect(root.listAnimations().length, said).toBe(wishes.enable_animation ? 1 : 0)
  const isTextured = wishes.mode === 'full' || wishes.enable_pbr === true
  expect(root.listTextures().length > 0, said).toBe(isTextured)
}

const expectFile: Readonly<Record<Delivers['kind'], typeof expectVideo>> = {
  video: expectVideo,
  image: expectImage,
  voice: expectSound,
  audio: expectSound,
  model3d: expectModel3d,
}

describe.each(eachModel)('%s', (_, model) => {
  it('yields a file with the requested properties for each offered answer', async () => {
    for (const answers of variety(model)) {
      const body = bodyOf(model, answers)
      const { urls } = await sandbox.made(model, body)
      const file = await read(urls[0] ?? '')
      await expectFile[model.delivers(body).kind](file, model, body, JSON.stringify(answers))
    }
  })

  it('yields as many different files as the request allows', async () => {
    const { body } = mostResults(model)
    const { urls } = await sandbox.made(model, body)
    const files = await Promise.all(urls.map(read))
    expect(new Set(files.map(({ bytes }) => bytes.toString('base64'))).size).toBe(countsOf(model, body).files)
    for (const file of files) await expectFile[model.delivers(body).kind](file, model, body, 'one of many')
  })
})
