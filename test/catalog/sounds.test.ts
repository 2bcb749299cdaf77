// The requests that answers to the models of speech, dialogues and music make; which typed texts are a dialogue of two speakers, a text for
// one voice, or neither.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { callbackStandIn } from '../../src/catalog/media.ts'
import type { Model } from '../../src/catalog/model.ts'
import { music } from '../../src/catalog/music.ts'
import { speechTurbo } from '../../src/catalog/speech-turbo.ts'
import { parseScript, ttsDialogue } from '../../src/catalog/tts-dialogue.ts'
import { settingAt, whyUnfit } from '../../src/form/fit.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { fieldOf } from '../support/gateway/samples.ts'

const catalog = createCatalog(models, {})

const text = { text: 'Привет' }
const speech = {
  ...{ model: speechTurbo.id, ...text, async: true, subtitle_enable: false },
  voice_setting: { speed: 1, english_normalization: false },
  audio_setting: { format: 'mp3' },
}
const lines = {
  pronunciation_dict: 'API = эй-пи-ай\n a=b \r\n\n E=mc2 = энергия ',
  voice_modify:
    'pitch = 10\nintensity = -2,5\ntimbre=0.5\nsound_effects = robotic\nloud = true\nsize = 10 m\nlength = 1,000',
}
const read = {
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
}
const adjusted = {
  voice_modify: 'pitch = 10\nwarmth = 2',
  'voice_modify.pitch': -20,
  'voice_modify.timbre': 5,
}

const script = 'Аня: привет\nБоря: пока'
const voices = { script: 'Привет', voice: 'Leda', voice2: 'Orus' }
const dialogue = {
  model: ttsDialogue.id,
  speakers: [
    { speaker_id: 'Аня', voice: 'Leda' },
    { speaker_id: 'Боря', voice: 'Puck' },
  ],
  turns: [
    { speaker_id: 'Аня', text: 'привет' },
    { speaker_id: 'Боря', text: 'пока' },
  ],
  style_instructions: 'весело',
}
const [ofLeda] = dialogue.speakers
const ofOrus = { ...dialogue, speakers: [ofLeda, { speaker_id: 'Боря', voice: 'Orus' }] }
const cheerful = { script, voice: 'Leda', style_instructions: 'весело' }

const la = { prompt: 'ля' }
const song = { model: 'v5_5', customMode: false, instrumental: false, callBackUrl: callbackStandIn, ...la }
const lyrics = { ...la, customMode: true, style: 'вальс', title: 'Ля' }
const { title: _title, ...untitled } = lyrics
const longLine = '[Verse]\nOver the sea and far away, past all the islands, wandering home'
const waltz = { ...song, ...lyrics }
const persona = { personaId: 'p1', personaModel: 'voice_persona' }
const without = { ...lyrics, ...persona, customMode: false }

it.each<[string, Model, Answers, object]>([
  ['the required object of speech', speechTurbo, text, speech],
  ['lines as pairs, with numbers as numbers', speechTurbo, { ...text, ...lines }, { ...speech, ...read }],
  [
    'adjustments of the voice beside other lines, which they replace',
    speechTurbo,
    { ...text, ...adjusted },
    { ...speech, voice_modify: { pitch: -20, warmth: 2, timbre: 5 } },
  ],
  ['a text for one voice', ttsDialogue, voices, { model: ttsDialogue.id, ...text, voice: 'Leda' }],
  ['the usual voice', ttsDialogue, { script: 'Привет' }, { model: ttsDialogue.id, ...text, voice: 'Kore' }],
  ['a dialogue with a voice for each speaker', ttsDialogue, cheerful, dialogue],
  ['a chosen second voice', ttsDialogue, { ...cheerful, voice2: 'Orus' }, ofOrus],
  ['the documented id of music', music, la, song],
  ['lyrics in custom mode', music, lyrics, waltz],
  [
    'a title of whole words, without one the first line that is sung',
    music,
    { ...untitled, prompt: longLine },
    { ...waltz, prompt: longLine, title: 'Over the sea and far away, past all the islands, wandering' },
  ],
  ['no fields of custom mode when the mode is off', music, without, song],
  [
    'a persona with its usual model',
    music,
    { ...lyrics, personaId: 'p1' },
    { ...waltz, personaId: 'p1', personaModel: 'style_persona' },
  ],
  ['no model of a persona without one', music, { ...lyrics, personaModel: 'voice_persona' }, waltz],
  ['the gender of a voice', music, { ...la, vocalGender: 'f' }, { ...song, vocalGender: 'f' }],
  [
    'no gender for instrumental music',
    music,
    { ...la, vocalGender: 'f', instrumental: true },
    { ...song, instrumental: true },
  ],
])('a request has %s', (_, model, answers, body) => {
  expect(catalog.request(model, answers)).toEqual(body)
})

it('the prompt of a song has the limit of its mode, in characters', () => {
  const [prompt] = music.fields
  const limits = [{}, { customMode: true }].map((answers) => prompt && music.limit(prompt, answers))
  expect(limits).toEqual([500, undefined])
  expect(prompt).toMatchObject({ name: 'prompt', max: 5000 })
  const isSent = (prompt: string, answers = {}) =>
    catalog.request(music, { ...answers, prompt }) !== undefined
  expect([isSent('🐈'.repeat(500)), isSent('x'.repeat(501))]).toEqual([true, false])
  expect(isSent('x'.repeat(5000), lyrics)).toBe(true)
})

describe('speech', () => {
  const configured = (settings: object) =>
    createCatalog([speechTurbo], catalogSettings.parse({ [speechTurbo.id]: settings }))

  it('is asked for as a stream above 3000 characters, if it comes at once and is not an address', () => {
    const atOnce = { async: false }
    const rows: [number, object, boolean | undefined][] = [
      [3001, atOnce, true],
      [3000, atOnce, undefined],
      [3001, {}, undefined],
      [3001, { ...atOnce, output_format: 'url' }, undefined],
      [3001, { ...atOnce, stream: false }, false],
      [1, { ...atOnce, stream: true }, true],
    ]
    const streams = rows.map(([length, request]) => {
      const body = configured({ request }).request(speechTurbo, { text: 'x'.repeat(length) })
      return [length, request, body?.stream]
    })
    expect(streams).toEqual(rows)
  })

  it('has other names of fields and numbers as texts, if the operator says so', () => {
    const own = configured({
      names: { 'voice_modify.intensity': 'energy' },
      asText: ['audio_setting.sample_rate', 'voice_setting.speed'],
    })
    const answers = { ...text, 'voice_modify.intensity': 5, 'audio_setting.sample_rate': '8000' }
    const body = own.request(speechTurbo, answers)
    expect(body && own.named(speechTurbo, body)).toMatchObject({
      voice_modify: { energy: 5 },
      audio_setting: { sample_rate: '8000' },
      voice_setting: { speed: '1' },
    })
  })

  it.each(['pronunciation_dict', 'voice_modify'])('cannot have lines that are not pairs in %s', (name) => {
    const { fits } = fieldOf(speechTurbo, name, 'text')
    const pairs = ['a = 1', 'a=1\n\nb=2']
    const all = [...pairs, 'pitch', 'pitch 10', '= 10', 'pitch =', 'a = 1\nb', '\n']
    expect(all.filter(fits)).toEqual(pairs)
  })
})

describe('a typed script', () => {
  const turns = (count: number) => ['Аня: раз', ...Array(count - 1).fill('Боря: два')].join('\n')
  it.each([
    ['8000 characters', 'x'.repeat(8000), true],
    ['8001', 'x'.repeat(8001), false],
    ['a dialogue of 100 turns', turns(100), true],
    ['a dialogue of 101', turns(101), false],
    ['a dialogue longer than a text may be', `A: ${'x'.repeat(9000)}\nB: hi`, true],
    ['three speakers', 'A: 1\nB: 2\nC: 3', false],
  ])('of %s makes a request: %s', (_, typed, fits) => {
    expect(fieldOf(ttsDialogue, 'script', 'text').fits(typed)).toBe(fits)
    expect(catalog.request(ttsDialogue, { script: typed }) !== undefined).toBe(fits)
  })

  const hello = ['Аня=привет', 'Боря=пока']
  const long = 'я'.repeat(40)
  const respelled = 'Йота: раз\nБоря: два\nИ\u0306ОТА: три'
  it.each<[string, string, string[]]>([
    ['two lines', 'Аня: привет\nБоря: пока', hello],
    ['full-width colons', 'Аня：привет\nБоря： пока', hello],
    ['lines of Windows, indented, with blank ones', ' Аня: привет \r\n\r\n\tБоря : пока\r\n', hello],
    ['words on the next line', 'Аня:\nпривет\nБоря:\n\nпока', hello],
    ['lines that continue a turn', 'Аня: да\nне так\nБоря: нет', ['Аня=да\nне так', 'Боря=нет']],
    ['another spelling of a name', respelled, ['Йота=раз', 'Боря=два', 'Йота=три']],
    ['a speaker twice in a row', 'A: one\nA: two\nB: three', ['A=one', 'A=two', 'B=three']],
    ['long names', 'Dr. Jean-Luc 2: hi\n老师: 你好', ['Dr. Jean-Luc 2=hi', '老师=你好']],
    ['names with marks of their own', 'हिन्दी: नमस्ते\nमीरा: हाँ', ['हिन्दी=नमस्ते', 'मीरा=हाँ']],
    ['a name of 40 characters', `${long}: раз\nБоря: два`, [`${long}=раз`, 'Боря=два']],
    ['times and addresses', 'A: so?\n12:30\nhttps://a.co/a\nB: ok', ['A=so?\n12:30\nhttps://a.co/a', 'B=ok']],
    ['a turn without words', 'Аня: раз\nБоря:\nАня: два\nБоря: три', ['Аня=раз', 'Аня=два', 'Боря=три']],
  ])('is a dialogue: %s', (_, typed, said) => {
    const parsed = parseScript(typed)
    const found =
      parsed.kind === 'dialogue' && parsed.turns.map(({ speaker, words }) => `${speaker}=${words}`)
    expect(found).toEqual(said)
  })

  it.each([
    ['one speaker only', 'Аня: привет\nкак дела?\nАня: пока'],
    ['a line with a colon', 'Внимание: завтра не работаем'],
    ['a second speaker who says nothing', 'Аня: привет\nБоря:'],
    ['an address', 'https://example.com\nhttp://example.org'],
    ['times', '12:30 подъём\n13:00 обед'],
    [
      'labels after a first line without a speaker',
      'Мой план!\nСуббота: лес\nВоскресенье: река\nВторник: сон',
    ],
    ['names of 41 characters', `я${long}: раз\nю${long}: два`],
    ['names with other signs in them', '«Аня»: раз\n(Боря): два'],
  ])('is a text for one voice, and kept as written: %s', (_, typed) => {
    expect(parseScript(typed)).toEqual({ kind: 'text', text: typed })
  })

  it.each([
    ['two lines', 'Anna: hello\nAnna: bye', 'hello\nbye'],
    ['a name in two spellings', 'Аня: привет\n\nаня : пока', 'привет\nпока'],
  ])('is a text for one voice without the name that every line has: %s', (_, typed, text) => {
    const [speaker] = typed.split(':')
    expect(parseScript(typed)).toEqual({ kind: 'text', text, speaker })
    const answers = { script: typed }
    expect(ttsDialogue.write(answers)).toEqual({ text, voice: 'Kore' })
    const called = settingAt(ttsDialogue, ttsDialogue.complete(answers), 'voice')?.field
    expect(called).toMatchObject({ label: 'field-speaker-voice', whose: speaker })
  })

  it('that is too long is refused with its length and the limit, in lines or in characters', () => {
    const refused = (script: string) => whyUnfit(ttsDialogue, {}, script)
    expect(refused('A: one\nB: two\n'.repeat(50))).toBeUndefined()
    expect(refused(`${'A: one\nB: two\n'.repeat(50)}A: three`)).toEqual({
      ...{ reason: 'too-many-turns', length: 101, max: 100 },
    })
    expect(refused('a'.repeat(8001))).toEqual({ reason: 'too-long', length: 8001, max: 8000 })
  })

  it('with three speakers has too many, in order of appearance', () => {
    const parsed = parseScript('Аня: раз\nБоря: два\nВера: три\nаня: четыре')
    expect(parsed).toEqual({ kind: 'too-many-speakers', speakers: ['Аня', 'Боря', 'Вера'] })
  })
})
