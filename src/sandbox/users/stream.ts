// Server-sent events: what happens in a chat, as it happens.

import type { ServerResponse } from 'node:http'
import type { World } from '../telegram/world.ts'

const keepAliveMs = 20_000

async function keepAlive(world: World, res: ServerResponse, ended: AbortSignal): Promise<void> {
  for (;;) {
    await world.clock.wait(keepAliveMs, ended)
    if (ended.aborted) return
    res.write(':\n\n')
  }
}

export function streamEvents(world: World, res: ServerResponse, chatId: number): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(':\n\n')
  const gone = new AbortController()
  const ended = AbortSignal.any([gone.signal, world.closing])
  const stop = world.events.on(({ type, chat_id, data }) => {
    if (chat_id !== undefined && chat_id !== chatId) return
    res.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  })
  res.once('close', () => gone.abort())
  ended.addEventListener('abort', () => {
    stop()
    res.end()
  })
  void keepAlive(world, res, ended)
}
