// The bot's side of the local Telegram: `/bot<token>/METHOD` and `/file/bot<token>/PATH`, with scripted faults. A method that the app does not
// call is refused with its name; a new one is an entry in one of the files of `methods`.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorFault, underFault } from '../faults.ts'
import { type Handler, sendJson, serveFile } from '../http.ts'
import { defined } from './defined.ts'
import type { Call, Method } from './method.ts'
import { answers } from './methods/answers.ts'
import { chats, profile } from './methods/chats.ts'
import { media } from './methods/media.ts'
import { edits, messages } from './methods/messages.ts'
import { updates } from './methods/updates.ts'
import { payments } from './payments.ts'
import { Refusal, refuse } from './refusal.ts'
import { hasHalfCharacter, parseRequest, type RequestBody } from './request.ts'
import { filePath, type TelegramServer } from './server.ts'

const methods: ReadonlyMap<string, Method> = new Map<string, Method>(
  [messages, media, edits, answers, payments, chats, profile, updates].flatMap((some) =>
    Object.entries(some),
  ),
)

const methodFaults = ['error', 'hang', 'cut', 'garbage'] as const

/** An answer: JSON, or a page that is not of the API. */
interface Reply {
  readonly status: number
  readonly body: object | string
}

const htmlPage = '<html><body><h1>502 Bad Gateway</h1></body></html>'

function refusalOf({ status, description, retryAfter, migrateTo }: ErrorFault): Refusal {
  const usual = retryAfter === undefined ? 'Scripted fault' : `Too Many Requests: retry after ${retryAfter}`
  return new Refusal(status, description ?? usual, {
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(migrateTo !== undefined && { migrate_to_chat_id: migrateTo }),
  })
}

export function createBotApi(server: TelegramServer): Handler {
  return async (req, res, url) => {
    const match = /^(\/file)?\/bot([^/]+)\/(.+)$/.exec(url.pathname)
    if (!match) return false
    const [, isFile, token = '', rest = ''] = match
    try {
      if (token !== server.token) throw new Refusal(401, 'Unauthorized')
      if (isFile) await download(server, req, res, rest)
      else await answer(server, rest, [req, res, url])
    } catch (error) {
      send(res, refused(asRefusal(error)))
    }
    return true
  }
}

async function answer(
  server: TelegramServer,
  name: string,
  [req, res, url]: Parameters<Handler>,
): Promise<void> {
  const { clock, faults } = server
  const gone = new AbortController()
  // An explicit reason: the default one is an Error, and capturing its stack is slow.
  res.once('close', () => gone.abort('closed'))
  const signal = AbortSignal.any([gone.signal, server.closing])
  const fault = faults.take('telegram', name, methodFaults)
  const { params, uploads } = await parseRequest(req, url)
  const faulty = {
    clock,
    signal,
    error: (scripted: ErrorFault) => refused(refusalOf(scripted)),
    garbage: (body = htmlPage): Reply => ({ status: 200, body }),
    afterHang: () => refused(new Refusal(504, 'Gateway Timeout')),
  }
  const reply = await underFault(fault, faulty, async () => {
    const done = await perform(server, name, params, { uploads, signal })
    server.changed()
    return done
  })
  if (reply) send(res, reply)
  else res.destroy()
}

async function perform(
  server: TelegramServer,
  name: string,
  params: RequestBody['params'],
  call: Call,
): Promise<Reply> {
  try {
    const method = methods.get(name) ?? unknown(name)
    if (hasHalfCharacter(params)) refuse('strings must be encoded in UTF-8')
    return { status: 200, body: { ok: true, result: await method.run(server, params, call) } }
  } catch (error) {
    const refusal = asRefusal(error)
    const data = { method: name, error_code: refusal.code, description: refusal.message }
    const chat_id = Number(params.chat_id) || undefined
    server.events.emit({ type: 'error', data, ...defined({ chat_id }) })
    return refused(refusal)
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
  if (!file) throw new Refusal(404, 'Not Found')
  return serveFile(req, res, filePath(server, file.path), 'application/octet-stream')
}

const refused = ({ code, message, parameters }: Refusal): Reply => ({
  status: code,
  body: {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters && Object.keys(parameters).length > 0 && { parameters }),
  },
})

function send(res: ServerResponse, { status, body }: Reply): void {
  if (res.headersSent) res.destroy()
  else if (typeof body === 'string') res.writeHead(status, { 'content-type': 'text/html' }).end(body)
  else sendJson(res, status, body)
}
