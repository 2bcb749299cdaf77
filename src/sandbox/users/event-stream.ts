// Sends the events of a chat as server-sent events; on request also notices about other chats in which messages have come, changed or gone.

import type { ServerResponse } from 'node:http'
import type { ChatEvent, StreamEvent } from '../telegram/events.ts'
import type { TelegramServer } from '../telegram/server.ts'

const keepAliveMs = 20_000

async function keepAlive(server: TelegramServer, res: ServerResponse, ended: AbortSignal): Promise<void> {
  for (;;) {
    await server.clock.wait(keepAliveMs, ended)
    if (ended.aborted) return
    res.write(':\n\n')
  }
}

interface Wanted {
  readonly chatId: number
  /** Leaves out the answers to taps of other users. */
  readonly userId: number | undefined
  readonly others: boolean
}

/** What the stream sends for an event; undefined when it sends nothing. */
function told(event: ChatEvent, { chatId, userId, others }: Wanted): StreamEvent | undefined {
  const { type, chat_id } = event
  if (type === 'answer' && userId !== undefined && event.user_id !== userId) return undefined
  if (chat_id === undefined || chat_id === chatId) return event
  const changesList = others && ['message', 'edited', 'deleted'].includes(type)
  return changesList ? { type: 'elsewhere', data: { chat_id } } : undefined
}

export function streamEvents(server: TelegramServer, res: ServerResponse, wanted: Wanted): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(':\n\n')
  const gone = new AbortController()
  const ended = AbortSignal.any([gone.signal, server.closing])
  const stop = server.events.on((event) => {
    const sent = told(event, wanted)
    if (sent) res.write(`event: ${sent.type}\ndata: ${JSON.stringify(sent.data)}\n\n`)
  })
  res.once('close', () => gone.abort())
  ended.addEventListener('abort', () => {
    stop()
    res.end()
  })
  void keepAlive(server, res, ended)
}
