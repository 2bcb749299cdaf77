// The bot of the local Telegram: its state on disk, its queues of updates, its webhook.

import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { createDrafts } from './drafts.ts'
import { createEvents } from './events.ts'
import type { TelegramServer } from './server.ts'
import { openStorage } from './storage.ts'
import { createUpdates } from './updates.ts'
import { createWebhook } from './webhook.ts'

/** What a bot works with. */
export interface Surroundings {
  readonly clock: Clock
  /** The time in the dates of messages; by default that of `clock`. */
  readonly dates?: () => Date
  readonly faults: Faults
  readonly random: Random
  /** Writes chats to the disk, so that they survive a restart; true by default. */
  readonly keepsState?: boolean
}

interface BotIdentity {
  /** `<bot id>:<secret>`, as BotFather issues it. */
  readonly token: string
  readonly username: string
}

export interface LocalBot extends BotIdentity {
  readonly server: TelegramServer
  /** Requests that the state is written to the disk soon. */
  changed(): void
  close(): void
}

/** @returns undefined when the text is not a token */
function botIdOf(token: string): number | undefined {
  const id = Number(/^(\d+):[\w-]+$/.exec(token)?.[1])
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** @param folder keeps the media and chats of the bot over restarts; nothing else may write into it */
export function openBot(identity: BotIdentity, folder: string, surroundings: Surroundings): LocalBot {
  const { token, username } = identity
  const { clock, dates = () => clock.now(), faults, random, keepsState = true } = surroundings
  const botId = botIdOf(token)
  if (botId === undefined) throw new Error('a bot token has the form 123456:some-secret')
  const storage = openStorage(folder, clock, keepsState)
  const closing = new AbortController()
  const { state, changed } = storage
  const { signal } = closing
  const events = createEvents()
  const drafts = createDrafts({ clock, events, closing: signal })
  const updates = createUpdates({ state, clock, faults, closing: signal, changed })
  const webhook = createWebhook({ state, updates, clock, closing: signal })
  const server: TelegramServer = {
    state,
    botId,
    botUsername: username,
    clock,
    dates,
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
    token,
    username,
    server,
    changed,
    close() {
      closing.abort()
      storage.close()
    },
  }
}
