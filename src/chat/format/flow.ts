// Text of any length with its styles, before it is cut into messages.

import type { Entity } from '../../db/schema.ts'

/** The most entities of a message; Telegram ignores further ones. */
export const entityLimit = 100
/** Total length of links in a message. Telegram refuses too long ones at an undocumented limit; this value is on the safe side. */
export const linksLimit = 4096

type MarkOf<E> = E extends Entity ? Omit<E, 'offset' | 'length'> : never

/** The style of a part of a text, before it becomes an entity. */
export type Mark = MarkOf<Entity> & { readonly start: number; readonly end: number }

/** Marks are nested or apart; an outer one stands behind the marks within it. */
export interface Flow {
  readonly text: string
  readonly marks: readonly Mark[]
}

export const plainFlow = (text: string): Flow => ({ text, marks: [] })

export const styled = ({ text, marks }: Flow, mark: MarkOf<Entity>): Flow => ({
  text,
  marks: [...marks, { ...mark, start: 0, end: text.length }],
})

export function joined(flows: readonly Flow[], between = ''): Flow {
  const marks: Mark[] = []
  let at = 0
  for (const flow of flows) {
    for (const mark of flow.marks) marks.push({ ...mark, start: mark.start + at, end: mark.end + at })
    at += flow.text.length + between.length
  }
  return { text: flows.map(({ text }) => text).join(between), marks }
}
