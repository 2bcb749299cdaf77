// The closed set of field kinds. A field defines the possible answers of the user, the values that the request may contain (`shape`, by
// path), and how an answer is written into the request. A new kind needs a case in every exhaustive switch.

import { z } from 'zod'
import type { BareKey, PlainTexts } from '../text-keys.ts'

/** Text by language; `*` stands for every other language. */
type Translations = Readonly<Record<string, string>>
/** The name of a model, a field or an option: a key of the locale files, or text that is not in them. */
export type Label = BareKey | Translations

/** The label of a name or a value that is the same in every language. */
export const sameInAll = (name: string): Translations => ({ '*': name })

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json }
/** Request values by path: `{ 'settings.audio': true }`. */
export type Flat = Readonly<Record<string, Json>>
export type Shape = Readonly<Record<string, z.ZodType<Json>>>

/** Who sets a field: the user (asked until answered, on the card, or under "advanced"), the operator, or the app. */
export type Audience = 'asked' | 'card' | 'advanced' | 'operator' | 'system'

/** The answer of a user to a field; stored as JSON in the draft. */
export type Answer = string | number | boolean | readonly Attachment[]
export type Answers = Readonly<Record<string, Answer>>

/** The label and the hint of a field, which depend on the other answers. */
export interface Called {
  readonly label: Label
  /** Another hint; by default the usual one of the field. */
  readonly hint?: Label
  /** The name of a speaker, which is shown before the label. */
  readonly whose?: string
}

interface Common<S extends Shape> {
  readonly name: string
  readonly label: Label
  readonly hint?: Label
  readonly whose?: string
  /** Another label and hint, depending on the answers with defaults; undefined for the usual ones. */
  readonly called?: (answers: Answers) => Called | undefined
  readonly audience: Audience
  readonly shape: S
  /** Whether every request must contain the field's path; `'object'` requires only the object around the path. */
  readonly required?: boolean | 'object'
  /** Whether the field is shown and sent, depending on the answers (with defaults) to the other fields. */
  readonly when?: (answers: Answers) => boolean
  /** The request values of an answer; `all` are the answers with defaults. */
  write(answer: Answer, all: Answers): Flat
}

/** Where the options of a text field come from: the operator's list, the user's own rows, or the gateway. */
type Source = 'voices' | 'styles' | 'concepts' | 'videos'

/** Why a text does not fit. */
export type Misfit =
  | { readonly reason: 'needs-english' }
  | { readonly reason: 'too-many-speakers'; readonly names: string }
  | { readonly reason: 'too-long' | 'too-many-turns'; readonly length: number; readonly max: number }
  /** `tokens` is an estimate of ours; a text of `characters` has about as many tokens as are allowed. */
  | {
      readonly reason: 'too-many-tokens'
      readonly tokens: number
      readonly max: number
      readonly characters: number
    }

export interface TextField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'text'
  /** The least and the greatest length, in code points. */
  readonly min: number
  readonly max: number
  /** The source of the options that are offered as buttons; any other text can be typed. */
  readonly source?: Source
  /** Options of the field itself, or those that the operator names; they come before those of the source. */
  readonly suggestions?: readonly Option[]
  /** The answer may be several options, separated by commas. */
  readonly many?: boolean
  readonly default?: string
  /** What stands for the answer until the user gives one, depending on the other answers: the first line of a song is its title. */
  readonly usual?: (answers: Answers) => string | undefined
  /** Why a text does not fit, if the field knows the reason. */
  readonly misfit?: (text: string) => Misfit | undefined
  /** Whether a typed text is valid. */
  readonly fits: (text: string) => boolean
}

export interface Option {
  readonly value: string
  readonly label: Label
  /** The request values that the option writes. */
  readonly set: Flat
  /** Request values that the option stands for without writing them: the preset of a pair, a default of the gateway. */
  readonly means?: Flat
  /** What is known of a voice; the sample is an address or a file id of Telegram. */
  readonly voice?: {
    readonly gender?: 'female' | 'male' | undefined
    readonly language?: Label | undefined
    readonly sample?: string | undefined
  }
  /** The option's value on each axis of the choice, by the name of the axis. */
  readonly at?: Readonly<Record<string, string>>
}

/** The meaning that choices of different models share: the resolution, or the ratio of width to height. */
export type Aspect = 'quality' | 'shape'

/** One of the independent decisions that a choice consists of: a frame size is a quality and a shape. Each is shown as a field. */
export interface Axis {
  readonly name: Aspect
  readonly label: Label
  readonly hint?: Label
  readonly audience: 'card' | 'advanced'
  /** Labels of values that need an explanation. */
  readonly labels?: Readonly<Record<string, Label>>
}

/** A text that names the lowest and the highest price of the options. */
type PricedHint = {
  [Key in keyof PlainTexts]: 'least' | 'most' extends keyof PlainTexts[Key] ? Key : never
}[keyof PlainTexts]

export interface ChoiceField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'choice'
  readonly options: readonly Option[]
  /** Without a default the field is optional. */
  readonly default?: string
  readonly columns: number
  /** Replaces the hint once the price of every option is known. */
  readonly pricedHint?: PricedHint
  /** The meaning of the values; a choice with axes has several meanings. */
  readonly aspect?: Aspect
  /** There is an option for every combination of the values of the axes. */
  readonly axes?: readonly Axis[]
}

export interface NumberField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'number'
  /** The number is copied by people to be used again, so it is written without marks between thousands. */
  readonly isCopied?: true
  readonly min: number
  readonly max: number
  readonly integer: boolean
  readonly default?: number
  /** Values that are offered as buttons; any number in the range can be typed. */
  readonly suggestions: readonly number[]
  /** The operator's names of numbers; their numbers are the suggestions. */
  readonly named?: readonly Option[]
  readonly unit?: Label
}

export interface ToggleField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'toggle'
  readonly default: boolean
  /** The name of a text field whose meaning changes while this toggle is on. The text is asked for when the toggle is switched on. */
  readonly asks?: string
  /** Whether the toggle is on beside these answers until the user sets it, although its default is off. */
  readonly onWith?: (answers: Answers) => boolean
  /** The labels of the two values; "on" and "off" by default. */
  readonly states?: { readonly on: Label; readonly off: Label }
}

/** Images, videos or audio files that the user sends into the chat, or names by an address or an id. */
export interface MediaField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'media'
  readonly media: readonly Medium[]
  readonly max: number
  /** How the gateway accepts the files: inside the request, or only as a link to our server. */
  readonly via: 'data' | 'link'
  /** The meaning of a caption: the position of a frame, or the tag that the prompt uses. */
  readonly caption?: 'frame' | 'tag'
  /** The frame of the video that the one picture of the field becomes. */
  readonly frame?: 'first' | 'last'
  /** The gateway takes addresses and files, but no ids of its own. */
  readonly addressesOnly?: true
  /** The largest file; our own limit, which an address does not have. */
  readonly maxBytes: number
  readonly maxSeconds?: number
  /** Typed words are an answer, too: a speech model says them first, in an order of its own. */
  readonly speaks?: true
  /** The least product of width and height. */
  readonly minPixels?: number
  /** Whether these files and captions together are valid. */
  readonly fits: (attachments: readonly Attachment[]) => boolean
}

export type Field<S extends Shape = Shape> =
  | TextField<S>
  | ChoiceField<S>
  | NumberField<S>
  | ToggleField<S>
  | MediaField<S>

/** Fields that a user can set. */
export const isUserField = (field: Field): boolean =>
  field.audience !== 'operator' && field.audience !== 'system'

/** Whether other answers switch the field on as long as the user has not set it. */
export const isSwitchedOn = (field: Field, answers: Answers): boolean =>
  field.kind === 'toggle' && field.onWith?.(answers) === true

/** What stands for an answer that the user has not given, depending on the other answers. */
export function usualOf(field: Field, answers: Answers): Answer | undefined {
  if (field.kind === 'text') return field.usual?.(answers) ?? field.default
  return isSwitchedOn(field, answers) || defaultOf(field)
}

export function defaultOf(field: Field): Answer | undefined {
  return field.kind === 'media' ? undefined : field.default
}

// What a request means beyond the values that it has: defaults that are not sent, and values that options stand for.

/** The request values that the defaults of fields write. */
export function defaultValuesOf(fields: readonly Field[]): Flat {
  const values = fields.map((field) => {
    const answer = defaultOf(field)
    return answer === undefined ? {} : field.write(answer, {})
  })
  return Object.assign({}, ...values)
}

/** The request values, with the default of every field that has none, and with what the chosen options stand for. */
export function meaningOf(fields: readonly Field[], flat: Flat): Flat {
  const missing = fields.filter((field) => Object.keys(field.shape).every((path) => flat[path] === undefined))
  const all = { ...defaultValuesOf(missing), ...flat }
  return { ...meantBy(fields, all), ...all }
}

/** The values that the chosen options stand for without sending them. */
function meantBy(fields: readonly Field[], flat: Flat): Flat {
  const meant = fields.map((field) => {
    if (field.kind !== 'choice') return {}
    const own = Object.fromEntries(Object.entries(flat).filter(([path]) => field.shape[path]))
    return field.options.find(({ set }) => same(set, own))?.means ?? {}
  })
  return Object.assign({}, ...meant)
}

export const same = (one: Flat, other: Flat): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([path, value]) => other[path] === value)

// A file that a user sent in answer to a field.

export type Medium = 'image' | 'video' | 'audio'

const fileFacts = z.object({
  mime: z.string(),
  bytes: z.number().exactOptional(),
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  seconds: z.number().exactOptional(),
})

/** What is known of a file, from its bytes; not every fact of every file can be read. */
export type FileFacts = Readonly<z.output<typeof fileFacts>>

const takenPictures = new Set(
  ['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic'].map((format) => `image/${format}`),
)

/** Whether pictures of this type can be passed to a model; some of them are converted. */
export const isTakenPicture = (mime: string): boolean => takenPictures.has(mime)

/** The type of a picture that nobody can decode: broken, or with too many pixels. */
export const brokenPicture = 'image/broken'

export const attachment = fileFacts.extend({
  /** Telegram's file id, or what `given` and `words` say. */
  file: z.string().min(1),
  /** Whether the user gave an address on the public internet, or an id of the gateway. It goes into the request as it is. */
  given: z.enum(['link', 'id']).exactOptional(),
  /** The gateway's id of a file that it made itself: it is sent in place of the file where the gateway takes ids. */
  id: z.string().exactOptional(),
  medium: z.enum(['image', 'video', 'audio']),
  /** The meaning of the caption, if the field reads captions: `first`, `12`, `@cat`. */
  note: z.string().exactOptional(),
  /** Words that a speech model says. `file` is the id of the draft of that order, which is made when the video is ordered. */
  words: z.string().exactOptional(),
})

/** A file that the user sent, or named by an address or an id. */
export type Attachment = Readonly<z.output<typeof attachment>>

export const questionFile = attachment.extend({
  medium: z.enum(['image', 'video', 'audio', 'pdf']),
  /** Of a PDF. */
  pages: z.number().exactOptional(),
})

/** A file that is sent to a text model with a question. */
export type QuestionFile = Readonly<z.output<typeof questionFile>>

/** The medium of a MIME type; undefined for files that are none. */
export function mediumOf(mime: string): Medium | undefined {
  const [kind] = mime.toLowerCase().split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : undefined
}
