// The events of a chat as server-sent events.

import type { ServerResponse } from 'node:http'
import type { TelegramServer } from '../telegram/server.ts'

const keepAliveMs = 20_000

async function keepAlive(server: TelegramServer, res: ServerResponse, ended: AbortSignal): Promise<void> {
  for (;;) {
    await server.clock.wait(keepAliveMs, ended)
    if (ended.aborted) return
    res.write(':\n\n')
  }
}

export function streamEvents(server: TelegramServer, res: ServerResponse, chatId: number): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(':\n\n')
  const gone = new AbortController()
  const ended = AbortSignal.any([gone.signal, server.closing])
  const stop = server.events.on(({ type, chat_id, data }) => {
    if (chat_id !== undefined && chat_id !== chatId) return
    res.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  })
  res.once('close', () => gone.abort())
  ended.addEventListener('abort', () => {
    stop()
    res.end()
  })
  void keepAlive(server, res, ended)
}
