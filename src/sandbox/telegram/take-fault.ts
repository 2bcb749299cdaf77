// Takes the next scripted fault only if it is one this place can show: a `*` fault meant for calls must not be used up
// by the delivery of an update, nor by a poll.

import type { Fault, Faults } from '../faults.ts'

export function takeFault(
  faults: Faults,
  operation: string,
  kinds: readonly Fault['kind'][],
): Fault | undefined {
  const next = faults
    .list()
    .find((one) => one.target === 'telegram' && (one.operation === operation || one.operation === '*'))
  const onlyByName = operation === 'update' || operation === 'getUpdates'
  if (!next || !kinds.includes(next.fault.kind)) return undefined
  if (onlyByName && next.operation !== operation) return undefined
  return faults.take('telegram', operation)
}
