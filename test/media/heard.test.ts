// Sound of users as text models take it: which formats are converted, passed on or refused.

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { soundForModel } from '../../src/media/convert.ts'
import { encodeVoice } from '../../src/media/opus.ts'
import { mixDown, readWav } from '../../src/media/wav.ts'
import { clip, makeMp3, makeWav, sine } from '../support/media/media-files.ts'

const tone = () => makeWav(2, sine(440))
const opus = async () => {
  const wav = readWav(await tone())
  return wav ? Buffer.from(await encodeVoice(wav)) : Buffer.alloc(0)
}
const files = (name: string) => readFile(`src/sandbox/gateway/files/${name}`)
const heard = async (bytes: Buffer, takesAac = false, maxSeconds = 300) => {
  const sound = await soundForModel(bytes, { maxSeconds, takesAac })
  return typeof sound === 'object' ? sound : { format: sound, bytes: Buffer.alloc(0), seconds: 0 }
}

describe('the sound of a question', () => {
  it.each([
    ['OGG/Opus', opus, false, 'wav'],
    ['WAV', tone, false, 'wav'],
    ['MP3', () => makeMp3(2), false, 'mp3'],
    ['a video where AAC is taken', () => files('video-0-square-5-sound.mp4'), true, 'aac'],
    ['M4A where AAC is taken', () => clip('sound.m4a'), true, 'aac'],
    ['a video without sound', () => files('video-0-square-5.mp4'), true, undefined],
    ['a text', () => Buffer.from('no sound'), true, undefined],
  ])('%s', async (_, bytes, takesAac, format) => {
    expect((await heard(await bytes(), takesAac)).format).toBe(format)
  })

  it.each([
    ['OGG/Opus', opus],
    ['WAV', tone],
  ])('%s is as long and as loud in 16 kHz, with one channel', async (_, bytes) => {
    const wav = readWav((await heard(await bytes())).bytes)
    expect(wav).toMatchObject({ rate: 16_000, channels: 1, codec: 'pcm-s16' })
    expect(Math.abs((wav?.frames ?? 0) - 32_000)).toBeLessThan(700)
    const original = readWav(await tone())
    const loudness = (one: typeof wav) =>
      one ? Math.sqrt(mixDown(one).reduce((sum, value) => sum + value * value, 0) / one.frames) : 0
    expect(loudness(wav) / loudness(original)).toBeCloseTo(1, 1)
  })

  it('is refused when it is longer, with a second for the recorder', async () => {
    expect((await heard(await opus(), false, 1)).format).toBe('wav')
    expect((await heard(await makeWav(3, sine(440)), false, 1)).format).toBe('too-long')
  })
})
