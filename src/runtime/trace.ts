// Tracing: every log line and every gateway request names the update or generation that is being processed, so that it can be
// followed across processes and restarts.

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

type Subject = { readonly update: number } | { readonly generation: string }

type Traced = Subject & { readonly trace: string }

interface Trace {
  readonly facts: Traced
  readonly span: string
}

const current = new AsyncLocalStorage<Trace>()

/** Runs `work` in the trace of the subject. Asynchronous work that it starts stays in that trace. */
export const within = <T>(subject: Subject, work: () => T): T => current.run(traceOf(subject), work)

/** @returns undefined outside of a trace */
export const traced = (): Traced | undefined => current.getStore()?.facts

/** The header of W3C Trace Context (version 00, sampled). */
export function traceparent(): string | undefined {
  const trace = current.getStore()
  return trace && `00-${trace.facts.trace}-${trace.span}-01`
}

/** The ids are derived from the subject: another process that continues the work uses the same trace, and nothing is stored. */
function traceOf(subject: Subject): Trace {
  const hash = createHash('sha256').update(JSON.stringify(subject)).digest('hex')
  return { facts: { ...subject, trace: hash.slice(0, 32) }, span: hash.slice(32, 48) }
}
