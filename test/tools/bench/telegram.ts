// A minimal Bot API server: hands out prepared updates, answers every call with success, and reports the calls to listeners.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startServer } from '../../support/runtime/server.ts'

export interface Call {
  readonly method: string
  readonly body: Buffer
  /** The chat and the message that it sends or changes; 0 without a chat. */
  readonly chat: number
  readonly message: number
}

export type Listener = (call: Call) => void

export type TelegramStub = Awaited<ReturnType<typeof startTelegram>>

const maxUpdates = 100
const patienceMs = 25_000

export async function startTelegram() {
  const waiting: string[] = []
  const listeners = new Set<Listener>()
  let asking: ServerResponse | undefined
  let onAsked = () => {}
  let messages = 100

  const hand = () => {
    if (!asking || waiting.length === 0) return
    const res = asking
    asking = undefined
    sendJson(res, `{"ok":true,"result":[${waiting.splice(0, maxUpdates).join(',')}]}`)
  }

  const ask = (res: ServerResponse) => {
    asking = res
    const giveUp = setTimeout(() => {
      if (asking !== res) return
      asking = undefined
      sendJson(res, '{"ok":true,"result":[]}')
    }, patienceMs)
    res.once('close', () => {
      clearTimeout(giveUp)
      if (asking === res) asking = undefined
    })
    onAsked()
    hand()
  }

  const serving = await serve((req, res, body) => {
    const method = req.url?.slice(req.url.lastIndexOf('/') + 1) ?? ''
    if (method === 'getUpdates') return ask(res)
    const chat = numberIn(body, 'chat_id')
    const message = numberIn(body, 'message_id') || ++messages
    sendJson(res, `{"ok":true,"result":${resultOf(method, chat, message)}}`)
    for (const listener of listeners) listener({ method, body, chat, message })
  })

  /** Calls the listener for every request except `getUpdates`. @returns a function that stops it */
  const listen = (listener: Listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return {
    url: serving.url,
    listen,
    close: serving.close,
    /** Hands updates out in order, at most a hundred for each poll. */
    give(updates: readonly string[]) {
      for (const update of updates) waiting.push(update)
      hand()
    },
    /** Resolves at the `count`-th call of one of the methods from now on. */
    heard: (methods: readonly string[], count: number) =>
      inTime<void>(`${count} × ${methods.join(' or ')}`, (resolve) => {
        let left = count
        const stop = listen(({ method }) => {
          if (methods.includes(method)) left -= 1
          if (left > 0) return
          stop()
          resolve()
        })
      }),
    /** Resolves when a poll for updates is waiting. */
    asked: () =>
      inTime<void>('a poll for updates', (resolve) => {
        if (asking) resolve()
        else onAsked = resolve
      }),
  }
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

// The HTTP server of the doubles. All sides use it, so its own cost must be small.

type Answer = (req: IncomingMessage, res: ServerResponse, body: Buffer) => void

export const serve = (answer: Answer) =>
  startServer(async (req, res) => answer(req, res, await buffer(req)), { keepAliveTimeout: 60_000 })

export function sendJson(res: ServerResponse, json: string, status = 200): void {
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    .end(json)
}

const maxMs = 240_000

/** A wait with a deadline, so that a benchmark fails with a message instead of hanging. */
export function inTime<T>(what: string, begin: (resolve: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`timed out waiting for ${what}`)), maxMs)
    begin((value) => {
      clearTimeout(late)
      resolve(value)
    })
  })
}
