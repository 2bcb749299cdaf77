// Bodies and headers that arrive slowly, never end, or have another length than declared: answers of the gateway, downloads of results,
// files of users, and requests to the app's own server.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Api } from 'grammy'
import { afterAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway/client.ts'
import { GatewayMalformed, GatewayUnknownOutcome } from '../../src/gateway/errors.ts'
import { end } from '../../src/http/request.ts'
import { createIntake } from '../../src/http/routes.ts'
import { listen } from '../../src/http/server.ts'
import { createDownloads } from '../../src/orders/deliver/download.ts'
import { Agent } from '../../src/runtime/undici.ts'
import { createFiles } from '../../src/telegram/files.ts'
import { loggingTo } from '../support/runtime/log.ts'

interface Wire {
  readonly first: string
  readonly drips?: string
  /** The connection ends after `first`; otherwise it stays open. */
  readonly ends?: true
}

const ok = 'HTTP/1.1 200 OK\r\n'
const file = 'content-type: image/png\r\n'
const told = `${ok}${file}`
const chunked = 'transfer-encoding: chunked\r\n\r\n'
const absurd = '9'.repeat(23)
const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n'
const header = 'x-a: b\r\n'
const png = '\x89PNG\r\n\x1a\n'
/** A body that the gateway's client reads as a task, and the downloads read as a file. */
const task = '{"id":"task-1","status":"queued"}'

type Outcome = 'given up' | 'read' | 'too large'

/** Answers of servers, and the outcome of the request. */
const answers: Readonly<Record<string, readonly [Wire, Outcome]>> = {
  nothing: [{ first: '' }, 'given up'],
  'the end at once': [{ first: '', ends: true }, 'given up'],
  'a first line that drips': [{ first: 'HTTP/1.1 200 ', drips: 'O' }, 'given up'],
  'another protocol': [{ first: 'SSH-2.0-OpenSSH_9.0\r\n' }, 'given up'],
  'an endless first line': [{ first: `HTTP/1.1 200 ${'O'.repeat(200_000)}`, drips: 'OOOO' }, 'given up'],
  'headers that never end': [{ first: ok, drips: header }, 'given up'],
  'a very long header': [{ first: `${ok}x-a: ${'b'.repeat(500_000)}\r\n\r\n` }, 'given up'],
  'hints without an end': [{ first: hint, drips: hint }, 'given up'],
  'headers and then nothing': [{ first: `${told}\r\n` }, 'given up'],
  'a body that drips': [{ first: `${told}\r\n`, drips: ' ' }, 'given up'],
  'a body shorter than its length': [
    { first: `${told}content-length: 9999\r\n\r\n${task}`, ends: true },
    'given up',
  ],
  'a body that stops': [{ first: `${told}content-length: 9999\r\n\r\n${task}` }, 'given up'],
  'a body longer than its length': [
    { first: `${told}content-length: 33\r\n\r\n${task}${'x'.repeat(5000)}` },
    'read',
  ],
  'an absurd length': [{ first: `${told}content-length: ${absurd}\r\n\r\n${task}`, ends: true }, 'given up'],
  'a chunk that drips': [{ first: `${told}${chunked}ffff\r\n`, drips: ' ' }, 'given up'],
  'a chunk of absurd size': [{ first: `${told}${chunked}fffffffffffffffff\r\n${task}` }, 'given up'],
  'trailers that never end': [
    { first: `${told}${chunked}21\r\n${task}\r\n0\r\n`, drips: header },
    'given up',
  ],
  'a refusal that drips': [{ first: 'HTTP/1.1 500 No\r\n\r\n', drips: ' ' }, 'given up'],
  'a full body': [{ first: `${told}\r\n${png}${'x'.repeat(5_000_000)}` }, 'too large'],
  'full chunks': [{ first: `${told}${chunked}4c4b40\r\n${'x'.repeat(5_000_000)}` }, 'too large'],
}

const post = 'POST /telegram HTTP/1.1\r\nhost: x\r\n'

/** Requests of clients, and the expected status; 0 if the connection is closed without a response. */
const requests: Readonly<Record<string, readonly [Wire, status: number]>> = {
  nothing: [{ first: '' }, 408],
  'a first line that drips': [{ first: 'POST /', drips: 'x' }, 408],
  'an endless first line': [{ first: `POST /${'x'.repeat(100_000)}` }, 431],
  'no first line': [{ first: '\0\0\0\0\r\n\r\n' }, 400],
  'a greeting of TLS': [{ first: '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03' }, 400],
  'no host': [{ first: 'GET / HTTP/1.1\r\n\r\n' }, 400],
  'headers that never end': [{ first: post, drips: header }, 408],
  'very many headers': [{ first: `${post}${header.repeat(30_000)}` }, 431],
  'a body that never comes': [{ first: `${post}content-length: 9\r\n\r\n` }, 408],
  'a body that drips': [{ first: `${post}content-length: 9999\r\n\r\n`, drips: ' ' }, 408],
  'a body shorter than its length': [{ first: `${post}content-length: 9\r\n\r\n{}`, ends: true }, 400],
  'a length of letters': [{ first: `${post}content-length: many\r\n\r\n{}` }, 400],
  'a length and chunks': [{ first: `${post}content-length: 2\r\n${chunked}0\r\n\r\n` }, 400],
  'chunks that drip': [{ first: `${post}${chunked}`, drips: '1\r\n \r\n' }, 408],
  'an endless extension': [{ first: `${post}${chunked}2;${'x'.repeat(100_000)}` }, 413],
  'a body for no path': [
    { first: `${post.replace('telegram', 'x')}content-length: 9999\r\n\r\n`, drips: ' ' },
    404,
  ],
  'a full body': [{ first: `${post}content-length: 3000000\r\n\r\n${' '.repeat(3_000_000)}` }, 200],
  'an endless body': [{ first: `${post}content-length: 99000000\r\n\r\n`, drips: ' '.repeat(1_000_000) }, 0],
}

/** A time limit that is enough for an answer that ends, even on a loaded machine. */
const patientMs = 20_000
const impatientMs = 300

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** Writes the bytes of a row until the other side closes the connection. */
function write(socket: Socket, { first, drips, ends }: Wire): void {
  socket.on('error', () => undefined)
  socket.write(first, 'latin1')
  if (ends) socket.end()
  if (drips === undefined) return
  const dripping = setInterval(() => socket.write(drips, 'latin1'), 10)
  socket.once('close', () => clearInterval(dripping))
}

describe("an answer to the gateway's client, to a download of a result or of a user's file", () => {
  const rows = Object.entries(answers).map(([name, [wire, outcome]], at) => ({ name, wire, outcome, at }))
  const open = new Set<Socket>()

  async function startServer(): Promise<string> {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (request) => {
        const row = rows[Number(/\/(\d+) HTTP/.exec(request.toString('latin1'))?.[1])]
        if (!row) return void socket.destroy()
        if (row.outcome === 'given up') open.add(socket)
        socket.once('close', () => open.delete(socket))
        write(socket, row.wire)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    closing.push(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const toGateway = (url: string, timeoutMs: number) => {
    const gateway = createGateway({ baseUrl: url, key: 'k', timeoutMs })
    closing.push(() => gateway.close())
    return (at: number): Promise<Outcome | undefined> =>
      gateway.readTask(String(at)).then(
        ({ status }) => (status === 'queued' ? 'read' : undefined),
        (error: unknown) => {
          if (error instanceof GatewayMalformed) return 'too large'
          return error instanceof GatewayUnknownOutcome ? 'given up' : undefined
        },
      )
  }

  const outcomes: Readonly<Record<string, Outcome>> = { unavailable: 'given up', 'too-large': 'too large' }
  const outcomeOf = (file: { ok: true } | { ok: false; reason: string }) =>
    file.ok ? 'read' : outcomes[file.reason]
  const maxBytes = 1_000_000

  const toDownloads = (url: string, deadlineMs: number) => {
    const downloads = createDownloads({ gatewayUrl: url, maxBytes, deadlineMs })
    closing.push(() => downloads.close())
    return async (at: number) => outcomeOf(await downloads.get(`${url}/${at}`))
  }

  const toFiles = (url: string, timeoutMs: number) => {
    const api = new Api('1:x')
    api.config.use(async (_, __, payload) => {
      const file_id = 'file_id' in payload ? String(payload.file_id) : ''
      const file = { file_id, file_unique_id: file_id, file_path: file_id }
      return { ok: true, result: file } as never
    })
    const files = createFiles(api, url, new Agent(), timeoutMs)
    return async (at: number) => outcomeOf(await files.read(String(at), maxBytes))
  }

  it('is read, given up or too large as listed, and leaves no connection open', async () => {
    const url = await startServer()
    const readersWith = (ms: number) => [toGateway(url, ms), toDownloads(url, ms), toFiles(url, ms)]
    const [impatient, patient] = [readersWith(impatientMs), readersWith(patientMs)]
    const all = rows.map(async ({ name, outcome, at }) => {
      const readers = outcome === 'given up' ? impatient : patient
      return [name, ...(await Promise.all(readers.map((reader) => reader(at))))]
    })
    expect(await Promise.all(all)).toEqual(rows.map(({ name, outcome }) => [name, outcome, outcome, outcome]))
    await expect.poll(() => open.size).toBe(0)
  })
})

describe("a request to the app's server", () => {
  const rows = Object.entries(requests).map(([name, [wire, status]]) => ({ name, wire, status }))
  const log = loggingTo()

  async function statusOf(port: number, wire: Wire): Promise<number> {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
      socket.destroy()
    })
    write(socket, wire)
    await new Promise((resolve) => socket.once('close', resolve))
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
  }

  it('ends with the listed status, stores nothing and logs no error, and the next one is served', async () => {
    const secret = 'shared with Telegram'
    let stored = 0
    const { take } = createIntake(secret, { isOfAnother: async () => false }, async () => {
      stored += 1
    })
    const handle = async (req: Parameters<typeof take>[0], res: Parameters<typeof end>[0], path: string) => {
      req.headers['x-telegram-bot-api-secret-token'] = secret
      end(res, path === '/telegram' ? await take(req) : 404)
    }
    const portOf = async (ms: number) => {
      const server = await listen({ host: '127.0.0.1', port: 0 }, handle, log, {
        headersTimeout: ms,
        requestTimeout: ms,
        connectionsCheckingInterval: 20,
      })
      closing.push(() => server.close())
      return (server.address() as AddressInfo).port
    }
    const [impatient, patient] = [await portOf(impatientMs), await portOf(patientMs)]
    const got = rows.map(async ({ name, wire, status }) => [
      name,
      await statusOf(status === 408 ? impatient : patient, wire),
    ])
    expect(await Promise.all(got)).toEqual(rows.map(({ name, status }) => [name, status]))
    expect(stored).toBe(0)
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
    const request = { method: 'POST', body: '{"update_id":1}' }
    const next = await fetch(`http://127.0.0.1:${patient}/telegram`, request)
    expect([next.status, stored]).toEqual([200, 1])
  })
})
