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
import { answers, type Outcome, requests, type Wire } from './tables/slow.ts'

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
