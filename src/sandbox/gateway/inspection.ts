// `/api/gateway/account`: the page and the tests read the balance, the tasks, the text answers and the newest
// requests, and set the balance. `POST /api/gateway/release` completes the tasks that are stuck.

import { z } from 'zod'
import { type Handler, parseJson, readBody, sendJson } from '../http.ts'
import { statusAt, type Task, type Tasks } from './tasks.ts'

/**
 * The account at the gateway, in whole kopecks, as plain integers because they are kept in JSON. No money is reserved: a task is charged
 * when it completes, so the balance can go below zero when several requests relied on the same money.
 */
export const accountState = z.object({ balance: z.int(), charged: z.int() })
type AccountState = z.output<typeof accountState>

export interface Account {
  state(): AccountState
  covers(kopecks: number): boolean
  charge(kopecks: number): void
  setBalance(kopecks: number): void
}

export function openAccount(loaded: AccountState): Account {
  const state = { ...loaded }
  return {
    state: () => ({ ...state }),
    covers: (kopecks) => state.balance >= kopecks,
    charge(kopecks) {
      state.balance -= kopecks
      state.charged += kopecks
    },
    setBalance(kopecks) {
      state.balance = kopecks
    },
  }
}

/** A recorded request. Its headers are not kept, since they contain the API key. */
interface RequestRecord {
  readonly at: string
  readonly method: string
  readonly path: string
  /** Null when the connection was cut. */
  readonly status: number | null
  /** The id of the request's W3C trace, if it has one. */
  readonly trace?: string
  readonly body?: unknown
}

/** The newest records, the newest last. */
interface Log<R> {
  add(record: R): void
  list(): readonly R[]
}
export type RequestLog = Log<RequestRecord>

function createLog<R>(kept: number): Log<R> {
  const records: R[] = []
  return {
    add(record) {
      records.push(record)
      if (records.length > kept) records.shift()
    },
    list: () => records,
  }
}

export const createRequestLog = (): RequestLog => createLog(200)
export const createAnswerLog = (): AnswerLog => createLog(20_000)

const longText = 2000

/** JSON whose long texts (mostly pictures in base64) are cut short. */
export function abridged(body: unknown): unknown {
  if (typeof body === 'string' && body.length > longText) return `${body.slice(0, longText)}...`
  if (Array.isArray(body)) return body.map(abridged)
  const object = z.record(z.string(), z.unknown()).safeParse(body)
  if (!object.success) return body
  return Object.fromEntries(Object.entries(object.data).map(([key, value]) => [key, abridged(value)]))
}

interface ChargedAnswer {
  readonly model: string
  /** The last text of the user. */
  readonly question: string
  /** The number of pictures sent with it. */
  readonly pictures: number
  /** The text of the answer or of its tool calls; for a stream that ended early, the text of the whole answer. */
  readonly text: string
  readonly thinking: string
  /** The modes that the request switched on. */
  readonly modes: readonly ('thinking' | 'search' | 'code')[]
  /** Charged tokens. */
  readonly input: number
  readonly output: number
  /** Kopecks. */
  readonly charge: number
  /** Whether the whole answer was sent. */
  readonly isWhole: boolean
  /** Whether a whole answer states its usage. */
  readonly tellsUsage: boolean
  readonly begunAt: string
  readonly endedAt: string
}

export type AnswerLog = Log<ChargedAnswer>

interface Deps {
  readonly account: Account
  readonly tasks: Tasks
  readonly answers: AnswerLog
  readonly requests: RequestLog
  readonly now: () => Date
  readonly save: () => Promise<void>
}

const change = z.strictObject({ balance: z.int().nonnegative() })

export function createInspection(deps: Deps): Handler {
  return async (req, res, url) => {
    if (url.pathname === '/api/gateway/release' && req.method === 'POST') {
      deps.tasks.releaseStuck()
      sendJson(res, 200, view(deps))
      return true
    }
    if (url.pathname !== '/api/gateway/account') return false
    if (req.method === 'POST') {
      const wanted = change.safeParse(parseJson(String(await readBody(req))))
      if (!wanted.success) {
        sendJson(res, 400, { error: z.prettifyError(wanted.error) })
        return true
      }
      deps.account.setBalance(wanted.data.balance)
      await deps.save()
    }
    sendJson(res, 200, view(deps))
    return true
  }
}

function view({ account, tasks, answers, requests, now }: Deps) {
  const at = now().getTime()
  return {
    ...account.state(),
    requests: requests.list(),
    answers: answers.list(),
    tasks: tasks.list().map((task) => taskView(task, at)),
  }
}

const taskView = (task: Task, at: number) => ({
  id: task.id,
  model: task.model,
  prompt: task.prompt,
  status: statusAt(task, at),
  created: new Date(task.createdAt).toISOString(),
  charge: task.charge,
  isSettled: task.isSettled,
  results: task.artifacts.length,
  ...(task.error === undefined ? {} : { error: task.error }),
})
