// HTTP routes: updates of Telegram, callbacks of the gateway, payment notifications, signed links to files, and probes. Handlers only store
// what they receive; the work is done by background loops.

import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import type { Metrics, OrderMetrics } from '../metrics.ts'
import { idsOf, receiveCallback } from '../orders/callback.ts'
import type { GenerationDeps } from '../orders/generation.ts'
import type { Tracker } from '../orders/worker.ts'
import { createNotifications, type Notifications } from '../payments/links.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Clock } from '../runtime/clock.ts'
import { isSame } from '../runtime/ids.ts'
import type { WebhookSecrets } from '../updates/webhook.ts'
import { createFileRoute, type FileDeps } from './files.ts'
import { end, readJson, readText } from './request.ts'

export type Handle = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>

const notificationPattern = /^\/payments\/([a-z-]{1,20})$/
const maxBytes = 64 * 1024

interface RouteDeps extends ProbeDeps, CallbackDeps, FileDeps {
  readonly metrics: Metrics
  readonly topUps: TopUpDeps
  /** The intake of the webhook; undefined with long polling. */
  readonly intake: Intake | undefined
}

/** The routes of a process whose role has only the probes. */
export const createProbes =
  (deps: ProbeDeps): Handle =>
  async (req, res, path) => {
    if (!(await answerProbe(deps, req, res, path))) end(res, 404)
  }

/** The handler receives the path relative to the mount point. */
export function createRoutes(deps: RouteDeps): Handle {
  const callbackAt = createCallbackRoutes(deps)
  const notifications = createNotifications(deps.topUps)
  const sendFile = createFileRoute(deps)
  const fileAt = (path: string): Route | undefined =>
    path.startsWith('/files/') ? (req, res) => sendFile(req, res, path) : undefined
  const routeOf = (method: string | undefined, path: string): Route | undefined => {
    if (method === 'POST')
      return callbackAt(path) ?? updatesRouteOf(deps, path) ?? notificationRouteOf(notifications, path)
    if (method === 'GET') return callbackAt(path) ?? fileAt(path)
    return method === 'HEAD' ? fileAt(path) : undefined
  }
  return async (req, res, path) => {
    if (await answerProbe(deps, req, res, path)) return
    const route = routeOf(req.method, path)
    if (route) await route(req, res)
    else end(res, 404)
  }
}

function updatesRouteOf({ intake }: RouteDeps, path: string): Route | undefined {
  return intake && path === updatesPath ? async (req, res) => end(res, await intake.take(req)) : undefined
}

function notificationRouteOf(notifications: Notifications, path: string): Route | undefined {
  const [, providerId] = notificationPattern.exec(path) ?? []
  if (!providerId) return undefined
  return async (req, res) => {
    const text = (await readText(req, maxBytes)) ?? ''
    const header = (name: string) => String(req.headers[name] ?? '')
    const isKnown = await notifications.receive(providerId, { text, header })
    end(res, isKnown ? 200 : 404)
  }
}

// The gateway's callbacks: POST with any body, or GET with a query. The response is 200 only after the callback was stored, and 5xx when
// the database fails, so that the gateway repeats the callback.

export interface CallbackDeps
  extends Pick<GenerationDeps, 'db' | 'clock' | 'pollIntervalMs' | 'callbackTokens'> {
  readonly tracker: Pick<Tracker, 'nudge'>
  readonly metrics: { readonly orders: Pick<OrderMetrics, 'calledBack'> }
}

type Route = (req: IncomingMessage, res: ServerResponse) => Promise<void>

export const callbackPath = (token: string): string => `/callbacks/${token}`
const tokenPattern = /^\/callbacks\/([a-z0-9]{32})$/
/** @returns the route of a path; undefined for other paths */
export function createCallbackRoutes(deps: CallbackDeps): (path: string) => Route | undefined {
  const receive = async (token: string, req: IncomingMessage) => {
    // A forged token is refused without a statement.
    if (!deps.callbackTokens.isSigned(token)) return false
    const isKnown = await receiveCallback(deps, token, await idsFrom(req))
    if (isKnown) deps.tracker.nudge()
    return isKnown
  }
  return (path) => {
    const [, token] = tokenPattern.exec(path) ?? []
    if (!token) return undefined
    return async (req, res) => {
      const isKnown = await receive(token, req)
      deps.metrics.orders.calledBack(isKnown)
      end(res, isKnown ? 200 : 404)
    }
  }
}

async function idsFrom(req: IncomingMessage) {
  const body = req.method === 'POST' ? await readText(req, maxBytes) : undefined
  return idsOf(queryOf(req), body ?? '')
}

const queryOf = ({ url = '' }: IncomingMessage): string =>
  url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''

// Probes of a supervisor: liveness, readiness and metrics.

interface ProbeDeps {
  /** True when the database answers and the process is not stopping. */
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
  /** Bearer token for /metrics; undefined disables it. */
  readonly metricsToken: string | undefined
}

/** @returns false when the request is not a probe */
async function answerProbe(
  deps: ProbeDeps,
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<boolean> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  if (path === '/healthz') end(res, 200)
  else if (path === '/readyz') end(res, (await deps.isReady()) ? 200 : 503)
  else if (path === '/metrics') await showMetrics(deps, req, res)
  else return false
  return true
}

async function showMetrics({ metrics, metricsToken }: ProbeDeps, req: IncomingMessage, res: ServerResponse) {
  if (metricsToken === undefined) return end(res, 404)
  if (!isSame(req.headers.authorization ?? '', `Bearer ${metricsToken}`)) return end(res, 401)
  const text = await metrics.render()
  res.writeHead(200, { 'content-type': metrics.contentType }).end(text)
}

// Whether the process can work. Anybody who reaches the port may ask, so requests of the same second share one check.

/** How long an answer is used. */
const freshMs = 1000

export function createReadiness(
  check: () => Promise<boolean>,
  clock: Pick<Clock, 'now'>,
): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let freshUntil = 0
  return () => {
    if (answer && clock.now().getTime() < freshUntil) return answer
    freshUntil = Number.POSITIVE_INFINITY
    answer = check().finally(() => {
      freshUntil = clock.now().getTime() + freshMs
    })
    return answer
  }
}

// Telegram's updates by webhook. The response is 200 only after the update was stored; otherwise Telegram sends it again.

export const updatesPath = '/telegram'

interface Intake {
  /** @returns the status to answer with @throws when the update could not be stored */
  take(req: IncomingMessage): Promise<number>
}

const maxUpdateBytes = 1024 * 1024
const someone = z.looseObject({ id: z.int() })
const message = z.looseObject({ chat: someone, from: someone.optional() })
const tap = z.looseObject({ from: someone, message: z.looseObject({ chat: someone }).optional() })
/** The number of the update, and the fields that decide its lanes. grammY reads the rest as Telegram sent it. */
const shape = z.looseObject({
  update_id: z.int(),
  message: message.optional(),
  edited_message: message.optional(),
  callback_query: tap.optional(),
  my_chat_member: z.looseObject({ chat: someone, from: someone }).optional(),
})
const update = z.custom<Update>((value) => shape.safeParse(value).success)

/** Settings that all processes of a bot share. */
interface Keys {
  readonly botToken: string
  readonly gatewayKey: string
}

/** The webhook's secret. Made of two keys, so that neither the holder of a leaked token nor the gateway can send us updates. */
export const secretOf = ({ botToken, gatewayKey }: Keys): string =>
  createHmac('sha256', gatewayKey).update(`telegram webhook ${botToken}`).digest('base64url')

/** @param others the secrets of the other processes, which Telegram may still send, or send already */
export function createIntake(
  secret: string,
  others: Pick<WebhookSecrets, 'isOfAnother'>,
  store: (updates: readonly Update[]) => Promise<void>,
): Intake {
  return {
    async take(req) {
      const shown = String(req.headers['x-telegram-bot-api-secret-token'] ?? '')
      // Telegram sends a refused update again, so one with a secret that no process has comes back after the webhook was set anew.
      if (!isSame(shown, secret) && !(await others.isOfAnother(shown))) return 401
      const received = update.safeParse(await readJson(req, maxUpdateBytes))
      if (received.success) await store([received.data])
      // An invalid body stays invalid when it is sent again.
      return 200
    },
  }
}
