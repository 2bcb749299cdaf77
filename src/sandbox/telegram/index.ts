// The local Telegram: a double of the Bot API, and an API for what its users do (`../users/`), for the chat page and the tests.

import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Handler } from '../http.ts'
import type { Random } from '../random.ts'
import { createUsersApi } from '../users/index.ts'
import { createBotApi } from './bot-api.ts'
import { createDrafts } from './drafts.ts'
import { createEvents, type Listener } from './events.ts'
import type { TelegramServer } from './server.ts'
import { openStorage } from './storage.ts'
import { createUpdates } from './updates.ts'
import { createWebhook } from './webhook.ts'

export type { ChatEvent, SeenMessage } from './events.ts'

interface Options {
  /** `<bot id>:<secret>`, as BotFather issues it. */
  token: string
  botUsername?: string
  /** Media and chats are kept here over restarts; nothing else may write into it. */
  folder: string
  clock: Clock
  faults: Faults
  random: Random
}

export interface Telegram {
  botApi: Handler
  usersApi: Handler
  /** Calls the listener for every event in the chats, until the returned function is called. */
  on(listener: Listener): () => void
  close(): void
}

export function createTelegram(options: Options): Telegram {
  const { token, folder, clock, faults, random, botUsername = 'sandbox_generation_bot' } = options
  const botId = Number(token.split(':')[0])
  if (!Number.isSafeInteger(botId) || botId <= 0)
    throw new Error('a bot token has the form 123456:some-secret')

  const storage = openStorage(folder, clock)
  const closing = new AbortController()
  const { state, changed } = storage
  const { signal } = closing
  const events = createEvents()
  const drafts = createDrafts({ clock, events, closing: signal })
  const updates = createUpdates({ state, clock, faults, closing: signal, changed })
  const webhook = createWebhook(state, updates, clock, signal)
  const server: TelegramServer = {
    state,
    botId,
    botUsername,
    clock,
    random,
    folder,
    events,
    drafts,
    updates,
    webhook,
    closing: signal,
  }
  // Delivers the updates that were pending when the sandbox stopped.
  webhook.restart()

  return {
    botApi: createBotApi({ server, token, faults, changed }),
    usersApi: createUsersApi({ server, changed }),
    on: events.on,
    close() {
      closing.abort()
      storage.close()
    },
  }
}
