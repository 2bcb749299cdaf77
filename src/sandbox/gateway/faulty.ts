// What a scripted fault does to a request of the local gateway. A stream spoils itself in the middle, see `text/stream.ts`.

import type { Clock } from '../../runtime/clock.ts'
import type { Fault } from '../faults.ts'
import { type Answer, refused, scriptedRefusal } from './answer.ts'

interface Circumstances {
  readonly clock: Clock
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
  /** A read that was held up is answered at last; anything else has been left undone. */
  readonly isRead: boolean
  /** The answer is to be a stream. */
  readonly isStream?: boolean
}

const page = '<!doctype html><html><head><title>502</title></head><body><h1>Bad gateway</h1></body></html>'

/** Undefined means: the connection is cut without an answer. */
export async function underFault<A>(
  fault: Fault | undefined,
  { clock, signal, isRead, isStream = false }: Circumstances,
  work: () => Promise<A>,
): Promise<A | Answer | undefined> {
  if (isStream && isOfTheMiddle(fault)) return work()
  switch (fault?.kind) {
    case undefined:
    case 'task':
    case 'shape':
    case 'files':
    case 'redirect':
    case 'type':
      // Done by the work itself.
      return work()
    case 'error':
      return refused(scriptedRefusal(fault.status, fault.description, fault.retryAfter))
    case 'cut':
      if (fault.after) await work()
      return undefined
    case 'twice': {
      const first = await work()
      await work()
      return first
    }
    case 'garbage':
      return html(fault.body ?? page)
    case 'hang': {
      if (fault.ms === undefined) await aborted(signal)
      else await clock.wait(fault.ms, signal)
      if (signal.aborted) return undefined
      return isRead ? work() : refused(scriptedRefusal(504))
    }
  }
}

/** It strikes when a part of a stream has been sent. */
const isOfTheMiddle = (fault: Fault | undefined): boolean =>
  fault?.kind === 'hang' || (fault?.kind === 'cut' && fault.after)

const html = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(body),
})

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
