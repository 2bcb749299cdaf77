// What the outside may call: Telegram's updates, the gateway's callbacks, notices of payments, signed links to files, and the
// probes. Every answer is quick; the work is done elsewhere.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxFileBytes } from '../catalog/media.ts'
import { receiveCallback } from '../generations/callbacks.ts'
import type { GenerationDeps } from '../generations/generation.ts'
import { receiveNotice } from '../payments/links.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import { type Intake, updatesPath } from './intake.ts'
import type { Links } from './links.ts'
import { answerProbe, type ProbeDeps } from './probes.ts'
import { end, readJson } from './reply.ts'

export type Handle = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>

export const callbackPath = (token: string): string => `/callbacks/${token}`

const tokenPattern = /^\/callbacks\/([a-z0-9]{32})$/
const noticePattern = /^\/payments\/([a-z-]{1,20})$/
const maxBytes = 64 * 1024

export interface RouteDeps
  extends ProbeDeps,
    Pick<GenerationDeps, 'db' | 'clock' | 'log' | 'pollIntervalMs' | 'media'> {
  readonly tracker: { nudge(): void }
  readonly links: Links
  readonly topUps: TopUpDeps
  /** Undefined where Telegram is polled. */
  readonly intake: Intake | undefined
}

type Route = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Only the probes, for a process that serves nobody. */
export const createProbes =
  (deps: ProbeDeps): Handle =>
  async (req, res, path) => {
    if (!(await answerProbe(deps, req, res, path))) end(res, 404)
  }

/** A handle is given the request's path below wherever we are mounted. */
export function createRoutes(deps: RouteDeps): Handle {
  return async (req, res, path) => {
    if (await answerProbe(deps, req, res, path)) return
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const route = isRead ? readingOf(deps, path) : req.method === 'POST' && takingOf(deps, path)
    if (route) await route(req, res)
    else end(res, 404)
  }
}

function readingOf(deps: RouteDeps, path: string): Route | undefined {
  return path.startsWith('/files/') ? (_, res) => sendFile(deps, res, path) : undefined
}

function takingOf(deps: RouteDeps, path: string): Route | undefined {
  const { intake } = deps
  if (intake && path === updatesPath) return async (req, res) => end(res, await intake.take(req))
  const [, token] = tokenPattern.exec(path) ?? []
  if (token) return known((body) => takeCallback(deps, token, body))
  const [, providerId] = noticePattern.exec(path) ?? []
  return providerId ? known((body) => receiveNotice(deps.topUps, providerId, body)) : undefined
}

/** @param take false when the body concerns nothing we know */
const known =
  (take: (body: unknown) => Promise<boolean>): Route =>
  async (req, res) =>
    end(res, (await take(await readJson(req, maxBytes))) ? 200 : 404)

async function takeCallback(deps: RouteDeps, token: string, payload: unknown): Promise<boolean> {
  const isKnown = await receiveCallback(deps, token, payload)
  deps.metrics.orders.calledBack(isKnown)
  if (isKnown) deps.tracker.nudge()
  return isKnown
}

/** The type is the sender's word, so nothing is ever shown as a page. */
async function sendFile({ links, media }: RouteDeps, res: ServerResponse, path: string): Promise<void> {
  const link = links.read(path)
  if (!link) return end(res, 404)
  const file = await media.read(link.file, maxFileBytes)
  if (!file.ok) return end(res, file.reason === 'unavailable' ? 503 : 404)
  const headers = {
    'content-type': link.mime,
    'content-length': file.bytes.length,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  }
  res.writeHead(200, headers).end(file.bytes)
}
