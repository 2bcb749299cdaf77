// Concatenates texts with marks, and keeps the positions where the result may be split into messages.

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

/** A possible split position, after the line ends between two blocks. */
export interface Joint {
  readonly at: number
  /** How suitable the position is; `never` keeps a heading together with the following block. */
  readonly rank: 'gap' | 'line' | 'never'
}

export interface JointFlow extends Flow {
  readonly joints: readonly Joint[]
}

export const plainFlow = (text: string): Flow => ({ text, marks: [] })

/** Adds a mark around the whole text. */
export const styled = <T extends Flow>(flow: T, mark: Omit<Mark, 'start' | 'end'>): T => ({
  ...flow,
  marks: [...flow.marks, { ...mark, start: 0, end: flow.text.length }],
})

export interface FlowBuilder {
  add(flow: Flow & { readonly joints?: readonly Joint[] }): void
  joint(lineEnds: string, rank: Joint['rank']): void
  readonly length: number
  flow(): JointFlow
}

export function buildFlow(): FlowBuilder {
  const parts: string[] = []
  const marks: Mark[] = []
  const joints: Joint[] = []
  let length = 0
  const write = (text: string) => {
    parts.push(text)
    length += text.length
  }
  return {
    add(flow) {
      for (const mark of flow.marks) {
        marks.push({ ...mark, start: mark.start + length, end: mark.end + length })
      }
      for (const { at, rank } of flow.joints ?? []) joints.push({ at: at + length, rank })
      write(flow.text)
    },
    joint(lineEnds, rank) {
      write(lineEnds)
      joints.push({ at: length, rank })
    },
    get length() {
      return length
    },
    flow: () => ({ text: parts.join(''), marks, joints }),
  }
}

/** Joins flows. Without a separator the result has no split positions between the flows. */
export function joined(flows: readonly Flow[], between = ''): JointFlow {
  const builder = buildFlow()
  for (const flow of flows) {
    if (builder.length > 0 && between !== '')
      builder.joint(between, between.includes('\n\n') ? 'gap' : 'line')
    builder.add(flow)
  }
  return builder.flow()
}
