// Applies a scripted fault to an answer, for all doubles (Bot API, gateway, YooKassa). Each double supplies the form of its errors. A
// stream of the gateway carries out some faults itself, see `gateway/text/stream.ts`.

import type { Clock } from '../runtime/clock.ts'
import type { Fault } from './faults.ts'

export type ErrorFault = Extract<Fault, { kind: 'error' }>

interface FaultyAnswers<A> {
  readonly clock: Clock
  /** Ends a hang when the caller has hung up or the double closes. */
  readonly signal: AbortSignal
  readonly error: (fault: ErrorFault) => A
  /** Answers 200 with a body that is not of the API: the scripted body, or the double's usual page. */
  readonly garbage: (body: string | undefined) => A
  /** The answer after a hang of limited length: the usual one, or an error with the work not done. */
  readonly afterHang: () => A | Promise<A>
}

/** @returns the answer to send; undefined when the connection is to be cut without one */
export async function underFault<A>(
  fault: Fault | undefined,
  { clock, signal, error, garbage, afterHang }: FaultyAnswers<A>,
  work: () => Promise<A>,
): Promise<A | undefined> {
  switch (fault?.kind) {
    case 'task': {
      const answer = await work()
      return fault.isAnswerLost ? undefined : answer
    }
    case undefined:
    case 'shape':
    case 'files':
    case 'redirect':
    case 'type':
      // The work itself carries out these faults.
      return work()
    case 'error':
      return error(fault)
    case 'garbage':
      return garbage(fault.body)
    case 'cut':
      if (fault.after) await work()
      return undefined
    case 'twice': {
      const first = await work()
      await work()
      return first
    }
    case 'hang':
      await hang(fault, clock, signal)
      return signal.aborted ? undefined : afterHang()
  }
}

/** Waits as long as the fault says, at most until the signal aborts. */
export async function hang(
  { ms }: { ms?: number | undefined },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (ms !== undefined) return clock.wait(ms, signal)
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
}
