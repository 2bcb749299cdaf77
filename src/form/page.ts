// The pages of a card and their elements, as data.

import { type Answer, type Answers, defaultOf, type Field, type Option } from '../catalog/field.ts'
import { codePoints } from '../catalog/fields.ts'
import type { Model } from '../catalog/model.ts'
import type { Kopecks } from '../money.ts'
import { isOptional, isPossible } from './fit.ts'
import { type Setting, settingsOf } from './settings.ts'

export type Page =
  | { readonly at: 'main' }
  | { readonly at: 'advanced' }
  | { readonly at: 'models' }
  | { readonly at: 'presets' }
  /** @see Setting.page */
  | { readonly at: 'field'; readonly name: string }

/** A model that the draft can be switched to, with its price there; no price until the answers make a complete request. */
export interface Sibling {
  readonly model: Model
  readonly amount: Kopecks | undefined
}

/** The data of a card that are not in the draft. */
export interface Around {
  /** The offered models that the draft can be switched to, including its own. */
  readonly siblings: readonly Sibling[]
  /** Options of text fields, by field name. */
  readonly offers: Readonly<Record<string, readonly Option[]>>
  /** Whether the gateway can fetch files from our server. */
  readonly canLink: boolean
  /** The answers of the user's last order of the model. */
  readonly last: Answers | undefined
  readonly presets: readonly NamedPreset[]
}

/** Settings that the user saved under a name. */
interface NamedPreset {
  readonly id: string
  readonly name: string
}

export type CardButton =
  /** Opens the field's own page. */
  | {
      readonly to: 'open'
      readonly page: string
      readonly field: Field
      readonly answer: Answer | undefined
      /** Whether a line shows the answer. */
      readonly inLine: boolean
    }
  | {
      readonly to: 'set'
      readonly page: string
      readonly field: Field
      readonly value: string
      readonly chosen: boolean
    }
  /** An offered option of a text. */
  | { readonly to: 'pick'; readonly field: Field; readonly option: Option; readonly chosen: boolean }
  /** Asks for a typed answer or a file. */
  | { readonly to: 'ask'; readonly field: Field; readonly because: 'edit' | 'other' | 'more' | 'missing' }
  | { readonly to: 'clear'; readonly field: Field }
  /** Creates a new option, like a custom style. */
  | { readonly to: 'make'; readonly field: Field }
  | { readonly to: 'advanced' }
  /** Gives all settings their defaults. */
  | { readonly to: 'reset' }
  /** Opens the list of presets. */
  | { readonly to: 'presets' }
  /** Takes over the settings of the last order. */
  | { readonly to: 'last' }
  | { readonly to: 'preset'; readonly preset: NamedPreset }
  | { readonly to: 'save' }
  /** Opens the choice of models. */
  | { readonly to: 'models' }
  | ({ readonly to: 'switch'; readonly chosen: boolean } & Sibling)
  | { readonly to: 'back'; readonly at: 'main' | 'advanced' }
  | { readonly to: 'generate' }
  /** Asks for one setting after another. */
  | { readonly to: 'guide' }
  | { readonly to: 'drop' }

/** The draft and all other data that the pages need. */
export interface Drawn extends Around {
  readonly model: Model
  readonly answers: Answers
  /** The answers with defaults. */
  readonly complete: Answers
  /** The first field that has to be answered before an order is possible. */
  readonly missing: Field | undefined
}

const allAudiences: readonly Field['audience'][] = ['asked', 'card', 'advanced']

export const shownSettings = ({ model, answers, complete }: Drawn, audiences = allAudiences): Setting[] =>
  settingsOf(model, complete).filter(
    ({ field }) => audiences.includes(field.audience) && isPossible(model, field, answers),
  )

export const isReachable = ({ canLink }: Drawn, field: Field): boolean =>
  field.kind !== 'media' || field.via === 'data' || canLink

export const isChanged = (field: Field, answers: Answers): boolean =>
  answers[field.name] !== undefined && answers[field.name] !== defaultOf(field)

/** Whether an answer can be cleared. The prompt only if the model does not require it together with the other answers. */
export const isClearable = ({ model, answers }: Drawn, field: Field): boolean =>
  isChanged(field, answers) && (field.audience !== 'asked' || isOptional(model, field, answers))

/** Code points that a button shows on a phone, besides its label. */
export const buttonAnswer = 18

/** Whether an answer is too long for a button. The label of an offered option is short. */
export function isLong({ offers }: Drawn, field: Field, answer: Answer | undefined): boolean {
  if (field.kind !== 'text' || typeof answer !== 'string') return false
  const isOffered = offers[field.name]?.some(({ value }) => value === answer)
  return !isOffered && codePoints(answer) > buttonAnswer
}
