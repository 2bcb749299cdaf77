// Minimal doubles, so that their own cost is small: a Bot API server that hands out prepared updates and answers every call with success,
// and a gateway that accepts every order, calls back, and returns the same song for all.

import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { startServer } from '../../support/runtime/server.ts'

const serve = (answer: (req: IncomingMessage, res: ServerResponse, body: Buffer) => void) =>
  startServer(async (req, res) => answer(req, res, await buffer(req)), { keepAliveTimeout: 60_000 })

function sendJson(res: ServerResponse, json: string, status = 200): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    .end(json)
}

export interface Call {
  readonly method: string
  readonly body: Buffer
  /** The chat and the message that it sends or changes; 0 without a chat. */
  readonly chat: number
  readonly message: number
}

/** A benchmark that waits longer fails with a message. */
const maxMs = 240_000

export type TelegramStub = Awaited<ReturnType<typeof startTelegram>>

export async function startTelegram() {
  const waiting: string[] = []
  let asking: ServerResponse | undefined
  let onAsked = () => {}
  let onCall = (_: Call) => {}
  let messages = 100

  const hand = () => {
    if (!asking || waiting.length === 0) return
    const res = asking
    asking = undefined
    sendJson(res, `{"ok":true,"result":[${waiting.splice(0, 100).join(',')}]}`)
  }
  const ask = (res: ServerResponse) => {
    asking = res
    res.once('close', () => {
      if (asking === res) asking = undefined
    })
    onAsked()
    hand()
  }
  const { url, close } = await serve((req, res, body) => {
    const method = req.url?.slice(req.url.lastIndexOf('/') + 1) ?? ''
    if (method === 'getUpdates') return ask(res)
    const chat = numberIn(body, 'chat_id')
    const message = numberIn(body, 'message_id') || ++messages
    sendJson(res, `{"ok":true,"result":${resultOf(method, chat, message)}}`)
    onCall({ method, body, chat, message })
  })
  return {
    url,
    close,
    /** Hands updates out in order, at most a hundred for each poll. */
    give(updates: readonly string[]) {
      waiting.push(...updates)
      hand()
    },
    /** Resolves when this number of calls from now on were counted. */
    counts: (times: number, isCounted: (call: Call) => boolean) =>
      inTime(`${times} calls`, (resolve) => {
        let left = times
        onCall = (call) => {
          if (isCounted(call)) left -= 1
          if (left === 0) resolve()
        }
      }),
    /** Resolves when a poll for updates is waiting. */
    asked: () =>
      inTime('a poll for updates', (resolve) => {
        if (asking) resolve()
        else onAsked = resolve
      }),
  }
}

function inTime(what: string, begin: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`timed out waiting for ${what}`)), maxMs)
    begin(() => {
      clearTimeout(late)
      resolve()
    })
  })
}

const me = '{"id":1,"is_bot":true,"first_name":"Bench","username":"bench_bot","can_join_groups":true}'
const audio = '"audio":{"file_id":"f","file_unique_id":"u","duration":1}'

function resultOf(method: string, chat: number, message: number): string {
  if (method === 'getMe') return me
  if (!/^(send(Message|Audio)|editMessage)/.test(method) || method === 'sendMessageDraft') return 'true'
  const content = /Audio|Media/.test(method) ? audio : '"text":"ok"'
  return `{"message_id":${message},"date":1,"chat":{"id":${chat},"type":"private","first_name":"P"},${content}}`
}

/** A number in a body, which is JSON or a form; 0 if it is not there. */
function numberIn(body: Buffer, name: string): number {
  const found = new RegExp(`"${name}":(\\d+)|name="${name}"\\r\\n\\r\\n(\\d+)`).exec(body.toString('latin1'))
  return Number(found?.[1] ?? found?.[2] ?? 0)
}

const completeAfterMs = 300
const song = readFileSync(join(import.meta.dirname, 'song.mp3'))
const order = z.object({ callBackUrl: z.string() })

export async function startGateway() {
  const dispatcher = new Agent({ connections: 50 })
  const running = new Set<string>()
  let orders = 0

  const taskOf = (id: string, more: object) =>
    JSON.stringify({ id, object: 'audio.task', model: 'm', created: 1, ...more })
  const callBack = (url: string, id: string) => {
    running.delete(id)
    const body = JSON.stringify({ id, status: 'completed' })
    const headers = { 'content-type': 'application/json' }
    const called = request(url, { dispatcher, method: 'POST', headers, body })
    called.then((answer) => answer.body.dump()).catch(() => undefined)
  }
  const server = await serve((req, res, body) => {
    const { url = '', method = '' } = req
    if (method === 'POST') {
      const { callBackUrl } = order.parse(JSON.parse(body.toString()))
      const id = `task-${++orders}`
      running.add(id)
      setTimeout(callBack, completeAfterMs, callBackUrl, id)
      return sendJson(res, taskOf(id, { status: 'queued' }), 202)
    }
    if (url === '/song.mp3') return void res.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song)
    const id = url.slice(url.lastIndexOf('/') + 1)
    const data = [{ url: `http://${req.headers.host}/song.mp3` }]
    sendJson(res, taskOf(id, running.has(id) ? { status: 'processing' } : { status: 'completed', data }))
  })
  return {
    url: server.url,
    async close() {
      await dispatcher.destroy()
      await server.close()
    },
  }
}
