// Listens to one chat. A lost connection is told to the page, tried again, and answered with a fresh reading:
// what was said meanwhile is in the chat's messages, not in the stream.

import { eventsUrl } from './api.ts'

const kinds = [
  'message',
  'edited',
  'deleted',
  'reaction',
  'action',
  'answer',
  'draft',
  'draft_ended',
  'error',
]
const retryMs = 1500

/**
 * @param {number} chatId
 * @param {{ onEvent(kind: string, data: object): void, onLost(): void, onBack(): void }} listener
 * @returns {{ tried: Promise<void>, stop(): void }} `tried` is fulfilled once it listens, or knows that it cannot: what
 *   is read after that misses nothing
 */
export function listen(chatId, listener) {
  let source
  let timer
  let lost = false
  let stopped = false
  const tried = Promise.withResolvers()

  const connect = () => {
    source = new EventSource(eventsUrl(chatId))
    source.onopen = () => {
      tried.resolve()
      if (lost) listener.onBack()
      lost = false
    }
    // The name "error" is both the browser's and the sandbox's: only the sandbox's carries data.
    source.onerror = (event) => {
      if (event instanceof MessageEvent || stopped) return
      tried.resolve()
      if (!lost) listener.onLost()
      lost = true
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(connect, retryMs)
    }
    for (const kind of kinds) {
      source.addEventListener(kind, (event) => {
        if (event instanceof MessageEvent) listener.onEvent(kind, JSON.parse(event.data))
      })
    }
  }

  connect()
  return {
    tried: tried.promise,
    stop() {
      stopped = true
      clearTimeout(timer)
      source.close()
    },
  }
}
