// Scripted faults of the Bot API: which faults an operation takes, and how a method answers under a fault.

import type { Clock } from '../../runtime/clock.ts'
import { type ErrorFault, type Fault, type Faults, underFault } from '../faults.ts'
import { Refusal } from './refusal.ts'

/**
 * Takes the next scripted fault if the caller can carry out its kind. A fault of `*` is for methods: the delivery of an update, a poll and
 * the updates about payments and refunds take only faults of their own name.
 */
export function takeFault(
  faults: Faults,
  operation: string,
  kinds: readonly Fault['kind'][],
): Fault | undefined {
  const next = faults
    .list()
    .find((one) => one.target === 'telegram' && (one.operation === operation || one.operation === '*'))
  const onlyByName = ['update', 'getUpdates', 'successful_payment', 'refunded_payment'].includes(operation)
  if (!next || !kinds.includes(next.fault.kind)) return undefined
  if (onlyByName && next.operation !== operation) return undefined
  return faults.take('telegram', operation)
}

export const methodFaults = ['error', 'hang', 'cut', 'garbage'] as const

export type Outcome =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'garbage'; readonly page: string }

const htmlPage = '<html><body><h1>502 Bad Gateway</h1></body></html>'
const refused = (refusal: Refusal): Outcome => ({ kind: 'refused', refusal })

/** @returns undefined when the connection is to be cut */
export const methodUnderFault = (
  fault: Fault | undefined,
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<Outcome>,
): Promise<Outcome | undefined> =>
  underFault(
    fault,
    {
      clock,
      signal,
      error: (scripted) => refused(refusalOf(scripted)),
      garbage: (page = htmlPage) => ({ kind: 'garbage', page }),
      afterHang: () => refused(new Refusal(504, 'Gateway Timeout')),
    },
    work,
  )

function refusalOf({ status, description, retryAfter, migrateTo }: ErrorFault): Refusal {
  const usual = retryAfter === undefined ? 'Scripted fault' : `Too Many Requests: retry after ${retryAfter}`
  return new Refusal(status, description ?? usual, {
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(migrateTo === undefined ? {} : { migrate_to_chat_id: migrateTo }),
  })
}
