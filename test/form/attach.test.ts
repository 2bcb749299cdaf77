// Files in answer to a field: the meaning of their captions, refusals with reasons, and the maximum number of files.

import { describe, expect, it } from 'vitest'
import { frameWordsIn } from '../../src/bot/cards/attachment.ts'
import type { Answer, Attachment, MediaField, Medium } from '../../src/catalog/field.ts'
import type { Model } from '../../src/catalog/model.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { attach } from '../../src/form/answer.ts'
import { loadTexts } from '../../src/texts.ts'

function fieldOf(model: Model, name: string): MediaField {
  const field = model.fields.find((one) => one.name === name)
  if (field?.kind !== 'media') throw new Error(`${name} takes no files`)
  return field
}

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

const frames = fieldOf(videoReel, 'frames')
const ends = fieldOf(videoWan, 'frames')
const references = fieldOf(videoReel, 'references')
const collage = fieldOf(videoReel, 'collage')

describe('the caption of a frame', () => {
  it('names the first or the last frame, or an index', () => {
    const captions = ['   ', 'First', ' LAST ', 'первый', 'Последний', '0', '-1', '9999']
    const read = [undefined, 'first', 'last', 'first', 'last', '0', '-1', '9999']
    expect(captions.map((caption) => notes(frames, [caption]))).toEqual(read.map((note) => [note]))
  })

  it('is refused when it names no frame', () => {
    for (const caption of 'the first one|середина|-2|1.5|12345|1 2|@cat|<b>|__proto__'.split('|'))
      expect(notes(frames, [caption]), caption).toBe('bad-frame')
  })

  it.each([[['first', 'первый']], [['0', 'first']], [['last', '-1']], [['12', '12']], [['007', '7']]])(
    'cannot name a position twice: %j',
    (captions) => {
      expect(notes(frames, captions)).toBe('files-do-not-fit')
    },
  )

  it('can name only the first or the last frame for a model that accepts no other position', () => {
    expect(notes(ends, ['last', 'first'])).toEqual(['last', 'first'])
    expect(notes(ends, ['12'])).toBe('files-do-not-fit')
  })
})

describe('the caption of a reference', () => {
  it.each([
    ['', undefined],
    ['@cat', '@cat'],
    ['this is @cat, mine', '@cat'],
    ['@кот_1 и @пёс', '@кот_1'],
    ['a cat', undefined],
    ['@', undefined],
    [`@${'x'.repeat(40)}`, `@${'x'.repeat(32)}`],
  ])('is read: %j gives %s', (caption, note) => {
    expect(notes(references, [caption])).toEqual([note])
  })

  it('applies to the later pictures of an album, until the next caption', () => {
    expect(notes(references, ['@cat', '', '', '@dog', ''])).toEqual(['@cat', '@cat', '@cat', '@dog', '@dog'])
  })

  it.each([
    ['six pictures of one character', ['@cat', '', '', '', '', ''], 'files-do-not-fit'],
    ['four characters', ['@a', '@b', '@c', '@d'], 'files-do-not-fit'],
    [
      'five pictures of each of three characters',
      ['@a', '', '', '', '', '@b', '', '', '', '', '@c', '', '', '', ''],
      15,
    ],
  ])('is accepted or refused with the others: %s', (_, captions, outcome) => {
    const taken = notes(references, captions)
    expect(Array.isArray(taken) ? taken.length : taken).toBe(outcome)
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
  const example = fieldOf(videoReel, 'exampleVideo')
  const frame = fieldOf(videoDream, 'firstPicture')
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
    const read = attach(fieldOf(videoDream, 'firstPicture'), [first], file('image', { file: 'new' }))
    expect(read).toEqual({ ok: true, answer: [file('image', { file: 'new' })] })
  })
})
