// Tracing: every log line and every gateway request names the update or generation that is being processed, so that it can be
// followed across processes and restarts.

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

type Subject = { readonly update: number } | { readonly generation: string }

/** The user's number, when it is known. */
interface Known {
  readonly user?: string
}

type Traced = Subject & Known & { readonly trace: string }

interface Trace {
  readonly subject: Subject
  readonly known: Known
  /** Computed when it is first needed: most work is neither logged nor sent to the gateway. */
  hash?: string
}

const current = new AsyncLocalStorage<Trace>()

/** Runs `work` in the trace of the subject. Asynchronous work that it starts stays in that trace. */
export const within = <T>(subject: Subject, work: () => T, known: Known = {}): T =>
  current.run({ subject, known }, work)

/** @returns undefined outside of a trace */
export function traced(): Traced | undefined {
  const trace = current.getStore()
  return trace && { ...trace.subject, ...trace.known, trace: hashOf(trace).slice(0, 32) }
}

/** The header of W3C Trace Context (version 00, sampled). */
export function traceparent(): string | undefined {
  const trace = current.getStore()
  if (!trace) return undefined
  const hash = hashOf(trace)
  return `00-${hash.slice(0, 32)}-${hash.slice(32, 48)}-01`
}

/** The hash depends only on the subject: another process that continues the work uses the same trace, and nothing is stored. */
function hashOf(trace: Trace): string {
  trace.hash ??= createHash('sha256').update(JSON.stringify(trace.subject)).digest('hex')
  return trace.hash
}
