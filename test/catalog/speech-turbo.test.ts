// MODEL-SPEECH-TURBO against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { speechTurbo } from '../../src/catalog/speech-turbo.ts'

const base = { model: 'MODEL-SPEECH-TURBO', text: 'Привет', voice_setting: {} }
const languages =
  'Chinese|Chinese,Yue|English|Arabic|Russian|Spanish|French|Portuguese|German|Turkish|Dutch|Ukrainian|Vietnamese|' +
  'Indonesian|Japanese|Italian|Korean|Thai|Polish|Romanian|Greek|Czech|Finnish|Hindi|Bulgarian|Danish|Hebrew|Malay|' +
  'Persian|Slovak|Swedish|Croatian|Filipino|Hungarian|Norwegian|Slovenian|Catalan|Nynorsk|Tamil|Afrikaans|auto'

const pathsOf = (change: Record<string, unknown>) =>
  speechTurbo.request.safeParse({ ...base, ...change }).error?.issues.map((issue) => issue.path.join('.')) ??
  []

describe('accepted bodies', () => {
  it.each([
    ['only what is required', {}],
    ['a text of 10000 characters', { text: 'x'.repeat(10_000) }],
    ['a text of 10000 code points beyond the BMP', { text: '🐈'.repeat(10_000) }],
    ['a voice', { voice_setting: { voice_id: 'clone-1' } }],
    ['the lowest voice', { voice_setting: { speed: 0.5, vol: 0, pitch: -12 } }],
    ['the highest voice', { voice_setting: { speed: 2, vol: 10, pitch: 12 } }],
    ['a voice in between', { voice_setting: { speed: 1.15, vol: 0.5, pitch: 0 } }],
    ['English words', { voice_setting: { english_normalization: true } }],
    [
      'any modification of the voice',
      { voice_modify: { pitch: 10, sound_effects: 'echo', deep: { yes: [true] } } },
    ],
    ['pronunciations', { pronunciation_dict: { tone: [{ word: 'API', replacement: 'эй-пи-ай' }] } }],
    ['subtitles', { subtitle_enable: true }],
    ['an address', { output_format: 'url' }],
    ['hex', { output_format: 'hex' }],
    ['a stream', { stream: true }],
    ['a stream of hex', { stream: true, output_format: 'hex' }],
    ['a task', { async: true }],
  ])('accepts a body with %s', (_, change) => {
    expect(pathsOf(change)).toEqual([])
  })

  it.each(['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral'])(
    'accepts the emotion %s',
    (emotion) => {
      expect(pathsOf({ voice_setting: { emotion } })).toEqual([])
    },
  )

  it.each([
    ['sample_rate', [8000, 16000, 22050, 24000, 32000, 44100]],
    ['bitrate', [32000, 64000, 128000, 256000]],
    ['format', ['mp3', 'pcm', 'flac', 'wav']],
    ['channel', [1, 2]],
  ])('accepts every %s', (name, values) => {
    expect(values.flatMap((value) => pathsOf({ audio_setting: { [name]: value } }))).toEqual([])
  })

  it('accepts all 41 languages', () => {
    const all = languages.split('|')
    expect(all).toHaveLength(41)
    expect(all.flatMap((language_boost) => pathsOf({ language_boost }))).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no model', { model: undefined }, 'model'],
    ['no text', { text: undefined }, 'text'],
    ['an empty text', { text: '' }, 'text'],
    ['a text of 10001 characters', { text: 'x'.repeat(10_001) }, 'text'],
    ['no voice_setting', { voice_setting: undefined }, 'voice_setting'],
    ['speed 0.49', { voice_setting: { speed: 0.49 } }, 'voice_setting.speed'],
    ['speed 2.01', { voice_setting: { speed: 2.01 } }, 'voice_setting.speed'],
    ['vol -1', { voice_setting: { vol: -1 } }, 'voice_setting.vol'],
    ['vol 10.5', { voice_setting: { vol: 10.5 } }, 'voice_setting.vol'],
    ['pitch -13', { voice_setting: { pitch: -13 } }, 'voice_setting.pitch'],
    ['pitch 13', { voice_setting: { pitch: 13 } }, 'voice_setting.pitch'],
    ['half a semitone', { voice_setting: { pitch: 0.5 } }, 'voice_setting.pitch'],
    ['an unknown emotion', { voice_setting: { emotion: 'bored' } }, 'voice_setting.emotion'],
    [
      'normalization as a word',
      { voice_setting: { english_normalization: 'yes' } },
      'voice_setting.english_normalization',
    ],
    ['an unknown voice setting', { voice_setting: { voice: 'x' } }, 'voice_setting'],
    ['sample rate 48000', { audio_setting: { sample_rate: 48000 } }, 'audio_setting.sample_rate'],
    ['a sample rate as a string', { audio_setting: { sample_rate: '8000' } }, 'audio_setting.sample_rate'],
    ['bitrate 96000', { audio_setting: { bitrate: 96000 } }, 'audio_setting.bitrate'],
    ['ogg', { audio_setting: { format: 'ogg' } }, 'audio_setting.format'],
    ['three channels', { audio_setting: { channel: 3 } }, 'audio_setting.channel'],
    ['an unknown audio setting', { audio_setting: { loud: true } }, 'audio_setting'],
    ['a modification that is not an object', { voice_modify: 'deep' }, 'voice_modify'],
    [
      'a pronunciation without a replacement',
      { pronunciation_dict: { tone: [{ word: 'API' }] } },
      'pronunciation_dict.tone.0.replacement',
    ],
    ['a pronunciation as a string', { pronunciation_dict: { tone: ['API'] } }, 'pronunciation_dict.tone.0'],
    ['an unknown language', { language_boost: 'Klingon' }, 'language_boost'],
    ['a language in lower case', { language_boost: 'russian' }, 'language_boost'],
    ['subtitles as a word', { subtitle_enable: 'yes' }, 'subtitle_enable'],
    ['base64', { output_format: 'base64' }, 'output_format'],
    ['an address of a stream', { output_format: 'url', stream: true }, 'output_format'],
    ['a stream as a number', { stream: 1 }, 'stream'],
    ['a task as a word', { async: 'yes' }, 'async'],
    ['a field of another model', { style_instructions: 'slowly' }, ''],
  ])('refuses a body with %s', (_, change, path) => {
    expect(pathsOf(change)).toContain(path)
  })
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

  it('has sample rates and channels as numbers', () => {
    const flat = speechTurbo.write({ 'audio_setting.sample_rate': '22050', 'audio_setting.channel': '2' })
    expect(flat).toMatchObject({ 'audio_setting.sample_rate': 22050, 'audio_setting.channel': 2 })
  })

  it.each([
    ['API = эй-пи-ай', [{ word: 'API', replacement: 'эй-пи-ай' }]],
    [
      ' a=b \r\n\n E=mc2 = энергия ',
      [
        { word: 'a', replacement: 'b' },
        { word: 'E', replacement: 'mc2 = энергия' },
      ],
    ],
  ])('has pronunciations from %j', (typed, tone) => {
    const request = catalog.request(speechTurbo, { text: 'x', pronunciation_dict: typed })
    expect(request).toMatchObject({ pronunciation_dict: { tone } })
  })

  it('has voice modifications from lines, with numbers as numbers', () => {
    const typed =
      'pitch = 10\nintensity = -2,5\ntimbre=0.5\nsound_effects = robotic\nloud = true\nsize = 10 m\nlength = 1,000'
    expect(catalog.request(speechTurbo, { text: 'x', voice_modify: typed })).toMatchObject({
      voice_modify: {
        pitch: 10,
        intensity: -2.5,
        timbre: 0.5,
        sound_effects: 'robotic',
        loud: true,
        size: '10 m',
        length: 1000,
      },
    })
  })

  it.each(['pronunciation_dict', 'voice_modify'])('cannot have lines that are not pairs in %s', (name) => {
    const field = speechTurbo.fields.find((one) => one.name === name)
    const fits = (typed: string) => field?.kind === 'text' && field.fits(typed)
    expect(['pitch', 'pitch 10', '= 10', 'pitch =', 'a = 1\nb', '\n'].filter(fits)).toEqual([])
    expect(['a = 1', 'a=1\n\nb=2'].filter(fits)).toHaveLength(2)
  })
})

describe('billing: 39.62 per million characters', () => {
  it.each([
    ['the default request, rounded up to a kopeck', 1, 1n],
    ['1000 characters', 1000, 4n],
    ['10000 characters', 10_000, 40n],
  ])('has the documented price for %s', (_, length, kopecks) => {
    const request = catalog.request(speechTurbo, { text: '🐈'.repeat(length) })
    expect(request && catalog.price(speechTurbo, request)).toMatchObject({
      amount: kopecks,
      unit: 'character',
      quantity: length,
      rate: { roubles: '39.62', per: 1_000_000 },
    })
  })

  it('delivers one voice message', () => {
    expect(speechTurbo.delivers(base)).toEqual({ kind: 'voice', count: 1 })
  })
})
