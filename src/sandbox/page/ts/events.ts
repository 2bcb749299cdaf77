// The events of one chat, as one user sees them. When the connection is lost, the page is told and the stream is opened again; what happened in
// between is not repeated by the stream, so the page reads the chat again.

import type { StreamEvent } from '../../telegram/events.ts'
import { eventsUrl } from './api.ts'

type Kind = StreamEvent['type']
type DataOf<K extends Kind, E = StreamEvent> = E extends { type: infer T; data: infer D }
  ? K extends T
    ? D
    : never
  : never

export type Refusal = DataOf<'error'>
export type EventHandlers = { readonly [K in Kind]: (data: DataOf<K>) => void }

interface ConnectionListener {
  /** Events are handled after this: one that arrives while the chat is read would be replaced by the older answer. */
  read(): Promise<unknown>
  lost(): void
  back(): void
}

export interface Listening {
  /** Resolves when the stream is open, or has failed to open. A chat that is read after that misses no event. */
  readonly tried: Promise<void>
  stop(): void
}

const retryMs = 1500

export function listen(
  chatId: number,
  userId: number,
  handlers: EventHandlers,
  connection: ConnectionListener,
): Listening {
  let source: EventSource
  let timer: number | undefined
  let isLost = false
  let isStopped = false
  const tried = Promise.withResolvers<void>()

  const connect = () => {
    source = new EventSource(eventsUrl(chatId, userId))
    source.onopen = () => {
      tried.resolve()
      if (isLost) connection.back()
      isLost = false
    }
    // Both the browser and the sandbox send events named "error"; only events of the sandbox carry data.
    source.onerror = (event) => {
      if (event instanceof MessageEvent || isStopped) return
      tried.resolve()
      if (!isLost) connection.lost()
      isLost = true
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, retryMs)
    }
    for (const [kind, handle] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => {
        if (!(event instanceof MessageEvent)) return
        const data = JSON.parse(event.data)
        void connection.read().then(() => isStopped || handle(data))
      })
    }
  }

  connect()
  return {
    tried: tried.promise,
    stop() {
      isStopped = true
      clearTimeout(timer)
      source.close()
    },
  }
}
