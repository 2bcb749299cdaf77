// All faults: of the processes, of the database, and of Telegram, the gateway and YooKassa, which are scripted for the next call of an
// operation. The seed chooses them.

import { createFaults, type Fault, type Faults, type ScriptedFault } from '../../../src/sandbox/faults.ts'
import { textPaths } from '../../../src/sandbox/gateway/text/index.ts'
import type { Chance } from './chance.ts'
import { everybody, type Journal } from './journal.ts'
import type { Member } from './machine/fleet.ts'
import type { FaultProfile } from './settings.ts'
import type { ChaosWorld } from './world.ts'

type Kinds = readonly { readonly weight: number; readonly fault: Fault }[]

const always = (weight: number, fault: Fault) => ({ weight, fault })
const error = (weight: number, status: number, more: object = {}) =>
  always(weight, { kind: 'error', status, ...more })
const lost = (weight: number, after: boolean) => always(weight, { kind: 'cut', after })
/** Shorter than a lease: an edit of a killed process must not come after that of its successor, which no app could prevent. */
const hangs = [200, 900].map((ms) => always(1, { kind: 'hang', ms }))

const calls: Kinds = [
  error(3, 429, { retryAfter: 1 }),
  error(1, 429, { retryAfter: 25 }),
  error(4, 500),
  lost(2, false),
  lost(3, true),
  ...hangs,
  always(2, { kind: 'garbage' }),
]
/** Faults of calls that send files. After 400 and 413 (a refusal of the form in which the file is sent) the app uses another form. */
const files: Kinds = [...calls, error(3, 400), error(3, 413)]
const creations: Kinds = [
  ...calls,
  error(3, 503),
  error(1, 400),
  always(2, { kind: 'task', status: 'failed', error: 'no cats today' }),
  always(1, { kind: 'task', status: 'canceled' }),
  // The task ends and calls back long after its order was refunded.
  always(3, { kind: 'task', status: 'stuck', isAnswerLost: true }),
]
const callbacks: Kinds = [lost(3, false), always(3, { kind: 'twice' }), ...hangs]

interface Operation {
  readonly target: ScriptedFault['target']
  readonly operation: string
  readonly weight: number
  readonly kinds: Kinds
}

/** @param weights how often each operation is chosen to fail */
const failing = (target: Operation['target'], kinds: Kinds, weights: Readonly<Record<string, number>>) =>
  Object.entries(weights).map(([operation, weight]): Operation => ({ target, operation, weight, kinds }))

const operations: readonly Operation[] = [
  ...failing('telegram', calls, {
    sendMessage: 8,
    sendDocument: 1,
    sendInvoice: 1,
    editMessageText: 6,
    deleteMessage: 1,
    answerCallbackQuery: 5,
    answerPreCheckoutQuery: 1,
    editMessageReplyMarkup: 1,
    editMessageCaption: 1,
    copyMessage: 2,
    refundStarPayment: 2,
    getStarTransactions: 1,
    getUpdates: 1,
  }),
  ...failing('telegram', files, {
    sendPhoto: 6,
    sendVideo: 1,
    sendVoice: 1,
    sendAudio: 1,
    sendMediaGroup: 2,
    editMessageMedia: 4,
  }),
  ...failing('telegram', [always(1, { kind: 'twice' })], { update: 6 }),
  // The update about a payment is lost for good; the payment is only in the list of Stars.
  ...failing('telegram', [lost(1, false)], { successful_payment: 2 }),
  ...failing('gateway', creations, { create: 6 }),
  ...failing('gateway', calls, { poll: 6, cdn: 3, chat: 3, messages: 1, responses: 1, native: 1 }),
  ...failing('gateway', callbacks, { callback: 2 }),
  ...failing('yookassa', calls, { create: 1, read: 2, list: 1 }),
  ...failing('yookassa', [...calls, error(2, 400)], { refund: 2 }),
  ...failing('yookassa', callbacks, { notification: 2 }),
]

/** A fault of Telegram after which the app does not know whether a message was sent. Its time is in the journal. */
export const lostSend = /^fault: telegram (send|edit)\w+ (answer lost|hang|garbage|5)/

/** For some seconds an outage answers every order, question and poll of a task with 503. */
export interface GatewaySwitch {
  isAway: boolean
}

const stopped: readonly string[] = ['create', 'poll', ...Object.values(textPaths)]

/**
 * The faults of the doubles. Each is counted in the journal when a double takes it. An outage takes precedence and does not use up a
 * scripted fault.
 */
export function countedFaults(journal: Journal, gateway: GatewaySwitch): Faults {
  const faults = createFaults()
  return {
    ...faults,
    take(target, operation) {
      if (gateway.isAway && target === 'gateway' && stopped.includes(operation))
        return { kind: 'error', status: 503 }
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

/** @returns a function that scripts one fault, unless one of the same operation still waits */
function spoiling(faults: Faults): (chance: Chance) => void {
  return (chance) => {
    const { target, operation, kinds } = chance.weighed(operations)
    const { fault } = chance.weighed(kinds)
    const isWaiting = faults.list().some((one) => one.target === target && one.operation === operation)
    if (!isWaiting) faults.add({ target, operation, fault, times: 1 })
  }
}

/** All kinds of faults, concurrently, until the signal aborts. */
export async function strike(world: ChaosWorld, profile: FaultProfile, ending: AbortSignal): Promise<void> {
  const { chance, clock, fleet, outside } = world
  const every = async (name: string, seconds: number, act: (chance: Chance) => unknown) => {
    const own = chance.stream(name)
    while (seconds > 0 && !ending.aborted) {
      await clock.wait(seconds * (500 + 1000 * own.next()), ending)
      if (!ending.aborted) await act(own)
    }
  }
  const onMember = (name: string, seconds: number, hit: (member: Member, chance: Chance) => unknown) =>
    every(name, seconds, (own) => {
      const up = fleet.members.filter((member) => member.isUp())
      return up.length > 0 ? hit(own.pick(up), own) : undefined
    })
  const spoil = spoiling(outside.faults)
  await Promise.all([
    onMember('kill', profile.kill, (member) => member.kill()),
    // A lease is half a minute of the app's time: a second and a half of the harness's.
    onMember('hold', profile.hold, (member, own) => member.hold(own.between(1000, 3500))),
    onMember('ask', profile.ask, (member) => member.ask()),
    every('database', profile.database, (own) => spoilDatabase(world, own)),
    every('outside', profile.outside, spoil),
    every('outages', profile.outage, (own) => stopGateway(world, own, ending)),
  ])
  outside.faults.clear()
}

/** The longest time by which the database may be late without letting a lease expire. */
const leaseMs = 1500

/** Cuts connections, or delays the answers, sometimes for longer than a lease. */
function spoilDatabase({ database: { relay }, journal, clock }: ChaosWorld, chance: Chance): void {
  const isHit = () => chance.happens(0.4)
  const ms = chance.weighed([
    { weight: 6, ms: 0 },
    { weight: 4, ms: chance.between(50, 500) },
    { weight: 2, ms: chance.between(1600, 2600) },
  ]).ms
  const what =
    ms === 0 ? 'connections cut' : `answers ${ms > leaseMs ? 'later than a lease' : 'a little late'}`
  journal.note(everybody, `database: ${what}`)
  journal.count(`fault: database ${what}`)
  if (ms === 0) relay.cut(isHit)
  else relay.stall(ms, isHit)
  if (ms < leaseMs) return
  // The note has the real duration: the clock of the run may be slower.
  const began = performance.now()
  void clock.wait(ms).then(() => {
    const tookMs = Math.ceil(performance.now() - began)
    journal.note(everybody, `database: answers were later than a lease for ${tookMs} ms`)
  })
}

async function stopGateway(
  { gateway, journal, clock }: ChaosWorld,
  chance: Chance,
  ending: AbortSignal,
): Promise<void> {
  journal.note(everybody, 'gateway: away')
  journal.count('outages of the gateway')
  gateway.isAway = true
  await clock.wait(chance.between(500, 3000), ending)
  gateway.isAway = false
}
