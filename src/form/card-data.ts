// The data of a card: its pages, its buttons, and what they are drawn from.

import type { Answer, Answers, Field, Option } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import type { Kopecks } from '../money.ts'
import type { Rewriting } from './fit.ts'

export type Page =
  | { readonly at: 'main' }
  | { readonly at: 'advanced' }
  | { readonly at: 'models' }
  | { readonly at: 'presets' }
  /** A suggested prompt, to be taken or left. */
  | { readonly at: 'suggestion' }
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
  /** The answers of the user's last order of the model. */
  readonly last: Answers | undefined
  readonly presets: readonly NamedPreset[]
  /** How a text model can rewrite the prompt. */
  readonly rewritings: readonly Rewriting['to'][]
  /** The prompt that was suggested last; whether it is on the card. */
  readonly suggested: { readonly isTaken: boolean } | undefined
  /** Whether users can make styles. */
  readonly makesStyles: boolean
  /** In groups the main page has the order alone; everything else is one tap away. */
  readonly inGroup: boolean
}

/** Settings that the user saved under a name. */
interface NamedPreset {
  readonly id: string
  readonly name: string
}

/** The buttons that are the same on every card: `last` takes over the settings of the last order, `reset` gives all their defaults. */
export type PlainButton = 'advanced' | 'models' | 'presets' | 'save' | 'last' | 'reset' | 'guide' | 'drop'

export type CardButton =
  | { readonly to: PlainButton }
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
  /** Plays the sample of a voice. */
  | { readonly to: 'hear'; readonly field: Field; readonly option: Option }
  /** Makes an option of the user's own, for instance a style. */
  | { readonly to: 'make'; readonly field: Field }
  /** Gives a video the length and the quality of a trial. */
  | { readonly to: 'trial'; readonly seconds: number }
  | { readonly to: 'preset'; readonly preset: NamedPreset }
  | ({ readonly to: 'switch'; readonly chosen: boolean } & Sibling)
  | { readonly to: 'back'; readonly at: 'main' | 'advanced' }
  | { readonly to: 'generate' }
  /** Has a text model suggest another prompt. */
  | { readonly to: 'suggest'; readonly as: Rewriting['to'] }
  | { readonly to: 'suggested'; readonly act: 'show' | 'take' | 'leave' | 'own' }

/** The draft and all other data that the pages need. */
export interface Drawn extends Around {
  readonly model: Model
  readonly answers: Answers
  /** The answers with defaults. */
  readonly complete: Answers
  /** The first field that has to be answered before an order is possible. */
  readonly missing: Field | undefined
}
