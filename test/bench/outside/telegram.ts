// A minimal Bot API server: hands out prepared updates, answers every call with success, and reports the calls to listeners.

import type { ServerResponse } from 'node:http'
import { inTime } from '../frame/in-time.ts'
import { sendJson, serve } from './serve.ts'

export const botToken = '1:bench-token'

/** @param at milliseconds of `performance.now` */
export type Listener = (method: string, body: Buffer, at: number) => void

export interface TelegramStub {
  readonly url: string
  /** Hands updates out in order, at most a hundred for each poll. */
  give(updates: readonly string[]): void
  /** Calls the listener for every request except `getUpdates`. @returns a function that stops it */
  listen(listener: Listener): () => void
  /** Resolves at the `count`-th call of the method from now on. */
  heard(method: string, count: number): Promise<void>
  /** Resolves when a poll for updates is waiting. */
  asked(): Promise<void>
  close(): Promise<void>
}

const atOnce = 100
const patienceMs = 25_000

const me = '{"id":1,"is_bot":true,"first_name":"Bench","username":"bench_bot","can_join_groups":true}'
const message = '{"message_id":7,"date":1,"chat":{"id":1,"type":"private","first_name":"P"},"text":"ok"}'
const audio = '"audio":{"file_id":"f","file_unique_id":"u","duration":1}'
const withAudio = message.replace('"text":"ok"', audio)
const results: Readonly<Record<string, string>> = {
  getMe: me,
  sendMessage: message,
  sendAudio: withAudio,
  editMessageText: message,
  editMessageMedia: withAudio,
}

export async function startTelegram(): Promise<TelegramStub> {
  const waiting: string[] = []
  const listeners = new Set<Listener>()
  let asking: ServerResponse | undefined
  let onAsked = () => {}

  const hand = () => {
    if (!asking || waiting.length === 0) return
    const res = asking
    asking = undefined
    sendJson(res, `{"ok":true,"result":[${waiting.splice(0, atOnce).join(',')}]}`)
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
    const now = performance.now()
    sendJson(res, `{"ok":true,"result":${results[method] ?? 'true'}}`)
    for (const listener of listeners) listener(method, body, now)
  })

  const listen = (listener: Listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return {
    url: serving.url,
    listen,
    close: serving.close,
    give(updates) {
      for (const update of updates) waiting.push(update)
      hand()
    },
    heard: (wanted, count) =>
      inTime<void>(`${count} × ${wanted}`, (resolve) => {
        let left = count
        const stop = listen((method) => {
          if (method === wanted) left -= 1
          if (left > 0) return
          stop()
          resolve()
        })
      }),
    asked: () =>
      inTime<void>('a poll for updates', (resolve) => {
        if (asking) resolve()
        else onAsked = resolve
      }),
  }
}

/** The chat of a call, whose body is JSON or a form. */
export function chatIn(body: Buffer): number {
  const [, json, form] = /"chat_id":(-?\d+)|name="chat_id"\r\n\r\n(-?\d+)/.exec(body.toString('latin1')) ?? []
  return Number(json ?? form)
}
