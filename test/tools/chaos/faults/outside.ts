// Faults of Telegram, the gateway and YooKassa, chosen by the seed. Each is scripted for the next call of its operation.

import type { Clock } from '../../../../src/runtime/clock.ts'
import { createFaults, type Fault, type Faults, type ScriptedFault } from '../../../../src/sandbox/faults.ts'
import type { Chance } from '../chance.ts'
import { everybody, type Journal } from '../journal.ts'
import type { FaultProfile } from './profile.ts'

/** The most faults of one operation that are scripted at once. */
const mostWaiting = 1

type Kinds = readonly { readonly weight: number; readonly make: (chance: Chance) => Fault }[]

const always = (fault: Fault) => () => fault
const hang = (chance: Chance): Fault => ({ kind: 'hang', ms: chance.between(200, 2500) })
const lostBefore: Fault = { kind: 'cut', after: false }
const lostAfter: Fault = { kind: 'cut', after: true }
const error = (status: number, more: object = {}) => always({ kind: 'error', status, ...more })

const calls: Kinds = [
  { weight: 3, make: error(429, { retryAfter: 1 }) },
  { weight: 1, make: error(429, { retryAfter: 25 }) },
  { weight: 2, make: error(500) },
  { weight: 2, make: error(502) },
  { weight: 2, make: always(lostBefore) },
  { weight: 3, make: always(lostAfter) },
  { weight: 2, make: hang },
  { weight: 2, make: always({ kind: 'garbage' }) },
]

/** Faults of calls that send files. After 400 and 413 (a refusal of the form in which the file is sent) the app uses another form. */
const files: Kinds = [...calls, { weight: 3, make: error(400) }, { weight: 3, make: error(413) }]

const creations: Kinds = [
  ...calls,
  { weight: 3, make: error(503) },
  { weight: 1, make: error(400) },
  { weight: 2, make: always({ kind: 'task', status: 'failed', error: 'no cats today' }) },
  { weight: 1, make: always({ kind: 'task', status: 'canceled' }) },
  // The task ends and calls back long after its order was refunded.
  { weight: 3, make: always({ kind: 'task', status: 'stuck', isAnswerLost: true }) },
]

const callbacks: Kinds = [
  { weight: 3, make: always(lostBefore) },
  { weight: 3, make: always({ kind: 'twice' }) },
  { weight: 2, make: hang },
  { weight: 1, make: always({ kind: 'garbage' }) },
]

const shapes = ['nested', 'beside', 'array', 'form', 'query'] as const
/** gateway-api.md shows no body of a callback, so callbacks also come with bodies of other forms. */
const shapedCallbacks: Kinds = [
  ...callbacks,
  { weight: 3, make: (chance) => ({ kind: 'shape', shape: chance.pick(shapes) }) },
]

/** Weights of the methods: how often each is chosen to fail. */
const methods = {
  sendMessage: 8,
  sendDocument: 1,
  sendInvoice: 1,
  editMessageText: 6,
  deleteMessage: 1,
  sendChatAction: 1,
  answerCallbackQuery: 5,
  answerPreCheckoutQuery: 1,
  editMessageReplyMarkup: 1,
  editMessageCaption: 1,
  copyMessage: 2,
  refundStarPayment: 2,
  getStarTransactions: 1,
  getUpdates: 1,
}

const fileMethods = {
  sendPhoto: 6,
  sendVideo: 1,
  sendVoice: 1,
  sendAudio: 1,
  sendMediaGroup: 2,
  editMessageMedia: 4,
}

interface Operation {
  readonly target: ScriptedFault['target']
  readonly operation: string
  readonly weight: number
  readonly kinds: Kinds
}

const ofTelegram = (weights: Readonly<Record<string, number>>, kinds: Kinds): readonly Operation[] =>
  Object.entries(weights).map(([operation, weight]) => ({ target: 'telegram', operation, weight, kinds }))

const operations: readonly Operation[] = [
  ...ofTelegram(methods, calls),
  ...ofTelegram(fileMethods, files),
  {
    target: 'telegram',
    operation: 'update',
    weight: 6,
    kinds: [{ weight: 1, make: always({ kind: 'twice' }) }],
  },
  // The update about a payment is lost for good; the payment is only in the list of Stars.
  {
    target: 'telegram',
    operation: 'successful_payment',
    weight: 2,
    kinds: [{ weight: 1, make: always(lostBefore) }],
  },
  { target: 'gateway', operation: 'create', weight: 6, kinds: creations },
  { target: 'gateway', operation: 'poll', weight: 6, kinds: calls },
  { target: 'gateway', operation: 'callback', weight: 2, kinds: shapedCallbacks },
  { target: 'gateway', operation: 'cdn', weight: 3, kinds: calls },
  { target: 'gateway', operation: 'chat', weight: 3, kinds: calls },
  { target: 'gateway', operation: 'messages', weight: 1, kinds: calls },
  { target: 'gateway', operation: 'responses', weight: 1, kinds: calls },
  { target: 'gateway', operation: 'native', weight: 1, kinds: calls },
  { target: 'yookassa', operation: 'create', weight: 1, kinds: calls },
  { target: 'yookassa', operation: 'read', weight: 2, kinds: calls },
  { target: 'yookassa', operation: 'refund', weight: 2, kinds: [...calls, { weight: 2, make: error(400) }] },
  { target: 'yookassa', operation: 'list', weight: 1, kinds: calls },
  { target: 'yookassa', operation: 'notification', weight: 2, kinds: callbacks },
]

/** A fault of Telegram after which the app does not know whether a message was sent. Its time is in the journal. */
export const lostSend = /^fault: telegram (send|edit)\w+ (answer lost|hang|garbage|5)/

/** The faults of the doubles. Each is counted in the journal when a double takes it. */
export function countedFaults(journal: Journal): Faults {
  const faults = createFaults()
  return {
    ...faults,
    take(target, operation) {
      const fault = faults.take(target, operation)
      const name = fault && `fault: ${target} ${operation} ${nameOf(fault)}`
      if (name) journal.count(name)
      if (name && lostSend.test(name)) journal.note(everybody, name)
      return fault
    },
  }
}

function nameOf(fault: Fault): string {
  if (fault.kind === 'error') return String(fault.status)
  if (fault.kind === 'cut') return fault.after ? 'answer lost' : 'request lost'
  if (fault.kind === 'task' && fault.isAnswerLost) return 'answer lost'
  return fault.kind
}

export async function spoilOutside(
  { faults, clock }: { readonly faults: Faults; readonly clock: Clock },
  chance: Chance,
  { outside: seconds, operations: only, ways }: Pick<FaultProfile, 'outside' | 'operations' | 'ways'>,
  ending: AbortSignal,
): Promise<void> {
  const isWanted = ({ make }: Kinds[number]) => ways?.test(nameOf(make(chance))) ?? true
  const failing = operations
    .filter(({ operation }) => only?.test(operation) ?? true)
    .map((one) => ({ ...one, kinds: one.kinds.filter(isWanted) }))
  while (seconds > 0 && !ending.aborted) {
    const { target, operation, kinds } = chance.weighed(failing)
    const fault = chance.weighed(kinds).make(chance)
    const waiting = faults.list().filter((one) => one.target === target && one.operation === operation)
    if (waiting.length < mostWaiting) faults.add({ target, operation, fault, times: 1 })
    await clock.wait(seconds * 1000, ending)
  }
  faults.clear()
}
