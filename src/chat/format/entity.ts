// Limits of Telegram's messages, and text with overlapping marks before it is made into messages with entities.

import type { Entity } from '../../db/schema.ts'

export type { Entity, Formatted, Piece, Style } from '../../db/schema.ts'

export const textLimit = 4096
/** Telegram ignores those behind it. */
export const entityLimit = 100
/** Telegram refuses a message whose links are too long in sum and does not say from where on; this is on the safe side. */
export const linksLimit = 4096

/** A style of a part of the text, before it is made into entities. */
export interface Mark {
  readonly type: Entity['type']
  readonly start: number
  readonly end: number
  readonly url?: string
  readonly language?: string
}

/** Text of any length with its marks, which may overlap in any way. */
export interface Flow {
  readonly text: string
  readonly marks: readonly Mark[]
}
