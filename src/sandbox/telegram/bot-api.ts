// The bot's side of the local Telegram: `/bot<token>/METHOD` and `/file/bot<token>/PATH`, with scripted faults.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Faults } from '../faults.ts'
import { type Handler, sendJson } from '../http.ts'
import { methodFaults, methodUnderFault, type Outcome, takeFault } from './faults.ts'
import type { Call } from './method.ts'
import { findMethod } from './methods/index.ts'
import { Refusal } from './refusal.ts'
import { parseRequest } from './request.ts'
import { serveFile } from './serve-file.ts'
import { filePath, type TelegramServer } from './server.ts'

interface Deps {
  server: TelegramServer
  token: string
  faults: Faults
  changed(): void
}

export function createBotApi(deps: Deps): Handler {
  return async (req, res, url) => {
    const match = /^(\/file)?\/bot([^/]+)\/(.+)$/.exec(url.pathname)
    if (!match) return false
    const [, isFile, token, rest = ''] = match
    try {
      if (token !== deps.token) sendRefusal(res, new Refusal(401, 'Unauthorized'))
      else if (isFile) await download(deps, req, res, rest)
      else await answer(deps, req, res, url, rest)
    } catch (error) {
      sendRefusal(res, asRefusal(error))
    }
    return true
  }
}

async function answer(deps: Deps, req: IncomingMessage, res: ServerResponse, url: URL, name: string) {
  const { server, faults } = deps
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, server.closing])
  const fault = takeFault(faults, findMethod(name)?.name ?? name, methodFaults)
  const { params, uploads } = await parseRequest(req, url)
  const outcome = await methodUnderFault(fault, server.clock, signal, async () => {
    const done = await perform(server, name, params, { uploads, signal })
    deps.changed()
    return done
  })
  send(res, outcome)
}

async function perform(
  server: TelegramServer,
  name: string,
  raw: Record<string, unknown>,
  call: Call,
): Promise<Outcome> {
  try {
    const found = findMethod(name)
    if (!found) throw new Refusal(404, 'Not Found: method not found')
    return { kind: 'done', result: await found.method.run(server, raw, call) }
  } catch (error) {
    const refusal = asRefusal(error)
    report(server, name, refusal, raw.chat_id)
    return { kind: 'refused', refusal }
  }
}

/** A missing method is also written to stderr, so that a bot which calls it does not seem to work. */
function report(server: TelegramServer, method: string, refusal: Refusal, chatId: unknown): void {
  const data = { method, error_code: refusal.code, description: refusal.message }
  const chat_id = Number(chatId)
  server.events.emit({ type: 'error', data, ...(chat_id && { chat_id }) })
  if (refusal.code === 404 || refusal.code >= 500) {
    process.stderr.write(`sandbox telegram: ${method}: ${refusal.code} ${refusal.message}\n`)
  }
}

async function download({ server }: Deps, req: IncomingMessage, res: ServerResponse, path: string) {
  const file = Object.values(server.state.files).find((one) => one.path === path)
  if (!file) return sendRefusal(res, new Refusal(404, 'Not Found'))
  return serveFile(req, res, filePath(server, file.path), { 'content-type': 'application/octet-stream' })
}

function send(res: ServerResponse, outcome: Outcome | undefined): void {
  if (!outcome) res.destroy()
  else if (outcome.kind === 'done') sendJson(res, 200, { ok: true, result: outcome.result })
  else if (outcome.kind === 'refused') sendRefusal(res, outcome.refusal)
  else res.writeHead(200, { 'content-type': 'text/html' }).end(outcome.page)
}

function sendRefusal(res: ServerResponse, { code, message, parameters }: Refusal): void {
  if (res.headersSent) return void res.destroy()
  sendJson(res, code, {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters && Object.keys(parameters).length > 0 && { parameters }),
  })
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`sandbox telegram failed: ${text}\n`)
  return new Refusal(500, 'Internal Server Error')
}
