// `/api/gateway/account`: scripts and tests read the balance, the tasks, the text answers and the newest requests, and set the balance.
// `POST /api/gateway/release` completes the tasks that are stuck.

import { z } from 'zod'
import { type Handler, parseJson, readBody, sendJson } from '../http.ts'
import { GatewayRefusal } from './answer.ts'
import { statusAt, type Task, type Tasks } from './tasks.ts'

/**
 * The account at the gateway, in whole kopecks, as plain integers because they are kept in JSON. No money is reserved: a task is charged
 * when it completes, so the balance can go below zero when several requests relied on the same money.
 */
export const accountState = z.object({ balance: z.int(), charged: z.int() })

export type Account = ReturnType<typeof openAccount>

/** @param state is changed */
export const openAccount = (state: z.output<typeof accountState>) => ({
  /** @throws GatewayRefusal */
  mustCover(kopecks: number) {
    if (state.balance >= kopecks) return
    throw new GatewayRefusal(402, 'insufficient_balance', `the balance does not cover ${kopecks} kopecks`)
  },
  charge(kopecks: number) {
    state.balance -= kopecks
    state.charged += kopecks
  },
})

/** A recorded request. Its headers are not kept, since they contain the API key. */
export interface RequestRecord {
  readonly at: string
  readonly method: string
  readonly path: string
  /** Null when the connection was cut. */
  readonly status: number | null
  /** The id of the request's W3C trace, if it has one. */
  readonly trace: string | undefined
  readonly body: unknown
}

const longText = 2000

/** JSON whose long texts (mostly pictures in base64) are cut short. */
export function abridged(body: unknown): unknown {
  if (typeof body === 'string' && body.length > longText) return `${body.slice(0, longText)}...`
  if (Array.isArray(body)) return body.map(abridged)
  const object = z.record(z.string(), z.unknown()).safeParse(body)
  if (!object.success) return body
  return Object.fromEntries(Object.entries(object.data).map(([key, value]) => [key, abridged(value)]))
}

export interface ChargedAnswer {
  readonly model: string
  /** The last text of the user. */
  readonly question: string
  /** The text of the answer; for a stream that ended early, the text of the whole answer. */
  readonly text: string
  readonly thinking: string
  /** The modes that the request switched on. */
  readonly modes: readonly string[]
  /** Charged tokens. */
  readonly input: number
  readonly output: number
  /** Whether the whole answer was sent. */
  readonly isWhole: boolean
  /** Whether a whole answer states its usage. */
  readonly tellsUsage: boolean
  readonly begunAt: string
  readonly endedAt: string
}

interface Deps {
  readonly state: { readonly account: z.output<typeof accountState>; readonly tasks: readonly Task[] }
  readonly tasks: Tasks
  readonly answers: readonly ChargedAnswer[]
  readonly requests: readonly RequestRecord[]
  readonly now: () => Date
  readonly save: () => Promise<void>
}

const change = z.strictObject({ balance: z.int().nonnegative() })

export function createInspection({ state, tasks, answers, requests, now, save }: Deps): Handler {
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/gateway/release' && pathname !== '/api/gateway/account') return false
    if (req.method === 'POST' && pathname === '/api/gateway/release') tasks.releaseStuck()
    else if (req.method === 'POST') {
      Object.assign(state.account, change.parse(parseJson(String(await readBody(req)))))
      await save()
    }
    const at = now().getTime()
    const shown = state.tasks.map((task) => ({
      ...task,
      status: statusAt(task, at),
      results: task.artifacts.length,
    }))
    sendJson(res, 200, { ...state.account, requests, answers, tasks: shown })
    return true
  }
}
