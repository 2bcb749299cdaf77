// The local Telegram: a Bot API that the real app cannot tell from Telegram's, and the side of its users
// (`../users/`). `room` answers the bot, `users` answers the web page and the tests.

import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Room } from '../http.ts'
import { createUsers } from '../users/index.ts'
import { createBotApi } from './bot-api.ts'
import { createDrafts } from './drafts.ts'
import { createEvents, type Listener } from './events.ts'
import type { Random } from './ids.ts'
import { openStorage } from './storage.ts'
import { createUpdates } from './updates.ts'
import { createWebhook } from './webhook.ts'
import type { World } from './world.ts'

export type { ChatEvent, SeenMessage } from './events.ts'

export interface TelegramOptions {
  /** `<bot id>:<secret>`, as BotFather gives it. */
  token: string
  botUsername?: string
  /** Its own: media and chats are kept here over a restart. */
  folder: string
  clock: Clock
  faults: Faults
  random: Random
}

export interface Telegram {
  room: Room
  users: Room
  /** Everything that happens in the chats; returns the way to stop listening. */
  on(listener: Listener): () => void
  close(): void
}

export function createTelegram(options: TelegramOptions): Telegram {
  const { token, folder, clock, faults, random, botUsername = 'sandbox_generation_bot' } = options
  const botId = Number(token.split(':')[0])
  if (!Number.isSafeInteger(botId) || botId <= 0) throw new Error('a bot token looks like 123456:some-secret')

  const storage = openStorage(folder, clock)
  const closing = new AbortController()
  const { state, changed } = storage
  const { signal } = closing
  const events = createEvents()
  const drafts = createDrafts({ clock, events, closing: signal })
  const updates = createUpdates({ state, clock, faults, closing: signal, changed })
  const webhook = createWebhook(state, updates, clock, signal)
  const world: World = {
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
  // What was pending when the sandbox stopped goes on its way.
  webhook.restart()

  return {
    room: createBotApi({ world, token, faults, changed }),
    users: createUsers({ world, faults, changed }),
    on: events.on,
    close() {
      closing.abort()
      storage.close()
    },
  }
}
