// The Bot API client: grammY over undici's `request` must behave as grammY does over its own fetch.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { Api, type ApiClientOptions, GrammyError, HttpError, InputFile, type Transformer } from 'grammy'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { LeaseLost, unlessLost } from '../../src/runtime/queue-worker.ts'
import { Agent } from '../../src/runtime/undici.ts'
import { forgiveHarmless, telegramClient } from '../../src/telegram/client.ts'
import { createFiles } from '../../src/telegram/files.ts'
import { cut, json, page } from '../support/worlds/generations.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => void
interface Seen {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const token = '700000001:very-secret-token'
const chat = 11
const message = { message_id: 1, date: 0, chat: { id: chat, type: 'private', first_name: 'Anna' } }
const sent = json(200, { ok: true, result: message })
const refused = (status: number, description: string, parameters?: object) =>
  json(status, { ok: false, error_code: status, description, ...(parameters && { parameters }) })
const slowDown = (seconds: number) =>
  refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })

const seen: Seen[] = []
const script: Answer[] = []
let server: Server
let client: ReturnType<typeof telegramClient>
let api: Api

async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk)
  seen.push({ url: req.url, headers: req.headers, body: Buffer.concat(chunks) })
  const next = script.shift() ?? sent
  next(req, res)
}

beforeAll(async () => {
  // The answer to an aborted upload is not awaited, so its failure is ignored.
  server = createServer((req, res) => void take(req, res).catch(() => undefined))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  client = telegramClient({ apiRoot: `http://127.0.0.1:${Object(server.address()).port}` }, systemClock)
  api = apiWith()
})
afterEach(() => {
  seen.length = 0
  script.length = 0
})
afterAll(async () => {
  await client.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function apiWith(options: ApiClientOptions = {}, ...transformers: Transformer[]): Api {
  const made = new Api(token, { ...client.options, ...options })
  made.config.use(forgiveHarmless, ...transformers)
  return made
}

/** The error, after a check that no form of it that could be logged or stored has the token. */
async function failureOf(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    (value) => expect.unreachable(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  const inner = error instanceof HttpError ? error.error : error
  for (const one of [error, inner]) {
    const texts = one instanceof Error ? [one.message, one.stack, String(one.cause)] : []
    const all = [...texts, JSON.stringify(one), inspect(one, { depth: 20, showHidden: true })].join('\n')
    expect(all).not.toContain('very-secret-token')
  }
  return error
}

const networkError = (inner: object) =>
  expect.objectContaining({
    constructor: HttpError,
    message: expect.stringMatching(/^Network request for '\w+' failed!$/),
    error: expect.objectContaining(inner),
  })

const bytes = Buffer.alloc(1024 * 1024, 'all work and no play ')
async function* inPieces() {
  for (let from = 0; from < bytes.length; from += 100_000) yield bytes.subarray(from, from + 100_000)
}

it('a call is sent as JSON through transformers, which may change it, and returns the result', async () => {
  const called: string[] = []
  const quietly: Transformer = (prev, method, payload, signal) => {
    called.push(method)
    return prev(method, { ...payload, disable_notification: true }, signal)
  }
  expect(await apiWith({}, quietly).sendMessage(chat, 'кот 🐈', { parse_mode: 'HTML' })).toEqual(message)
  expect(called).toEqual(['sendMessage'])
  expect(seen).toMatchObject([
    { url: `/bot${token}/sendMessage`, headers: { 'content-type': 'application/json' } },
  ])
  const body = { chat_id: chat, text: 'кот 🐈', parse_mode: 'HTML', disable_notification: true }
  expect(JSON.parse(String(seen[0]?.body))).toEqual(body)
})

describe('an upload', () => {
  it('of any size, which comes in pieces, arrives completely', async () => {
    for (const size of [0, 65_000, 66_000, 200_000]) {
      const file = Buffer.alloc(size, 'all work and no play ')
      async function* pieces() {
        for (let from = 0; from < size; from += 7000) yield file.subarray(from, from + 7000)
      }
      await api.sendVoice(chat, new InputFile(pieces(), 'cat.ogg'))
      const text = String(seen.at(-1)?.body)
      const start = text.indexOf('octet-stream\r\n\r\n') + 'octet-stream\r\n\r\n'.length
      expect(text.slice(start, text.lastIndexOf('\r\n--'))).toBe(String(file))
    }
  })

  it('whose file fails is not sent as a whole', async () => {
    for (const size of [10, 200_000]) {
      async function* broken() {
        yield Buffer.alloc(size)
        throw new Error('the disk failed')
      }
      const sending = api.sendVoice(chat, new InputFile(broken(), 'x.ogg'))
      expect(await failureOf(sending)).toBeInstanceOf(HttpError)
      expect(await api.getMe()).toBeDefined()
    }
    expect(seen.map(({ url }) => url)).toEqual(Array(2).fill(`/bot${token}/getMe`))
  })
})

describe('429', () => {
  it('is waited for, and the call is repeated, three times', async () => {
    script.push(slowDown(0.01), slowDown(0.01))
    expect(await api.sendMessage(chat, 'hi')).toEqual(message)
    expect(seen).toHaveLength(3)
    script.push(...Array.from({ length: 4 }, () => slowDown(0.01)))
    expect(await failureOf(api.sendMessage(chat, 'hi'))).toMatchObject({
      constructor: GrammyError,
      error_code: 429,
      parameters: { retry_after: 0.01 },
    })
    expect(seen).toHaveLength(3 + 4)
  })

  it('that asks for more than 20 seconds, and that of an upload, of polling or of a draft, is left to the caller', async () => {
    const video = (file: InputFile) => () => api.sendVideo(chat, file)
    // A stream can be read once, polling has its own pauses, and a draft would be outdated after the pause.
    for (const [seconds, ask] of [
      [21, () => api.sendMessage(chat, 'hi')],
      [0.01, video(new InputFile(bytes, 'cat.mp4'))],
      [0.01, video(new InputFile(inPieces(), 'cat.mp4'))],
      [0.01, () => api.getUpdates()],
      [0.01, () => api.sendMessageDraft(chat, 7, 'Once')],
    ] as const) {
      script.push(slowDown(seconds))
      seen.length = 0
      expect(await failureOf(ask())).toMatchObject({ error_code: 429, parameters: { retry_after: seconds } })
      expect(seen).toHaveLength(1)
    }
  })
})

it('a failed call, which may have sent its message, is not repeated after a page, a cut or a refusal', async () => {
  const half: Answer = (req, res) => {
    res.writeHead(200, { 'content-length': 100 })
    res.write('{"ok":', () => req.socket.destroy())
  }
  // HttpError.error holds the parser's or undici's error, with an address and a port, but never the URL.
  for (const [broken, failure] of [
    [page(502), networkError({ name: 'SyntaxError' })],
    [page(200), networkError({ name: 'SyntaxError' })],
    [cut, networkError({ code: 'UND_ERR_SOCKET' })],
    [half, networkError({ code: 'UND_ERR_SOCKET' })],
    [refused(500, 'Internal Server Error'), expect.objectContaining({ error_code: 500 })],
    [refused(401, 'Unauthorized'), expect.objectContaining({ error_code: 401, description: 'Unauthorized' })],
  ] as const) {
    script.push(broken)
    seen.length = 0
    expect(await failureOf(api.sendMessage(chat, 'hi'))).toEqual(failure)
    expect(seen).toHaveLength(1)
  }
})

type Signal = NonNullable<Parameters<Api['getUpdates']>[1]>
/** grammY's types declare a polyfill's signal, which is compatible with the platform's. */
const signalOf = ({ signal }: AbortController) => signal as unknown as Signal

/** Never answers; reports the request and its end. */
function silence() {
  const arrived = Promise.withResolvers<void>()
  const hungUp = Promise.withResolvers<void>()
  script.push((_, res) => {
    res.once('close', hungUp.resolve)
    arrived.resolve()
  })
  return { arrived: arrived.promise, hungUp: hungUp.promise }
}

describe('an aborted call', () => {
  it('closes the connection at once when its signal aborts', async () => {
    const { arrived, hungUp } = silence()
    const stop = new AbortController()
    const failure = failureOf(api.getUpdates({ timeout: 50 }, signalOf(stop)))
    await arrived
    stop.abort()
    expect(await failure).toEqual(networkError({ name: 'AbortError' }))
    await hungUp
  })

  it('without a file is given up earlier than an upload, a file that is fetched, and polling', async () => {
    const limits = { call: 50, polling: 60_000, file: 60_000 }
    const root = { apiRoot: String(client.options.apiRoot) }
    const other = telegramClient(root, systemClock, undefined, limits)
    const own = new Api(token, other.options)
    const held: (() => void)[] = []
    script.push(...Array.from({ length: 3 }, (): Answer => (req, res) => held.push(() => sent(req, res))))
    const slow = [own.getUpdates(), own.getFile('x'), own.sendVideo(chat, new InputFile(bytes, 'cat.mp4'))]
    await expect.poll(() => held).toHaveLength(3)
    const { hungUp } = silence()
    const failure = await failureOf(own.sendMessage(chat, 'hi'))
    expect(failure).toEqual(networkError({ code: 'UND_ERR_HEADERS_TIMEOUT' }))
    await hungUp
    for (const release of held) release()
    expect(await Promise.all(slow)).toEqual([message, message, message])
    await other.close()
  })
})

it('a call in work whose lease was lost is not sent', async () => {
  const call = unlessLost(
    () => true,
    () => api.sendMessage(chat, 'hi'),
  )
  await expect(call).rejects.toMatchObject({ error: expect.any(LeaseLost) })
  expect(seen).toEqual([])
})

describe('a refusal that changes nothing', () => {
  it('is ignored: an edit without a change, a tap answered too late', async () => {
    script.push(refused(400, 'Bad Request: message is not modified: specified new message content …'))
    await api.editMessageText(chat, 1, 'same')
    script.push(
      refused(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid'),
    )
    await api.answerCallbackQuery('1')
    expect(seen).toHaveLength(2)
  })

  it('is an error for any other method or text', async () => {
    script.push(refused(400, 'Bad Request: message to edit not found'))
    expect(await failureOf(api.editMessageText(chat, 1, 'x'))).toMatchObject({ error_code: 400 })
    script.push(refused(400, 'Bad Request: message is not modified'))
    expect(await failureOf(api.sendMessage(chat, 'x'))).toMatchObject({ error_code: 400 })
  })
})

it('a file of a user that Telegram does not give is gone, or unavailable for now, by the refusal', async () => {
  for (const [error_code, description, reason] of [
    [400, 'Bad Request: invalid file_id', 'gone'],
    [400, 'Bad Request: file is too big', 'gone'],
    [400, 'Bad Request: wrong file_id or the file is temporarily unavailable', 'gone-or-unavailable'],
    [429, 'Too Many Requests: retry after 3', 'unavailable'],
    [500, 'Internal Server Error', 'unavailable'],
  ] as const) {
    script.push(refused(error_code, description, error_code === 429 ? { retry_after: 30 } : undefined))
    const files = createFiles(api, String(client.options.apiRoot), new Agent())
    expect([description, await files.read('x', 1000)]).toEqual([description, { ok: false, reason }])
  }
})
