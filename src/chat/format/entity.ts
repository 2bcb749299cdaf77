// Limits of Telegram's messages, and text with overlapping marks before it is made into messages with entities.

import type { Entity } from '../../db/schema.ts'

export type { Entity, Formatted, Piece, Style } from '../../db/schema.ts'

/** The most entities of a message; Telegram ignores further ones. */
export const entityLimit = 100
/** Total length of links in a message. Telegram refuses too long ones at an undocumented limit; this value is on the safe side. */
export const linksLimit = 4096

/** The style of a part of a text, before it becomes an entity. */
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
