// The shape of a scripted fault, as `POST /api/faults` takes it. The chat page is compiled against it, so this file imports
// nothing that needs Node.js.

import { z } from 'zod'

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
   * Answers only after `ms`, by default never (until the caller hangs up). After `ms` YooKassa and the reads of the gateway do
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
  /** Gateway files only (`cdn`): redirects to `to`, by default to the file itself, so that `times` is the number of redirects. */
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.literal([301, 302, 303, 307, 308]).default(302),
    to: z.string().optional(),
  }),
])

export const faultSchema = z.strictObject({
  target: z.enum(['telegram', 'gateway', 'yookassa']),
  /**
   * The faulty operation; `*` is any operation.
   * Telegram: a Bot API method (`sendVideo`), `update` for the delivery of updates to the bot, or `successful_payment` or
   * `refunded_payment`, whose `cut` loses the update about a payment or a refund for ever.
   * Gateway: `create`, `poll`, `callback`, `cdn`, `chat`, `messages`, `responses`, `native`, `styles`, `concepts`; `hang` and `cut` with
   * `after` take effect in the middle of a streamed answer.
   * YooKassa: `create`, `read`, `refund`, `list` (of refunds), `notification`.
   */
  operation: z.string().min(1),
  fault: kind,
  times: z.int().positive().default(1),
  /** The number of calls of the operation that succeed before the first fault. */
  skip: z.int().nonnegative().optional(),
})

export type Fault = z.output<typeof kind>
export type ScriptedFault = z.output<typeof faultSchema>
export type NewFault = z.input<typeof faultSchema>
