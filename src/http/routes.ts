// HTTP routes: updates of Telegram, callbacks of the gateway, payment notifications, signed links to files, and probes. Handlers only store
// what they receive; the work is done by background loops.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '../metrics.ts'
import { createNotifications, type Notifications } from '../payments/notifications.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import { type CallbackDeps, createCallbackRoutes, type Route } from './callbacks.ts'
import { createFileRoute, type FileDeps } from './files.ts'
import { type Intake, updatesPath } from './intake.ts'
import { answerProbe, type ProbeDeps } from './probes.ts'
import { end, readJson } from './request.ts'

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
    const isKnown = await notifications.receive(providerId, await readJson(req, maxBytes))
    end(res, isKnown ? 200 : 404)
  }
}
