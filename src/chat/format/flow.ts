// Text with marks, put together from smaller ones, with the places where it may be divided into messages.

import type { Flow, Mark } from './entity.ts'

/** Behind the line ends between two blocks. */
export interface Joint {
  readonly at: number
  /** How good a place to divide it is: `never` keeps a heading with what it stands over. */
  readonly rank: 'gap' | 'line' | 'never'
}

export interface JointFlow extends Flow {
  readonly joints: readonly Joint[]
}

export const plainFlow = (text: string): Flow => ({ text, marks: [] })

/** The whole of it in one more style. */
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

/** Side by side where there is nothing between: then they are no places to divide at. */
export function joined(flows: readonly Flow[], between = ''): JointFlow {
  const builder = buildFlow()
  for (const flow of flows) {
    if (builder.length > 0 && between !== '')
      builder.joint(between, between.includes('\n\n') ? 'gap' : 'line')
    builder.add(flow)
  }
  return builder.flow()
}
