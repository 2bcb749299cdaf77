// The bot's side of the local Telegram: `/bot<token>/METHOD` and `/file/bot<token>/PATH`. Scripted faults strike
// here.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'
import type { Fault, Faults } from '../faults.ts'
import { type Room, sendJson } from '../http.ts'
import type { Call } from './method.ts'
import { findMethod } from './methods/index.ts'
import { Refusal } from './refusal.ts'
import { parseRequest } from './request.ts'
import { serveFile } from './serve-file.ts'
import { takeFault } from './take-fault.ts'
import { filePath, type World } from './world.ts'

const faultKinds = ['error', 'hang', 'cut', 'garbage'] as const
const htmlPage = '<html><body><h1>502 Bad Gateway</h1></body></html>'

export interface BotApiParts {
  world: World
  token: string
  faults: Faults
  changed(): void
}

type Outcome = { ok: true; result: unknown } | { ok: false; refusal: Refusal }

function sendRefusal(res: ServerResponse, { code, message, parameters }: Refusal): void {
  if (res.headersSent) return void res.destroy()
  sendJson(res, code, {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters && Object.keys(parameters).length > 0 && { parameters }),
  })
}

/** Loud on purpose: a bot that calls what is missing here must not look as if it worked. */
function report(world: World, method: string, refusal: Refusal, chatId: unknown): void {
  const data = { method, error_code: refusal.code, description: refusal.message }
  const chat_id = Number(chatId)
  world.events.emit({ type: 'error', data, ...(chat_id && { chat_id }) })
  if (refusal.code === 404 || refusal.code >= 500) {
    process.stderr.write(`sandbox telegram: ${method}: ${refusal.code} ${refusal.message}\n`)
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`sandbox telegram failed: ${text}\n`)
  return new Refusal(500, 'Internal Server Error')
}

async function perform(
  world: World,
  name: string,
  raw: Record<string, unknown>,
  call: Call,
): Promise<Outcome> {
  try {
    const found = findMethod(name)
    if (!found) throw new Refusal(404, 'Not Found: method not found')
    return { ok: true, result: await found.method.run(world, raw, call) }
  } catch (error) {
    const refusal = asRefusal(error)
    report(world, name, refusal, raw.chat_id)
    return { ok: false, refusal }
  }
}

function faultRefusal(fault: Extract<Fault, { kind: 'error' }>): Refusal {
  const { status, description, retryAfter, migrateTo } = fault
  const usual = retryAfter === undefined ? 'Scripted fault' : `Too Many Requests: retry after ${retryAfter}`
  return new Refusal(status, description ?? usual, {
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(migrateTo === undefined ? {} : { migrate_to_chat_id: migrateTo }),
  })
}

/** Plays a fault that strikes before the work; true when there is nothing more to do. */
async function strike(res: ServerResponse, fault: Fault | undefined, clock: Clock, signal: AbortSignal) {
  switch (fault?.kind) {
    case 'error':
      sendRefusal(res, faultRefusal(fault))
      return true
    case 'hang':
      await (fault.ms === undefined ? hangUp(signal) : clock.wait(fault.ms, signal))
      if (!signal.aborted) sendRefusal(res, new Refusal(504, 'Gateway Timeout'))
      return true
    case 'garbage':
      res.writeHead(200, { 'content-type': 'text/html' }).end(fault.body ?? htmlPage)
      return true
    case 'cut':
      if (!fault.after) res.destroy()
      return !fault.after
    default:
      return false
  }
}

async function hangUp(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

async function answer(parts: BotApiParts, req: IncomingMessage, res: ServerResponse, url: URL, name: string) {
  const { world, faults } = parts
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, world.closing])
  const fault = takeFault(faults, findMethod(name)?.name ?? name, faultKinds)
  const { params, uploads } = await parseRequest(req, url)
  if (await strike(res, fault, world.clock, signal)) return
  const outcome = await perform(world, name, params, { uploads, signal })
  parts.changed()
  if (fault?.kind === 'cut') res.destroy()
  else if (outcome.ok) sendJson(res, 200, { ok: true, result: outcome.result })
  else sendRefusal(res, outcome.refusal)
}

async function download({ world }: BotApiParts, req: IncomingMessage, res: ServerResponse, path: string) {
  const file = Object.values(world.state.files).find((one) => one.path === path)
  if (!file) return sendRefusal(res, new Refusal(404, 'Not Found'))
  return serveFile(req, res, filePath(world, file.path), { 'content-type': 'application/octet-stream' })
}

export function createBotApi(parts: BotApiParts): Room {
  return async (req, res, url) => {
    const match = /^(\/file)?\/bot([^/]+)\/(.+)$/.exec(url.pathname)
    if (!match) return false
    const [, isFile, token, rest = ''] = match
    try {
      if (token !== parts.token) sendRefusal(res, new Refusal(401, 'Unauthorized'))
      else if (isFile) await download(parts, req, res, rest)
      else await answer(parts, req, res, url, rest)
    } catch (error) {
      sendRefusal(res, asRefusal(error))
    }
    return true
  }
}
