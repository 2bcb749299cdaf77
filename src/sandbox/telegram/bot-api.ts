// The bot's side of the local Telegram: `/bot<token>/METHOD` and `/file/bot<token>/PATH`, with scripted faults.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Faults } from '../faults.ts'
import { type Handler, sendJson } from '../http.ts'
import type { LocalBot } from './bot.ts'
import { defined } from './defined.ts'
import { methodFaults, methodUnderFault, type Outcome, takeFault } from './faults.ts'
import type { Call } from './method.ts'
import { methods } from './methods/index.ts'
import { Refusal, refuse } from './refusal.ts'
import { hasHalfCharacter, parseRequest, type RequestBody } from './request.ts'
import { serveFile } from './serve-file.ts'
import { filePath, type TelegramServer } from './server.ts'

interface Deps {
  readonly bot: LocalBot
  readonly faults: Faults
}

export function createBotApi({ bot, faults }: Deps): Handler {
  return async (req, res, url) => {
    const match = /^(\/file)?\/bot([^/]+)\/(.+)$/.exec(url.pathname)
    if (!match) return false
    const [, isFile, token = '', rest = ''] = match
    try {
      if (token !== bot.token) sendRefusal(res, new Refusal(401, 'Unauthorized'))
      else if (isFile) await download(bot.server, req, res, rest)
      else await answer(bot, faults, { req, res, url, name: rest })
    } catch (error) {
      sendRefusal(res, asRefusal(error))
    }
    return true
  }
}

interface MethodCall {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly url: URL
  readonly name: string
}

async function answer(bot: LocalBot, faults: Faults, { req, res, url, name }: MethodCall): Promise<void> {
  const { server } = bot
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, server.closing])
  const fault = takeFault(faults, name, methodFaults)
  const { params, uploads } = await parseRequest(req, url)
  const outcome = await methodUnderFault(fault, server.clock, signal, async () => {
    const done = await perform(server, name, params, { uploads, signal })
    bot.changed()
    return done
  })
  send(res, outcome)
}

async function perform(
  server: TelegramServer,
  name: string,
  params: RequestBody['params'],
  call: Call,
): Promise<Outcome> {
  try {
    const method = methods.get(name) ?? unknown(name)
    if (hasHalfCharacter(params)) refuse('strings must be encoded in UTF-8')
    return { kind: 'done', result: await method.run(server, params, call) }
  } catch (error) {
    const refusal = asRefusal(error)
    const data = { method: name, error_code: refusal.code, description: refusal.message }
    const chat_id = Number(params.chat_id) || undefined
    server.events.emit({ type: 'error', data, ...defined({ chat_id }) })
    return { kind: 'refused', refusal }
  }
}

/** Also written to stderr, so that the failure is noticed. */
function unknown(name: string): never {
  const text = `method ${name} is not part of the sandbox`
  process.stderr.write(`sandbox telegram: ${text}\n`)
  return refuse(text)
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`sandbox telegram failed: ${text}\n`)
  return new Refusal(500, 'Internal Server Error')
}

async function download(server: TelegramServer, req: IncomingMessage, res: ServerResponse, path: string) {
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
