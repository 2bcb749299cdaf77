// What the outside may call: the gateway's callbacks, notices of payments, signed links to files, and a health check. Every
// answer is quick; the work is done elsewhere.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxFileBytes } from '../catalog/media.ts'
import { receiveCallback } from '../generations/callbacks.ts'
import type { GenerationDeps } from '../generations/generation.ts'
import type { Tracker } from '../generations/tracker.ts'
import { receiveNotice } from '../payments/links.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Links } from './links.ts'

export type Handle = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>

export const callbackPath = (token: string): string => `/callbacks/${token}`

const tokenPattern = /^\/callbacks\/([a-z0-9]{32})$/
const noticePattern = /^\/payments\/([a-z-]{1,20})$/
const bodyLimit = 64 * 1024

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log' | 'pollIntervalMs' | 'media'> & {
  readonly tracker: Tracker
  readonly links: Links
  readonly topUps: TopUpDeps
}

/** @param path the request's path below wherever we are mounted */
export function createRoutes(deps: Deps): Handle {
  return async (req, res, path) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (isRead && path === '/healthz') return end(res, 200)
    if (isRead && path.startsWith('/files/')) return sendFile(deps, res, path)
    const take = req.method === 'POST' ? takerOf(deps, path) : undefined
    const isKnown = take && (await take(await readJson(req)))
    end(res, isKnown ? 200 : 404)
  }
}

/** What is done with a body that is sent to this path; false when it concerns nothing we know. */
function takerOf(deps: Deps, path: string): ((body: unknown) => Promise<boolean>) | undefined {
  const [, token] = tokenPattern.exec(path) ?? []
  if (token) return (body) => takeCallback(deps, token, body)
  const [, providerId] = noticePattern.exec(path) ?? []
  return providerId ? (body) => receiveNotice(deps.topUps, providerId, body) : undefined
}

async function takeCallback(deps: Deps, token: string, payload: unknown): Promise<boolean> {
  const known = await receiveCallback(deps, token, payload)
  if (known) deps.tracker.nudge()
  return known
}

function end(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'ok' : 'not available')
}

/** The type is the sender's word, so nothing is ever shown as a page. */
async function sendFile({ links, media }: Deps, res: ServerResponse, path: string): Promise<void> {
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

/** Undefined for anything that is not a JSON body of bearable size: a callback needs none. */
async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
  }
  try {
    return size <= bodyLimit ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : undefined
  } catch {
    return undefined
  }
}
