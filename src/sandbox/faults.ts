// The list of scripted faults: what goes wrong, in which operation, and how many times. `POST /api/faults` adds to the list; the doubles (Bot
// API, gateway, payment providers) take faults from it, and each supplies the form of its errors. Production code does not know of it.

import { once } from 'node:events'
import { z } from 'zod'
import type { Clock } from '../runtime/clock.ts'
import { type Handler, parseJson, readBody, sendJson } from './http.ts'

const kind = z.discriminatedUnion('kind', [
  /** Answers with an error status and does not do the work. */
  z.strictObject({
    kind: z.literal('error'),
    status: z.int().min(400).max(599),
    description: z.string().optional(),
    retryAfter: z.number().optional(),
    /** Telegram only: the id of the supergroup that the chat has become. */
    migrateTo: z.int().optional(),
  }),
  /**
   * Answers only after `ms`, by default never (until the caller hangs up). After `ms` payment providers and the reads of the gateway do
   * the work and answer with it; everything else answers 504 with the work not done.
   */
  z.strictObject({ kind: z.literal('hang'), ms: z.int().positive().optional() }),
  /** Cuts the connection before the work is done, or with `after` once it is done, so that only the answer is lost. */
  z.strictObject({ kind: z.literal('cut'), after: z.boolean().default(false) }),
  /** Does the work twice: an update or a callback is delivered again under the same id. */
  z.strictObject({ kind: z.literal('twice') }),
  /** Answers 200 with `body`, by default an HTML page, and does not do the work. */
  z.strictObject({ kind: z.literal('garbage'), body: z.string().optional() }),
  /** Gateway tasks only: the task that is created ends in this state; the answer to its creation may be lost as well. */
  z.strictObject({
    kind: z.literal('task'),
    status: z.enum(['failed', 'canceled', 'stuck']),
    error: z.string().optional(),
    isAnswerLost: z.boolean().optional(),
  }),
])

const paymentTargets = ['yookassa', 'platega', 'cryptopay'] as const
export type PaymentTarget = (typeof paymentTargets)[number]

export const faultSchema = z.strictObject({
  target: z.enum(['telegram', 'gateway', 'tax', ...paymentTargets]),
  /**
   * The faulty operation; `*` is any operation.
   * Telegram: a Bot API method (`sendVideo`), `update` for the delivery of updates to the bot, or `successful_payment` or
   * `refunded_payment`, whose `cut` loses the update about a payment or a refund for ever.
   * Gateway: `create`, `poll`, `callback`, `cdn`, `chat`, `messages`, `responses`, `native`, `styles`, `concepts`; `hang` and `cut` with
   * `after` take effect in the middle of a streamed answer.
   * Payment providers: `create`, `read`, `notification`; YooKassa also `refund`, `list` (of refunds), Platega `refund`, `cancelable`,
   * `check`, CryptoPay `check`. The tax service: `auth/lkfl`, `income`, `incomes`, `cancel`.
   */
  operation: z.string().min(1),
  fault: kind,
  times: z.int().positive().default(1),
  /** The number of calls of the operation that succeed before the first fault. */
  skip: z.int().nonnegative().optional(),
})

export type Fault = z.output<typeof kind>
export type ScriptedFault = z.output<typeof faultSchema>

/** A fault of `*` at Telegram is for methods, not for a poll, the delivery of an update, and the updates about payments and refunds. */
const onlyByName = ['update', 'getUpdates', 'successful_payment', 'refunded_payment']
const isAny = (one: ScriptedFault, operation: string): boolean =>
  one.operation === '*' && !(one.target === 'telegram' && onlyByName.includes(operation))

export type Faults = ReturnType<typeof createFaults>

export function createFaults() {
  let scripted: ScriptedFault[] = []
  return {
    add: (fault: ScriptedFault) => void scripted.push({ ...fault }),
    /**
     * The next fault of this operation; each call uses up one of its `times` or `skip`.
     *
     * @param kinds those that the caller can carry out; by default all
     */
    take(
      target: ScriptedFault['target'],
      operation: string,
      kinds?: readonly Fault['kind'][],
    ): Fault | undefined {
      const next = scripted.find(
        (one) => one.target === target && (one.operation === operation || isAny(one, operation)),
      )
      if (!next || (kinds && !kinds.includes(next.fault.kind))) return undefined
      if (next.skip) {
        next.skip -= 1
        return undefined
      }
      next.times -= 1
      scripted = scripted.filter((one) => one.times > 0)
      return next.fault
    },
    list: (): readonly ScriptedFault[] => scripted,
    clear() {
      scripted = []
    },
  }
}

/** `/api/faults`: GET lists the scripted faults, POST adds one, DELETE removes all. Each answers with the list. */
export function createFaultRoutes(faults: Faults): Handler {
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/faults') return false
    if (req.method === 'DELETE') faults.clear()
    if (req.method === 'POST') {
      const fault = faultSchema.safeParse(parseJson(String(await readBody(req))))
      if (!fault.success) {
        sendJson(res, 400, { error: z.prettifyError(fault.error) })
        return true
      }
      faults.add(fault.data)
    }
    sendJson(res, 200, faults.list())
    return true
  }
}

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
    case undefined:
    case 'task': {
      // The work itself ends the task.
      const answer = await work()
      return fault?.kind === 'task' && fault.isAnswerLost ? undefined : answer
    }
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
  if (!signal.aborted) await once(signal, 'abort')
}
