// The closed set of fields a model can have. A field says what the user answers, what may stand in the request
// (`shape`, by path) and how the one becomes the other. Adding a kind means adding a case to every exhaustive switch.

import type { z } from 'zod'
import type { BareKey } from '../text-keys.ts'
import type { Attachment, Medium } from './attachment.ts'

/** Words by language; `*` is for every other language. */
export type Translations = Readonly<Record<string, string>>
/** What a user reads of a model, a field or an option: a text of the locale files, or words that are not in them. */
export type Label = BareKey | Translations

/** For names and values, which are the same in every language. */
export const sameInAll = (name: string): Translations => ({ '*': name })

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json }
/** Request values by path: `{ 'settings.audio': true }`. */
export type Flat = Readonly<Record<string, Json>>
export type Shape = Readonly<Record<string, z.ZodType<Json>>>

/** Who sets a field: asked until answered, on the card, under "advanced", the operator, or the app itself. */
export type Audience = 'asked' | 'card' | 'advanced' | 'operator' | 'system'

/** What a user answers; kept as JSON in the draft. */
export type Answer = string | number | boolean | readonly Attachment[]
export type Answers = Readonly<Record<string, Answer>>

interface Common<S extends Shape> {
  readonly name: string
  readonly label: Label
  readonly hint?: Label
  readonly audience: Audience
  readonly shape: S
  /** Its one path must stand in every request; `'object'`: only the object that holds it must. */
  readonly required?: boolean | 'object'
  /** Whether it is asked for and sent at all, by the answers (with defaults) to the other fields. */
  readonly when?: (answers: Answers) => boolean
  /** What an answer puts into the request; `all` are the answers with defaults. */
  write(answer: Answer, all: Answers): Flat
}

/** Where the options of a text come from: the operator's list, what the user owns, or the gateway. */
export type Source = 'voices' | 'styles' | 'concepts' | 'videos'

export interface TextField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'text'
  /** Code points. */
  readonly min: number
  readonly max: number
  /** Offered as buttons; anything else can be typed. */
  readonly source?: Source
  /** Several options, separated by commas. */
  readonly many?: boolean
  readonly default?: string
  /** Whether what was typed can be understood. */
  readonly fits: (text: string) => boolean
}

export interface Option {
  readonly value: string
  readonly label: Label
  /** What choosing it writes into the request. */
  readonly set: Flat
}

export interface ChoiceField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'choice'
  readonly options: readonly Option[]
  /** Without one it can be left open. */
  readonly default?: string
  readonly columns: number
}

export interface NumberField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'number'
  readonly min: number
  readonly max: number
  readonly integer: boolean
  readonly default?: number
  /** Offered as buttons; anything in range can be typed. */
  readonly suggestions: readonly number[]
  readonly unit?: Label
}

export interface ToggleField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'toggle'
  readonly default: boolean
}

/** Pictures, videos or sounds that the user sends into the chat. */
export interface MediaField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'media'
  readonly media: readonly Medium[]
  readonly max: number
  /** How the gateway takes them: inside the request, or only as a link to our server. */
  readonly via: 'data' | 'link'
  /** What a caption means: where a frame stands, or the name by which the prompt calls it. */
  readonly caption?: 'frame' | 'tag'
  readonly maxSeconds?: number
  /** Width times height. */
  readonly minPixels?: number
  /** Whether so many, of these kinds and captions, make a request. */
  readonly fits: (attachments: readonly Attachment[]) => boolean
}

export type Field<S extends Shape = Shape> =
  | TextField<S>
  | ChoiceField<S>
  | NumberField<S>
  | ToggleField<S>
  | MediaField<S>

/** Fields a user can reach; the others are the operator's or the app's. */
export const isUserField = (field: Field): boolean =>
  field.audience !== 'operator' && field.audience !== 'system'

export function defaultOf(field: Field): Answer | undefined {
  return field.kind === 'media' ? undefined : field.default
}
