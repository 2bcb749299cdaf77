// MODEL-SPEECH-TURBO against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { speechTurbo } from '../../src/catalog/speech-turbo.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const base = { model: 'MODEL-SPEECH-TURBO', text: 'Привет', voice_setting: {} }
const languages =
  'Chinese|Chinese,Yue|English|Arabic|Russian|Spanish|French|Portuguese|German|Turkish|Dutch|Ukrainian|Vietnamese|' +
  'Indonesian|Japanese|Italian|Korean|Thai|Polish|Romanian|Greek|Czech|Finnish|Hindi|Bulgarian|Danish|Hebrew|Malay|' +
  'Persian|Slovak|Swedish|Croatian|Filipino|Hungarian|Norwegian|Slovenian|Catalan|Nynorsk|Tamil|Afrikaans|auto'

const accepted = {
  text: ['x'.repeat(10_000), '🐈'.repeat(10_000)],
  'voice_setting.voice_id': ['clone-1'],
  'voice_setting.speed': [0.5, 2, 1.15],
  'voice_setting.vol': [0, 10, 0.5],
  'voice_setting.pitch': [-12, 12, 0],
  'voice_setting.english_normalization': [true],
  'voice_setting.emotion': ['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral'],
  voice_modify: [{ pitch: 10, sound_effects: 'echo', deep: { yes: [true] } }],
  pronunciation_dict: [{ tone: [{ word: 'API', replacement: 'эй-пи-ай' }] }],
  'audio_setting.sample_rate': [8000, 16000, 22050, 24000, 32000, 44100],
  'audio_setting.bitrate': [32000, 64000, 128000, 256000],
  'audio_setting.format': ['mp3', 'pcm', 'flac', 'wav'],
  'audio_setting.channel': [1, 2],
  language_boost: languages.split('|'),
  subtitle_enable: [true],
  output_format: ['url', 'hex'],
  stream: [true],
  async: [true],
}
const refused = {
  model: [undefined],
  text: [undefined, '', 'x'.repeat(10_001)],
  voice_setting: [undefined, { voice: 'x' }],
  'voice_setting.speed': [0.49, 2.01],
  'voice_setting.vol': [-1, 10.5],
  'voice_setting.pitch': [-13, 13, 0.5],
  'voice_setting.emotion': ['bored'],
  'voice_setting.english_normalization': ['yes'],
  'audio_setting.sample_rate': [48000, '8000'],
  'audio_setting.bitrate': [96000],
  'audio_setting.format': ['ogg'],
  'audio_setting.channel': [3],
  audio_setting: [{ loud: true }],
  voice_modify: ['deep'],
  language_boost: ['Klingon', 'russian'],
  subtitle_enable: ['yes'],
  output_format: ['base64'],
  stream: [1],
  async: ['yes'],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(accepted.language_boost).toHaveLength(41)
  expect(wronglyRefused(speechTurbo, base, accepted, [{ stream: true, output_format: 'hex' }])).toEqual([])
  const others = [
    [{ pronunciation_dict: { tone: [{ word: 'API' }] } }, 'pronunciation_dict.tone.0.replacement'],
    [{ pronunciation_dict: { tone: ['API'] } }, 'pronunciation_dict.tone.0'],
    [{ output_format: 'url', stream: true }, 'output_format'],
    [{ style_instructions: 'slowly' }, ''],
  ] as const
  expect(wronglyAccepted(speechTurbo, base, refused, others)).toEqual([])
})

const catalog = createCatalog([speechTurbo], {})

describe('the request made from answers', () => {
  it('has the required object and asks for a task, also with minimal answers', () => {
    expect(catalog.request(speechTurbo, { text: 'Привет' })).toEqual({
      model: 'MODEL-SPEECH-TURBO',
      text: 'Привет',
      voice_setting: { speed: 1, english_normalization: false },
      audio_setting: { format: 'mp3' },
      subtitle_enable: false,
      async: true,
    })
  })

  it('has pronunciations and voice modifications from lines, with numbers as numbers', () => {
    const pronunciation_dict = 'API = эй-пи-ай\n a=b \r\n\n E=mc2 = энергия '
    const voice_modify =
      'pitch = 10\nintensity = -2,5\ntimbre=0.5\nsound_effects = robotic\nloud = true\nsize = 10 m\nlength = 1,000'
    expect(catalog.request(speechTurbo, { text: 'x', pronunciation_dict, voice_modify })).toMatchObject({
      pronunciation_dict: {
        tone: [
          { word: 'API', replacement: 'эй-пи-ай' },
          { word: 'a', replacement: 'b' },
          { word: 'E', replacement: 'mc2 = энергия' },
        ],
      },
      voice_modify: {
        ...{ pitch: 10, intensity: -2.5, timbre: 0.5, length: 1000 },
        ...{ sound_effects: 'robotic', loud: true, size: '10 m' },
      },
    })
  })

  it('has the adjustments of the voice beside other lines, which they replace', () => {
    const answers = {
      voice_modify: 'pitch = 10\nwarmth = 2',
      'voice_modify.pitch': -20,
      'voice_modify.timbre': 5,
    }
    expect(catalog.request(speechTurbo, { text: 'x', ...answers })).toMatchObject({
      voice_modify: { pitch: -20, warmth: 2, timbre: 5 },
    })
  })

  it('asks for a stream above 3000 characters, if it is sound at once and not an address', () => {
    const streams = (length: number, request: object) => {
      const own = createCatalog([speechTurbo], catalogSettings.parse({ 'MODEL-SPEECH-TURBO': { request } }))
      return own.request(speechTurbo, { text: 'x'.repeat(length) })?.stream
    }
    const atOnce = { async: false }
    expect([streams(3001, atOnce), streams(3000, atOnce), streams(3001, {})]).toEqual([
      true,
      undefined,
      undefined,
    ])
    expect(streams(3001, { ...atOnce, output_format: 'url' })).toBeUndefined()
    expect(streams(3001, { ...atOnce, stream: false })).toBe(false)
    expect(streams(1, { ...atOnce, stream: true })).toBe(true)
  })

  it('has other names of fields and numbers as texts, if the operator says so', () => {
    const settings = {
      names: { 'voice_modify.intensity': 'energy' },
      asText: ['audio_setting.sample_rate', 'voice_setting.speed'],
    }
    const own = createCatalog([speechTurbo], catalogSettings.parse({ 'MODEL-SPEECH-TURBO': settings }))
    const answers = { text: 'x', 'voice_modify.intensity': 5, 'audio_setting.sample_rate': '8000' }
    const body = own.request(speechTurbo, answers)
    expect(body && own.named(speechTurbo, body)).toMatchObject({
      voice_modify: { energy: 5 },
      audio_setting: { sample_rate: '8000' },
      voice_setting: { speed: '1' },
    })
  })

  it.each(['pronunciation_dict', 'voice_modify'])('cannot have lines that are not pairs in %s', (name) => {
    const field = speechTurbo.fields.find((one) => one.name === name)
    const fits = (typed: string) => field?.kind === 'text' && field.fits(typed)
    expect(['pitch', 'pitch 10', '= 10', 'pitch =', 'a = 1\nb', '\n'].filter(fits)).toEqual([])
    expect(['a = 1', 'a=1\n\nb=2'].filter(fits)).toHaveLength(2)
  })
})

it('billing: 39.62 per million characters, rounded up to a kopeck, for one voice message', () => {
  for (const [length, kopecks] of [
    [1, 1n],
    [1000, 4n],
    [10_000, 40n],
  ] as const) {
    const request = catalog.request(speechTurbo, { text: '🐈'.repeat(length) }) ?? {}
    const rate = { roubles: '39.62', per: 1_000_000 }
    const price = { amount: kopecks, unit: 'character', quantity: length, rate }
    expect(catalog.price(speechTurbo, request)).toMatchObject(price)
  }
  expect(speechTurbo.delivers(base)).toEqual({ kind: 'voice', count: 1 })
})
