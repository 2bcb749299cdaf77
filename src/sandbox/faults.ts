// Scripted faults: what goes wrong, in which operation, and how many times. `POST /api/faults` adds to the list; the local
// Telegram, the local gateway and the local YooKassa take from it. Production code does not know of it.

import { z } from 'zod'
import { companionFormats } from './gateway/companions/companion.ts'
import { type Handler, parseJson, readBody, sendJson } from './http.ts'

const kind = z.discriminatedUnion('kind', [
  /** Answers with an error status; the work is not done. */
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
  /** Cuts the connection: before the work is done, or after it (only the answer is lost). */
  z.strictObject({ kind: z.literal('cut'), after: z.boolean().default(false) }),
  /** Does the work twice: an update or a callback is delivered again under the same id. */
  z.strictObject({ kind: z.literal('twice') }),
  /** Answers 200 with `body`, by default an HTML page; the work is not done. */
  z.strictObject({ kind: z.literal('garbage'), body: z.string().optional() }),
  /** Gateway tasks only: the task that is created ends in this state. */
  z.strictObject({
    kind: z.literal('task'),
    status: z.enum(['failed', 'canceled', 'stuck']),
    error: z.string().optional(),
  }),
  /**
   * Callbacks of the gateway only: the same content in another form, since gateway-api.md shows none. `nested` and `beside`
   * also carry an id of the vendor, which is not the id of a task.
   */
  z.strictObject({ kind: z.literal('shape'), shape: z.enum(['nested', 'beside', 'array', 'form', 'query']) }),
  /**
   * Gateway tasks only: files of these formats (by default the usual ones for the modality) are delivered with the results of
   * the task that is created, or `instead` of them. The price is that of the results.
   */
  z.strictObject({
    kind: z.literal('files'),
    formats: z.array(z.enum(companionFormats)).min(1).optional(),
    instead: z.boolean().default(false),
  }),
  /** Gateway files only (`cdn`): redirects to `to`, by default to the file itself, so that `times` is the number of redirects. */
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.literal([301, 302, 303, 307, 308]).default(302),
    to: z.string().optional(),
  }),
  /** Gateway files only (`cdn`): the file is sent with this content type, or with none when it is empty. */
  z.strictObject({ kind: z.literal('type'), type: z.string() }),
])

export const faultSchema = z.strictObject({
  target: z.enum(['telegram', 'gateway', 'yookassa']),
  /**
   * Telegram: a Bot API method (`sendVideo`), or `update` for the delivery of updates to the bot. Gateway: `create`, `poll`,
   * `callback`, `cdn`, `chat`, `messages`, `responses`, `native`, `styles`, `concepts`; `hang` and `cut` with `after` take
   * effect in the middle of a streamed answer. YooKassa: `create`, `read`, `refund`, `notice`. `*` is any operation.
   */
  operation: z.string().min(1),
  fault: kind,
  times: z.int().positive().default(1),
  /** This many calls of the operation succeed before the first fault. */
  skip: z.int().nonnegative().optional(),
})

export type Fault = z.output<typeof kind>
export type ScriptedFault = z.output<typeof faultSchema>

export interface Faults {
  add(fault: ScriptedFault): void
  /** The next fault of this operation; each call uses up one of its `times` or `skip`. */
  take(target: ScriptedFault['target'], operation: string): Fault | undefined
  list(): readonly ScriptedFault[]
  clear(): void
}

export function createFaults(): Faults {
  let scripted: ScriptedFault[] = []
  return {
    add: (fault) => void scripted.push({ ...fault }),
    take(target, operation) {
      const next = scripted.find(
        (one) => one.target === target && (one.operation === operation || one.operation === '*'),
      )
      if (!next) return undefined
      if (next.skip) {
        next.skip -= 1
        return undefined
      }
      next.times -= 1
      scripted = scripted.filter((one) => one.times > 0)
      return next.fault
    },
    list: () => scripted,
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
