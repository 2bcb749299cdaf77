// Fuzz tests: each function returns a result or undefined for any bytes. A failing run prints its seed.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fitPhoto,
  imageThumbnail,
  isGlb,
  previewGlb,
  probeAudio,
  probeVideo,
  toMp4,
  toVoice,
  videoThumbnail,
} from '../../src/media/convert.ts'
import { probeImage } from '../../src/media/pictures.ts'
import {
  addShape,
  clip,
  colored,
  cube,
  fixture,
  glbOf,
  makeMp3,
  makeOgg,
  makeWav,
  newModel,
  sine,
} from '../support/media/media-files.ts'
import { runs } from '../support/runs.ts'

const wav = makeWav(0.1, sine(300))
const document = newModel()
addShape(document, cube())
const files = {
  wav,
  ogg: await makeOgg(wav),
  mp3: await makeMp3(1),
  mp4: await clip('640x640.mp4'),
  webm: await clip('640x640.webm'),
  mov: await fixture('video-0-square-5-sound.mov'),
  png: await colored(60, 40, [9, 99, 199]).png().toBuffer(),
  jpeg: await colored(60, 40, [9, 99, 199]).jpeg().toBuffer(),
  webp: await colored(60, 40, [9, 99, 199]).webp().toBuffer(),
  glb: await glbOf(document),
}

const share = fc.double({ min: 0, max: 1, noNaN: true })

/** A change of some bytes, often near the beginning, where the headers are. */
const change = fc.record({
  at: fc.oneof({ arbitrary: share, weight: 2 }, fc.double({ min: 0, max: 0.02, noNaN: true })),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    fc.constant(Uint8Array.of(255, 255, 255, 255)),
  ),
})

function damaged(
  original: Buffer,
  changes: readonly { at: number; bytes: Uint8Array }[],
  kept: number,
): Buffer {
  const result = Buffer.from(original.subarray(0, Math.ceil(original.length * kept)))
  for (const { at, bytes } of changes) {
    const place = Math.floor(at * result.length)
    result.set(bytes.subarray(0, result.length - place), place)
  }
  return result
}

/** A damaged or truncated file, or noise. */
const garbage = (names: readonly (keyof typeof files)[]) =>
  fc.oneof(
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom(...names),
          fc.array(change, { maxLength: 3 }),
          fc.oneof({ arbitrary: fc.constant(1), weight: 3 }, share),
        )
        .map(([name, changes, kept]) => damaged(files[name], changes, kept)),
      weight: 9,
    },
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  )

type Step = (bytes: Buffer) => unknown

const names = Object.keys(files).filter((name): name is keyof typeof files => name in files)
const cases: readonly (readonly [string, Step, readonly (keyof typeof files)[], number])[] = [
  ['probeVideo', probeVideo, names, 120],
  ['probeAudio', probeAudio, names, 120],
  ['probeImage', probeImage, names, 120],
  ['isGlb', isGlb, names, 120],
  ['fitPhoto', fitPhoto, ['png', 'jpeg', 'webp'], 40],
  ['imageThumbnail', imageThumbnail, ['png', 'jpeg', 'webp'], 40],
  ['toVoice', (bytes) => toVoice(bytes, 10_000), ['wav', 'ogg', 'mp3'], 30],
  ['toMp4 of MOV', (bytes) => toMp4(bytes, 10_000), ['mov'], 40],
  ['toMp4 of WebM', (bytes) => toMp4(bytes, 2000), ['webm'], 10],
  ['videoThumbnail', (bytes) => videoThumbnail(bytes, 10_000), ['mp4'], 10],
  ['previewGlb', (bytes) => previewGlb(bytes, 10_000), ['glb'], 4],
]

describe('garbage', () => {
  it.each(cases)(
    'does not make %s throw',
    async (_, step, kinds, numRuns) => {
      const ended = { something: 0, nothing: 0 }
      await fc.assert(
        fc.asyncProperty(garbage(kinds), async (bytes) => {
          const before = Buffer.from(bytes)
          ended[(await step(bytes)) ? 'something' : 'nothing'] += 1
          expect(bytes.equals(before)).toBe(true)
        }),
        { numRuns: runs(numRuns) },
      )
      // A few runs can all have the same outcome, and without ffmpeg some always have.
      if (runs(numRuns) >= 300) expect(Math.min(ended.something, ended.nothing)).toBeGreaterThan(0)
    },
    120_000,
  )
})
