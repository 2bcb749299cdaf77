// Turns an input for one field, typed, tapped or sent as a file, into an answer, or into a refusal with its reason.

import {
  type Answer,
  type Answers,
  type Attachment,
  type Field,
  isTakenPicture,
  isUserField,
  type MediaField,
  type Misfit,
  type NumberField,
  type Option,
  type ToggleField,
} from '../catalog/field.ts'
import { codePoints, visible } from '../catalog/fields.ts'
import { standIn } from '../catalog/media.ts'
import type { Model } from '../catalog/model.ts'
import { plainNumber } from '../money.ts'

export type Refusal =
  | Misfit
  | { readonly reason: 'out-of-range'; readonly min: number; readonly max: number; readonly value: number }
  | { readonly reason: 'below-least' | 'too-few-pixels'; readonly min: number }
  | { readonly reason: 'file-too-large' | 'file-too-long' | 'too-many-files'; readonly max: number }
  | {
      readonly reason:
        | 'empty'
        | 'bad-format'
        | 'not-a-number'
        | 'unclear-number'
        | 'not-whole'
        | 'not-an-option'
    }
  | { readonly reason: 'not-a-file' | 'needs-image' | 'needs-video' | 'needs-audio' | 'picture-format' }
  /** `needs-link`: the gateway would have to fetch the file from our server, which has no public address. */
  | { readonly reason: 'needs-link' | 'needs-address' | 'bad-frame' | 'files-do-not-fit' }
  | { readonly reason: 'one-link' | 'link-not-public' | 'link-unreachable' | 'link-not-media' }

export type Read =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly refusal: Refusal }

export const refuse = (refusal: Refusal): Read => ({ ok: false, refusal })

/** @param answers the answers to the other fields, which can narrow the range of this one */
export function readAnswer(model: Model, field: Field, answers: Answers, input: string): Read {
  const limit = model.limit(field, answers) ?? Number.POSITIVE_INFINITY
  switch (field.kind) {
    case 'text':
      return readText(field, input, Math.min(field.max, limit))
    case 'number':
      return readNumber(field, input, Math.min(field.max, limit))
    case 'choice': {
      const known = field.options.some((option) => option.value === input)
      return known ? { ok: true, answer: input } : refuse({ reason: 'not-an-option' })
    }
    case 'toggle':
      if (input !== 'on' && input !== 'off') return refuse({ reason: 'not-an-option' })
      return { ok: true, answer: input === 'on' }
    case 'media':
      return refuse({ reason: 'not-a-file' })
  }
}

/** Whether the answer can be written, and not only tapped or sent as a file. */
export const takesWords = (field: Field): boolean =>
  field.kind === 'choice' || field.kind === 'number' || (field.kind === 'text' && field.source !== 'videos')

/** A toggle that is changed so that a text fits. */
export interface ToggleChange {
  readonly field: ToggleField
  readonly answer: boolean
}

/**
 * Like `readAnswer`, but if a text is too long only because of one toggle, the toggle is changed: lyrics can be longer than a description.
 * A refusal names the highest limit.
 */
export function readWithRoom(
  model: Model,
  field: Field,
  answers: Answers,
  input: string,
): Read & { readonly room?: ToggleChange } {
  const read = readAnswer(model, field, answers, input)
  if (read.ok || read.refusal.reason !== 'too-long') return read
  const complete = model.complete(answers)
  let { max } = read.refusal
  for (const toggle of model.fields.filter((one) => one.kind === 'toggle').filter(isUserField)) {
    const answer = complete[toggle.name] !== true
    const other = readAnswer(model, field, { ...answers, [toggle.name]: answer }, input)
    if (other.ok) return { ...other, room: { field: toggle, answer } }
    if (other.refusal.reason === 'too-long') max = Math.max(max, other.refusal.max)
  }
  return refuse({ ...read.refusal, max })
}

/** The answers that `readWithRoom` gives. */
export const answersIn = (
  field: Field,
  { answer, room }: { readonly answer: Answer; readonly room?: ToggleChange | undefined },
): Answers => ({
  [field.name]: answer,
  ...(room ? { [room.field.name]: room.answer } : {}),
})

/** Typed stand-ins are refused: they would be replaced with a file at submission. */
const standIns = new URL(standIn({ file: '-', medium: 'image', mime: '-' }, 'data')).origin

function readText(field: Extract<Field, { kind: 'text' }>, input: string, max: number): Read {
  // PostgreSQL stores no NUL character; a text file can contain one.
  const answer = visible(input.replaceAll('\0', ''))
  const length = codePoints(answer)
  if (length < field.min) return refuse({ reason: 'empty' })
  if (length > max) return refuse({ reason: 'too-long', max, length })
  if (answer.includes(standIns)) return refuse({ reason: 'bad-format' })
  return field.fits(answer)
    ? { ok: true, answer }
    : refuse(field.misfit?.(answer) ?? { reason: 'bad-format' })
}

/** `5`, `5,5`, `1 000`, `5 s`, `5 секунд`: a number with at most one word after it. */
const numberPattern = /^([+-]?)([\d\s.,'’]{1,40}?)\s*(\p{L}{0,12})\.?$/u
/** Words after a number that change its value: thousands, minutes, centimetres; and the letters of `1e` and `0x`. */
const scale =
  /^(?:[kкehчbnox]|тыс\p{L}*|thousand|ml?n|млн|min\p{L}*|мин\p{L}*|hours?|час\p{L}*|[ckm]m|ms|[скм]м|мс|ft|feet|inch(?:es)?)$/iu

function readNumber(field: NumberField, input: string, max: number): Read {
  const [, sign = '', digits = '', word = ''] = numberPattern.exec(input.trim()) ?? []
  if (!/\d/.test(digits) || scale.test(word)) return refuse({ reason: 'not-a-number' })
  const plain = plainNumber(digits)
  if (plain === undefined) return refuse({ reason: 'unclear-number' })
  return within(field, Number(`${sign}${plain}`), max)
}

/** Like `readAnswer`, but for a number that was not typed. */
export function readExact(model: Model, field: NumberField, answers: Answers, value: number): Read {
  return within(field, value, Math.min(field.max, model.limit(field, answers) ?? Number.POSITIVE_INFINITY))
}

function within(field: NumberField, value: number, max: number): Read {
  // Plus zero: a typed `-0` is 0.
  const answer = value + 0
  if (field.integer && !Number.isSafeInteger(answer)) return refuse({ reason: 'not-whole' })
  if (answer >= field.min && answer <= max) return { ok: true, answer }
  return max >= Number.MAX_SAFE_INTEGER
    ? refuse({ reason: 'below-least', min: field.min })
    : refuse({ reason: 'out-of-range', min: field.min, max, value: answer })
}

/** The space for a value in the 64 bytes of callback data, beside the draft and the field. */
const keyBytes = 24

/** The key of an option in callback data: its value, or a digest of a long value. */
export const keyOf = (value: string): string =>
  new TextEncoder().encode(value).length <= keyBytes ? value : `~${digest(value)}`

/** FNV-1a with two initial values; collisions matter only within one list of options. */
function digest(value: string): string {
  const halves = [0x811c9dc5, 0x01000193].map((start) => {
    let hash = start
    for (const byte of new TextEncoder().encode(value)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
    return hash.toString(36)
  })
  return halves.join('')
}

/** Reads a tap on an offered option of a text field. Undefined clears the answer: the last chosen option was tapped again. */
export function readOption(
  field: Extract<Field, { kind: 'text' }>,
  offers: readonly Option[],
  current: Answer | undefined,
  key: string,
): Read | undefined {
  const option = offers.find(({ value }) => keyOf(value) === key)
  if (!option) return refuse({ reason: 'not-an-option' })
  if (!field.many) return { ok: true, answer: option.value }
  const chosen = listOf(current)
  const next = chosen.includes(option.value)
    ? chosen.filter((one) => one !== option.value)
    : [...chosen, option.value]
  const answer = next.join(', ')
  const length = codePoints(answer)
  if (length > field.max) return refuse({ reason: 'too-long', max: field.max, length })
  return next.length > 0 ? { ok: true, answer } : undefined
}

/** The options in an answer to a field that takes several. */
export const listOf = (answer: Answer | undefined): string[] =>
  typeof answer === 'string' ? answer.split(',').flatMap((part) => part.trim() || []) : []

// Adds a file that was sent in answer to a field to the files before it, or refuses it with a reason.

const megabyte = 1024 * 1024

/** About how many characters are spoken in a second, in any language. */
const spokenInSecond = 13
/** As many as the longest video has time for: 15 seconds. */
const mostSpoken = 15 * spokenInSecond

/** Words in place of a sound. @param file the id of the draft that a speech model will say them for */
export const spoken = (file: string, words: string): Attachment => ({
  file,
  medium: 'audio',
  mime: 'audio/mpeg',
  seconds: Math.ceil(codePoints(words) / spokenInSecond) + 1,
  words,
})

/** A video that follows a sound is as long as the sound, as far as the model makes it so long. */
export function lengthOfSound({ fields }: Model, field: Field, answer: Answer | undefined): Answers {
  const length = fields.find(({ name }) => name === 'duration')
  const [sound] = Array.isArray(answer) ? answer : []
  if (field.kind !== 'media' || !field.speaks || length?.kind !== 'number' || !sound?.seconds) return {}
  return { [length.name]: Math.min(length.max, Math.max(length.min, Math.ceil(sound.seconds))) }
}

/** The words among the answers that a speech model says. */
export const spokenIn = (answers: Answers): Attachment | undefined =>
  Object.values(answers)
    .flatMap((answer) => (typeof answer === 'object' ? answer : []))
    .find(({ words }) => words !== undefined)

/** The words of captions that name a frame, in lower case, with the note that each stands for; words beside them, like “frame”, have none. */
export type FrameWords = ReadonlyMap<string, 'first' | 'last' | undefined>
const noFrameWords: FrameWords = new Map()

/**
 * The frame that a caption names: `last`, `the last frame`, `кадр 3`.
 * @returns undefined for a caption without words, null for one that names no frame
 */
export function frameNamed(caption: string, frameWords: FrameWords): string | undefined | null {
  const words = caption.toLowerCase().split(/\s+/)
  const isBeside = (word: string) => word === '' || (frameWords.has(word) && !frameWords.get(word))
  const [place, ...others] = words.filter((word) => !isBeside(word))
  if (place === undefined) return undefined
  // When an answer is moved to another model, its notes are passed as captions: `first`, `last` or a number.
  const note = frameWords.get(place) ?? (/^(first|last|-1|\d{1,4})$/.test(place) ? place : null)
  return others.length > 0 ? null : note
}

/** @param caption the text under the file */
export function attach(
  field: MediaField,
  current: Answer | undefined,
  sent: Attachment,
  caption = '',
  frameWords = noFrameWords,
): Read {
  const refusal = refusalOf(field, sent)
  if (refusal) return refuse(refusal)
  const before: readonly Attachment[] = Array.isArray(current) && field.max > 1 ? current : []
  if (before.length >= field.max) return refuse({ reason: 'too-many-files', max: field.max })
  const note = noteOf(field, before, caption, frameWords)
  if (note === null) return refuse({ reason: 'bad-frame' })
  const answer = [...before, note === undefined ? sent : { ...sent, note }]
  return field.fits(answer) ? { ok: true, answer } : refuse({ reason: 'files-do-not-fit' })
}

function refusalOf(
  field: MediaField,
  { medium, mime, given, words, bytes = 0, seconds = 0, width, height }: Attachment,
): Refusal | undefined {
  const { maxBytes, maxSeconds = Number.POSITIVE_INFINITY, minPixels = 0 } = field
  if (!field.media.includes(medium)) return { reason: `needs-${field.media[0] ?? medium}` }
  if (words !== undefined) return refusalOfWords(field, words)
  // The gateway alone knows what an id stands for.
  if (given === 'id') return field.addressesOnly ? { reason: 'needs-address' } : undefined
  if (medium === 'image' && !isTakenPicture(mime)) return { reason: 'picture-format' }
  if (!given && bytes > maxBytes) return { reason: 'file-too-large', max: maxBytes / megabyte }
  if (seconds > maxSeconds) return { reason: 'file-too-long', max: maxSeconds }
  // Facts that cannot be read are left for the gateway to check.
  const pixels = width && height ? width * height : Number.POSITIVE_INFINITY
  return pixels < minPixels ? { reason: 'too-few-pixels', min: minPixels } : undefined
}

/** Why the sound of a field cannot be these words. */
export function refusalOfWords({ speaks }: MediaField, words: string): Refusal | undefined {
  if (!speaks) return { reason: 'needs-audio' }
  const length = codePoints(words)
  return length > mostSpoken ? { reason: 'too-long', max: mostSpoken, length } : undefined
}

/** The note of a file; undefined if it has none, null for a caption that names no frame. */
function noteOf(
  field: MediaField,
  before: readonly Attachment[],
  caption: string,
  frameWords: FrameWords,
): string | undefined | null {
  if (field.caption === 'frame') return frameNamed(caption, frameWords)
  if (field.caption === 'tag') {
    // Pictures of one album share the caption of the first.
    return /@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,30}[\p{L}\p{N}_])?/u.exec(caption)?.[0] ?? before.at(-1)?.note
  }
  return undefined
}
