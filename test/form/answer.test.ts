// Answers to a field: taps on the options of a text, by a key that fits into callback data; typed answers; files and their captions. The card
// of a draft.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameWordsIn } from '../../src/bot/cards/attachment.ts'
import type {
  Answer,
  Answers,
  Attachment,
  Field,
  MediaField,
  Medium,
  Option,
} from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { standIn } from '../../src/catalog/media.ts'
import type { Model } from '../../src/catalog/model.ts'
import { music } from '../../src/catalog/music.ts'
import { speechTurbo } from '../../src/catalog/speech-turbo.ts'
import { ttsDialogue } from '../../src/catalog/tts-dialogue.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { attach, keyOf, readAnswer, readOption, readWithRoom } from '../../src/form/answer.ts'
import { cardOf, pickKey } from '../../src/form/card.ts'
import { loadTexts } from '../../src/texts.ts'
import { fieldOf, sampleAnswers } from '../support/gateway/samples.ts'

const option = (value: string): Option => ({ value, label: { ru: value, en: value }, set: {} })
const offers = ['Kore', 'Puck', 'голос-'.repeat(10), 'голос-'.repeat(11)].map(option)
const voice = fieldOf(speechTurbo, 'voice_setting.voice_id', 'text')
const effects = fieldOf(videoDream, 'concepts', 'text')
const outcome = (read: ReturnType<typeof readOption>) => (read?.ok ? read.answer : read?.refusal.reason)

it('a tap chooses the value of a field by its key, and is refused with a key of no option', () => {
  const refused = ['Charon', '~abc', 'Kor', '', 'голос-'.repeat(10)]
  const rows = [
    ...offers.map((one) => [pickKey(one), one.value]),
    ...refused.map((key) => [key, 'not-an-option']),
  ]
  const read = rows.map(([key = '']) => [key, outcome(readOption(voice, offers, 'Kore', key))])
  expect(read).toEqual(rows)
})

describe('taps on options of a field for several values', () => {
  const named = ['zoom_in', 'handheld', 'a very long name of an effect'].map(option)

  it('add and remove the values one by one, and leave no answer when the last one is removed', () => {
    const rows = [
      [undefined, 'zoom_in', 'zoom_in'],
      ['zoom_in', 'handheld', 'zoom_in, handheld'],
      ['zoom_in, handheld', 'zoom_in', 'handheld'],
      ['handheld', 'a very long name of an effect', 'handheld, a very long name of an effect'],
      ['zoom_in', 'zoom_in', undefined],
      [' zoom_in ,', 'zoom_in', undefined],
    ]
    const tap = ([current, value = '']: (typeof rows)[number]) =>
      outcome(readOption(effects, named, current, keyOf(value)))
    expect(rows.map((row) => [...row.slice(0, 2), tap(row)])).toEqual(rows)
  })

  it('are refused when the answer would exceed the length of the field', () => {
    const many = Array.from({ length: 60 }, (_, i) => option(`effect number ${i} of the list`))
    let answer: string | undefined
    for (const one of many) {
      const read = readOption(effects, many, answer, keyOf(one.value))
      if (read?.ok) answer = String(read.answer)
    }
    expect(answer?.length).toBeGreaterThan(900)
    expect(answer?.length).toBeLessThanOrEqual(effects.max)
  })
})

it('the key of an option is short, the same as in old buttons, and unique among a thousand', () => {
  const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  fc.assert(fc.property(value, (one) => Buffer.byteLength(keyOf(one)) <= 24))
  expect(['Kore', 'голос-'.repeat(10)].map(keyOf)).toEqual(['Kore', '~1sz4f371q29idt'])
  const alike = Array.from({ length: 1000 }, (_, i) => keyOf(`a voice of the operator, number ${i}`))
  expect(new Set(alike).size).toBe(1000)
})

describe('a typed text', () => {
  const fileOfOurs = standIn({ file: 'AgACAg', medium: 'image', mime: 'image/png' }, 'data')
  const typed = [fileOfOurs, 'https://media.invalid/x', `Anna: ${fileOfOurs}\nBob: bye`, `a = ${fileOfOurs}`]

  it('that is a stand-in for a file is refused by every field', () => {
    const taken = models.flatMap((model) =>
      model.fields
        .filter(({ kind }) => kind === 'text')
        .flatMap((field) => typed.filter((words) => readAnswer(model, field, {}, words).ok)),
    )
    expect(taken).toEqual([])
  })

  it('loses the NUL characters that the database cannot store', () => {
    const script = fieldOf(ttsDialogue, 'script', 'text')
    expect(readAnswer(ttsDialogue, script, {}, 'a\u0000b\n\tc')).toEqual({ ok: true, answer: 'ab\n\tc' })
    expect(readAnswer(ttsDialogue, script, {}, '\u0000')).toMatchObject({ refusal: { reason: 'empty' } })
  })
})

describe('a typed text that is too long beside a toggle', () => {
  const song = fieldOf(music, 'prompt', 'text')

  it('changes the toggle if it then fits', () => {
    const text = 'la'.repeat(300)
    const read = readWithRoom(music, song, {}, text)
    expect(read).toMatchObject({
      ok: true,
      answer: text,
      room: { field: { name: 'customMode' }, answer: true },
    })
  })

  it('is refused with the highest limit if it never fits', () => {
    const refusal = { reason: 'too-long', max: 5000, length: 6000 }
    expect(readWithRoom(music, song, {}, 'la'.repeat(3000))).toEqual({ ok: false, refusal })
  })
})

const field = (name: string): Field => {
  const found = videoReel.fields.find((one) => one.name === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

it('a typed answer is read, or refused with its reason', () => {
  const rows: [name: string, typed: string, answer: Answer | string][] = [
    ['duration', '5', 5],
    ['numberResults', '4', 4],
    ['seed', '0', 0],
    ['positivePrompt', '  a cat  ', 'a cat'],
    ['size', '848x480', '848x480'],
    ['settings.audio', 'on', true],
    ['duration', '2', 'out-of-range'],
    ['duration', '16', 'out-of-range'],
    ['duration', 'много', 'not-a-number'],
    ['numberResults', '1.5', 'not-whole'],
    ['numberResults', '5', 'out-of-range'],
    ['seed', '99999999999999999', 'unclear-number'],
    ['positivePrompt', '   ', 'empty'],
    ['positivePrompt', 'x'.repeat(5121), 'too-long'],
    ['size', '1x1', 'not-an-option'],
    ['size', '__proto__', 'not-an-option'],
    ['settings.audio', 'maybe', 'not-an-option'],
  ]
  const read = ([name, typed]: (typeof rows)[number]) =>
    outcome(readAnswer(videoReel, field(name), {}, typed))
  expect(rows.map((row) => [row[0], row[1], read(row)])).toEqual(rows)
})

// Files.

const usual = { image: 'image/jpeg', video: 'video/mp4', audio: 'audio/ogg' } as const
const file = (medium: Medium, facts: Partial<Attachment> = {}): Attachment => ({
  file: 'a',
  medium,
  mime: usual[medium],
  ...facts,
})

const words = frameWordsIn(loadTexts())

/** The notes that pictures with these captions get, or the reason why one of them was refused. */
function notes(field: MediaField, captions: readonly string[]): (string | undefined)[] | string {
  let answer: Answer | undefined
  for (const [index, caption] of captions.entries()) {
    const read = attach(field, answer, file('image', { file: `p${index}` }), caption, words)
    if (!read.ok) return read.refusal.reason
    answer = read.answer
  }
  return Array.isArray(answer) ? answer.map(({ note }) => note) : []
}

const frames = fieldOf(videoReel, 'frames', 'media')
const ends = fieldOf(videoWan, 'frames', 'media')
const references = fieldOf(videoReel, 'references', 'media')
const collage = fieldOf(videoReel, 'collage', 'media')

describe('the caption of a frame', () => {
  it('names the first or the last frame, or an index', () => {
    const captions = ['   ', 'First', ' LAST ', 'первый', 'Последний', '0', '-1', '9999']
    const read = [undefined, 'first', 'last', 'first', 'last', '0', '-1', '9999']
    expect(captions.map((caption) => notes(frames, [caption]))).toEqual(read.map((note) => [note]))
  })

  it('names it also beside words like “frame”, in both languages', () => {
    const captions = ['Последний кадр', 'the first frame', 'кадр 3', 'это конец', 'фото', 'Start']
    const read = ['last', 'first', '3', 'last', undefined, 'first']
    expect(captions.map((caption) => notes(frames, [caption]))).toEqual(read.map((note) => [note]))
  })

  it('is refused when it names no frame', () => {
    for (const caption of 'the first one|середина|3 кота|last first|-2|1.5|12345|1 2|@cat|<b>|__proto__'.split(
      '|',
    ))
      expect(notes(frames, [caption]), caption).toBe('bad-frame')
  })

  it('cannot name a position twice', () => {
    const twice = [
      ['first', 'первый'],
      ['0', 'first'],
      ['last', '-1'],
      ['12', '12'],
      ['007', '7'],
    ]
    for (const captions of twice) expect(notes(frames, captions), captions.join()).toBe('files-do-not-fit')
  })

  it('can name only the first or the last frame for a model that accepts no other position', () => {
    expect(notes(ends, ['last', 'first'])).toEqual(['last', 'first'])
    expect(notes(ends, ['12'])).toBe('files-do-not-fit')
  })
})

describe('the caption of a reference', () => {
  it('is read', () => {
    const rows: [string, string | undefined][] = [
      ['', undefined],
      ['@cat', '@cat'],
      ['this is @cat, mine', '@cat'],
      ['@кот_1 и @пёс', '@кот_1'],
      ['a cat', undefined],
      ['@', undefined],
      [`@${'x'.repeat(40)}`, `@${'x'.repeat(32)}`],
    ]
    expect(rows.map(([caption]) => [caption, ...notes(references, [caption])])).toEqual(rows)
  })

  it('applies to the later pictures of an album, until the next caption', () => {
    expect(notes(references, ['@cat', '', '', '@dog', ''])).toEqual(['@cat', '@cat', '@cat', '@dog', '@dog'])
  })

  it('is accepted or refused with the others: five pictures of a character, three characters', () => {
    const album = (tags: string, pictures: number) =>
      [...tags].flatMap((tag) => [`@${tag}`, ...Array(pictures - 1).fill('')])
    expect(notes(references, album('a', 6))).toBe('files-do-not-fit')
    expect(notes(references, album('abcd', 1))).toBe('files-do-not-fit')
    expect(notes(references, album('abc', 5))).toHaveLength(15)
  })

  it('must be the same for all pictures of a collage', () => {
    expect(notes(collage, ['@a', '@b'])).toBe('files-do-not-fit')
  })

  it('must have been used for a picture before it is used for a voice', () => {
    const voice = file('audio', { seconds: 15 })
    expect(attach(references, undefined, voice, '@cat')).toMatchObject({
      refusal: { reason: 'files-do-not-fit' },
    })
    const cat = [file('image', { note: '@cat' })]
    const spoken = attach(references, cat, voice, '@cat')
    expect(spoken).toMatchObject({ ok: true, answer: [{ note: '@cat' }, { medium: 'audio', note: '@cat' }] })
    const both = spoken.ok ? spoken.answer : undefined
    expect(attach(references, both, voice, '@cat')).toMatchObject({ refusal: { reason: 'files-do-not-fit' } })
  })
})

describe('the properties of a file', () => {
  const megabyte = 1024 * 1024
  const example = fieldOf(videoReel, 'exampleVideo', 'media')
  const frame = fieldOf(videoDream, 'firstPicture', 'media')
  const sized = (bytes: number) => file('image', { bytes })
  const filmed = (height: number) => file('video', { width: 1920, height })
  it.each<[string, MediaField, Attachment, object?]>([
    ['a video in place of a picture', frames, file('video'), { reason: 'needs-image' }],
    ['a picture in place of a video', example, file('image'), { reason: 'needs-video' }],
    ['10 MB inside a request', frames, sized(10 * megabyte)],
    ['more inside a request', frames, sized(10 * megabyte + 1), { reason: 'file-too-large', max: 10 }],
    ['20 MB behind a link', frame, sized(20 * megabyte)],
    ['more behind a link', frame, sized(20 * megabyte + 1), { reason: 'file-too-large', max: 20 }],
    ['a drawing', frames, file('image', { mime: 'image/svg+xml' }), { reason: 'picture-format' }],
    ['15 seconds', example, file('video', { seconds: 15 })],
    ['16 seconds', example, file('video', { seconds: 16 }), { reason: 'file-too-long', max: 15 }],
    ['1 866 240 pixels', example, filmed(972)],
    ['fewer', example, filmed(971), { reason: 'too-few-pixels', min: 1_866_240 }],
  ])('are accepted or refused: %s', (_, field, sent, refusal) => {
    expect(attach(field, undefined, sent)).toMatchObject(refusal ? { ok: false, refusal } : { ok: true })
  })
})

describe('the number of files', () => {
  it('cannot exceed the maximum, and a refused file keeps the earlier files', () => {
    expect(notes(frames, Array(8).fill(''))).toHaveLength(8)
    expect(notes(frames, Array(9).fill(''))).toBe('too-many-files')
    expect(notes(ends, ['', '', ''])).toBe('too-many-files')
  })

  it('stays one when a new file replaces the only allowed one', () => {
    const first = file('image', { file: 'old' })
    const read = attach(fieldOf(videoDream, 'firstPicture', 'media'), [first], file('image', { file: 'new' }))
    expect(read).toEqual({ ok: true, answer: [file('image', { file: 'new' })] })
  })
})

describe('the card', () => {
  const main = (model: Model, answers: Answers) => cardOf(model, answers, { at: 'main' })
  const inLines = (model: Model, answers: Answers) =>
    main(model, answers).lines.map(({ field: { label }, answer }) => [label, answer])
  const inButtons = (model: Model, answers: Answers) =>
    main(model, answers)
      .buttons.flat()
      .flatMap((button): unknown[][] => {
        if (button.to === 'open' && !button.inLine) return [[button.page, button.answer]]
        return button.to === 'set' ? [[button.page, button.chosen]] : []
      })

  it('shows a value once: in its button, or in a line when the button is on another page', () => {
    const answers = { positivePrompt: 'a cat', size: '720x1280', outputFormat: 'MOV', numberResults: 1 }
    expect(inButtons(videoReel, answers)).toEqual([
      ['size.shape', '720x1280'],
      ['duration', 5],
      ['settings.audio', false],
    ])
    expect(inLines(videoReel, answers)).toEqual([
      ['field-prompt', 'a cat'],
      ['field-resolution', '720x1280'],
      ['field-file-format', 'MOV'],
    ])
    expect(inLines(videoReel, { positivePrompt: 'a cat', outputFormat: 'MP4' })).toEqual([
      ['field-prompt', 'a cat'],
    ])
  })

  it.each(models.map((model) => [model.id, model] as const))('of %s fits on a phone', (_, model) => {
    const card = cardOf(model, sampleAnswers(model), { at: 'main' }, { siblings: [] })
    const fields = card.buttons.flat().flatMap((button) => ('field' in button ? [button.field] : []))
    const settings = fields.filter(({ kind, audience }) => kind !== 'media' && audience === 'card')
    expect(settings.length).toBeLessThanOrEqual(3)
    // The order, the settings, the inputs, and the rest. A row with long labels is divided when it is drawn.
    expect(card.buttons.length).toBeLessThanOrEqual(4)
    expect(card.buttons.every((row) => row.length <= 3)).toBe(true)
  })

  it('offers the sizes of a frame as a quality and a shape', () => {
    const options = (name: string) =>
      cardOf(videoReel, { size: '720x1280' }, { at: 'field', name })
        .buttons.flat()
        .flatMap((button) => (button.to === 'set' ? [`${button.value}${button.chosen ? ' ✓' : ''}`] : []))
    expect(options('size.quality')).toEqual(['480x848', '720x1280 ✓', '1088x1920'])
    const shapes = ['720p', '1280x720', '720x1280 ✓', '1088x832', '832x1088', '960x960']
    expect(options('size.shape')).toEqual(shapes)
    expect(options('size')).toHaveLength(18)
  })
})
