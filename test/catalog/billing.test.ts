// The documented prices of requests, and the numbers of results, of every model. What a request with the default values costs is in
// test/contract/gateway.test.ts.

import { expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { models } from '../../src/catalog/index.ts'
import type { Model } from '../../src/catalog/model.ts'
import { model3d } from '../../src/catalog/model-3d.ts'
import { music } from '../../src/catalog/music.ts'
import { speechTurbo } from '../../src/catalog/speech-turbo.ts'
import { ttsDialogue } from '../../src/catalog/tts-dialogue.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'

const catalog = createCatalog(models, {})
const prompt = { prompt: 'a cat' }
const video = { positivePrompt: 'a cat' }
const song = { ...prompt, model: 'v5_5', customMode: false, instrumental: false, callBackUrl: 'https://a.co' }
const dialogue = {
  speakers: [{ speaker_id: 'a', voice: 'Kore' }, { speaker_id: 'b' }],
  turns: [
    { speaker_id: 'a', text: 'one' },
    { speaker_id: 'b', text: 'two' },
  ],
}
const more = (turn: object) => ({ ...dialogue, turns: [...dialogue.turns, { speaker_id: 'a', ...turn }] })
const spoken = (count: number) => ({ text: '🐈'.repeat(count), voice_setting: {} })
const letters = (count: number, style = 0) => ({
  text: 'x'.repeat(count),
  ...(style > 0 ? { style_instructions: 'y'.repeat(style) } : {}),
})
const pictures = { inputs: { referenceImages: ['https://a.co/1.png'] } }

it.each<[string, Model, object, bigint, number?]>([
  ['two pictures', imageDesign, { ...prompt, n: 2 }, 10_56n, 2],
  ['six pictures', imageDesign, { ...prompt, n: 6 }, 31_68n, 6],
  ['a large picture', imageDesign, { ...prompt, size: '4096x4096' }, 5_28n],
  ['a photo, of which there is one by default', imagePhoto, prompt, 5_28n],
  ['three photos', imagePhoto, { ...prompt, numberOfImages: 3 }, 15_84n, 3],
  ['a large photo', imagePhoto, { ...prompt, imageSize: '2K', numberOfImages: 1 }, 5_28n],
  ['3 s', videoReel, { ...video, duration: 3 }, 55_47n],
  ['3.5 s, rounded up to a kopeck', videoReel, { ...video, duration: 3.5 }, 64_72n],
  ['four results of 15 s', videoReel, { ...video, duration: 15, numberResults: 4 }, 1109_40n, 4],
  ['a small preset: the unit is the second', videoReel, { ...video, resolution: '480p' }, 92_45n],
  ['720p', videoWan, { ...video, resolution: '720p' }, 66_05n],
  ['720p as a pair', videoWan, { ...video, width: 832, height: 1088 }, 66_05n],
  ['1080p as a pair', videoWan, { ...video, width: 1440, height: 1440 }, 99_05n],
  ['1 s', videoWan, { ...video, duration: 1 }, 19_81n],
  ['pictures, which cost nothing more', videoWan, { ...video, ...pictures }, 99_05n],
  ['four of 15 s', videoWan, { ...video, resolution: '720p', duration: 15, numberResults: 4 }, 792_60n, 4],
  ['9 s', videoDream, { ...prompt, duration: '9s' }, 475_38n],
  ['4k: the document lists no other rate', videoDream, { ...prompt, resolution: '4k' }, 264_10n],
  ['a song', music, song, 6_60n],
  ['a song with lyrics', music, { ...song, customMode: true, style: 'rock', title: 'Cat' }, 6_60n],
  ['a character', speechTurbo, spoken(1), 1n],
  ['1000 characters', speechTurbo, spoken(1000), 4n],
  ['10 000 characters', speechTurbo, spoken(10_000), 40n],
  ['1 character, of which 1000 are billed', ttsDialogue, letters(1), 6_65n],
  ['1000', ttsDialogue, letters(1000), 6_65n],
  ['1001, rounded up to a kopeck', ttsDialogue, letters(1001), 6_66n],
  ['2000 beyond the BMP', ttsDialogue, { text: '🐈'.repeat(2000) }, 13_30n],
  ['8000 and 2000 of instructions', ttsDialogue, letters(8000, 2000), 66_50n],
  ['600 and 600 of instructions', ttsDialogue, letters(600, 600), 7_98n],
  ['a short dialogue', ttsDialogue, dialogue, 6_65n],
  ['all turns, without names and voices', ttsDialogue, more({ text: 'x'.repeat(1994) }), 13_30n],
  ['words anywhere', ttsDialogue, more({ parts: [{ words: 'x'.repeat(1994) }], pause: 3 }), 13_30n],
])('the price is the documented one for %s', (_, model, body, kopecks, count = 1) => {
  const request = { model: model.id, ...body }
  expect(catalog.price(model, request)).toMatchObject({ amount: kopecks, gatewayCost: kopecks, count })
  const kind = kinds[model.id] ?? model.modality
  expect(model.delivers(request)).toEqual({ kind, count, ...forms[model.id] })
})

const forms: Readonly<Record<string, object>> = {
  [music.id]: { files: 2 },
  [speechTurbo.id]: { asFile: false },
}
const kinds: Readonly<Record<string, string>> = {
  [speechTurbo.id]: 'voice',
  [ttsDialogue.id]: 'voice',
}

it('a 3D model has the documented price for every mode, geometry, rigging and animation', () => {
  // Roubles for the model alone, with rigging, and with rigging and animation.
  const rows = `preview standard 128 160 179
    preview 2k 160 192 211
    preview 4k 192 223 243
    full standard 192 223 243
    full 2k 223 255 275
    full 4k 255 287 306`.split('\n')
  for (const row of rows) {
    const [mode = '', geometry_resolution = '', ...roubles] = row.trim().split(' ')
    const priced = (rigging: boolean, animation: boolean) => {
      const options = { enable_rigging: rigging, enable_animation: animation }
      const answers = { ...prompt, mode, geometry_resolution, ...options }
      const request = catalog.request(model3d, answers) ?? {}
      if (rigging || !animation)
        expect(catalog.price(model3d, { model: model3d.id, ...answers })).toEqual(
          catalog.price(model3d, request),
        )
      expect(model3d.delivers(request)).toEqual({ kind: 'model3d', count: 1 })
      return catalog.price(model3d, request)?.amount
    }
    const [alone, rigged, moving] = roubles.map((price) => BigInt(price) * 100n)
    // An animation is ignored while rigging is off.
    const all = [priced(false, false), priced(false, true), priced(true, false), priced(true, true)]
    expect(all, row).toEqual([alone, alone, rigged, moving])
  }
})
