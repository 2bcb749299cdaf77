// The bot of the local Telegram: its queues of updates, its webhook, and its state in one JSON file beside the media, so that chats survive a
// restart.

import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import { openStore } from '../json-store.ts'
import type { Random } from '../random.ts'
import { createDrafts } from './drafts.ts'
import { createEvents } from './events.ts'
import { createQuestions } from './questions.ts'
import type { TelegramServer } from './server.ts'
import { completeState, emptyState, type State } from './state.ts'
import { createUpdates, createWebhook } from './updates.ts'

/** The pause before a write, which includes all changes until then. */
const pauseMs = 200

/** Only this program writes the file, so its version implies its shape. */
const savedState = z
  .custom<State>((value) => z.looseObject({ version: z.literal(1) }).safeParse(value).success)
  .transform(completeState)

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
  close(): Promise<void>
}

/** @param folder keeps the media and chats of the bot over restarts; nothing else may write into it */
export function openBot(identity: BotIdentity, folder: string, surroundings: Surroundings): LocalBot {
  const { clock, dates = () => clock.now(), faults, random, keepsState } = surroundings
  const botId = Number(/^(\d{1,15}):[\w-]+$/.exec(identity.token)?.[1])
  if (!botId) throw new Error('a bot token has the form 123456:some-secret')
  const store = openStore(join(folder, 'telegram.json'), savedState, emptyState(), () => state, keepsState)
  const state: State = store.loaded
  const ended = new AbortController()
  const closing = ended.signal
  let isWaiting = false
  const changed = () => {
    if (isWaiting || closing.aborted) return
    isWaiting = true
    void clock.wait(pauseMs, closing).then(() => {
      isWaiting = false
      return store.save()
    })
  }
  const events = createEvents()
  const updates = createUpdates({ state, clock, faults, closing, changed })
  const webhook = createWebhook({ state, updates, clock, closing })
  const server: TelegramServer = {
    state,
    botId,
    botUsername: identity.username,
    clock,
    dates,
    random,
    folder,
    events,
    drafts: createDrafts({ clock, events, closing }),
    updates,
    webhook,
    preCheckouts: createQuestions({ clock, random, closing }),
    inlineQueries: createQuestions({ clock, random, closing }),
    closing,
  }

  // Delivers the updates that were pending when the sandbox stopped.
  webhook.restart()
  return {
    ...identity,
    server,
    changed,
    async close() {
      ended.abort()
      await store.save()
    },
  }
}
