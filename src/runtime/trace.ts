// What the work at hand belongs to: said in every line of the log that is written meanwhile, and to the gateway, so that one
// update or one generation can be followed through all of them, across processes and restarts.

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

export type Subject = { readonly update: number } | { readonly generation: string }

export type Traced = Subject & { readonly trace: string }

interface Trace {
  readonly facts: Traced
  readonly span: string
}

const current = new AsyncLocalStorage<Trace>()

/** Whatever `work` begins belongs to the subject, even what outlives it. */
export const within = <T>(subject: Subject, work: () => T): T => current.run(traceOf(subject), work)

/** @returns undefined outside of everything */
export const traced = (): Traced | undefined => current.getStore()?.facts

/** The header of W3C Trace Context (version 00, sampled). */
export function traceparent(): string | undefined {
  const trace = current.getStore()
  return trace && `00-${trace.facts.trace}-${trace.span}-01`
}

/** Made of the subject itself, so that whoever goes on with it has the same, and nothing needs to be kept. */
function traceOf(subject: Subject): Trace {
  const hash = createHash('sha256').update(JSON.stringify(subject)).digest('hex')
  return { facts: { ...subject, trace: hash.slice(0, 32) }, span: hash.slice(32, 48) }
}
