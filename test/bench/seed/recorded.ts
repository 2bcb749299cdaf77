// A recorded order: its statements and requests in order. They are repeated for other orders with the values of those in place of its own.

import { z } from 'zod'
import { draftOf, quoteOf } from './orders.ts'

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

const step = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('statement'), text: z.string(), values: z.array(z.unknown()).readonly() }),
  z.object({ kind: z.literal('telegram'), method: z.string(), body: bytes }),
  z.object({ kind: z.literal('gateway'), method: z.string(), path: z.string(), body: bytes }),
  /** The gateway calls back here. */
  z.object({ kind: z.literal('callback') }),
])
export type Step = z.output<typeof step>

export const recorded = z.object({
  steps: z.array(step).readonly(),
  /** The values that are specific to the recorded order. */
  own: z.object({
    draft: z.string(),
    quote: z.string(),
    task: z.string(),
    /** The prefix of every generated id. */
    mark: z.string(),
    user: z.string(),
  }),
})
export type Recorded = z.output<typeof recorded>

interface Order {
  /** The number of its quote. */
  readonly n: number
  readonly user: string
  readonly task: string
}

/** The prefix of the generated ids of the n-th order, as long as the recorded one. */
const prefixOf = ({ mark }: Recorded['own'], n: number) => `r${String(n).padStart(mark.length - 1, '0')}`

/** @returns the values of a recorded statement for another order */
export function valuesFor(own: Recorded['own'], { n, user, task }: Order, values: readonly unknown[]) {
  const prefix = prefixOf(own, n)
  const others = { [own.draft]: draftOf(n), [own.quote]: quoteOf(n), [own.task]: task }
  return values.map((value) => {
    if (String(value) === own.user) return user
    if (typeof value !== 'string') return value
    return others[value] ?? value.replaceAll(own.mark, prefix)
  })
}

/** @returns a recorded path or text body for another order */
export const textFor = (own: Recorded['own'], { n, task }: Pick<Order, 'n' | 'task'>, text: string): string =>
  text.replaceAll(own.task, task).replaceAll(own.mark, prefixOf(own, n))
