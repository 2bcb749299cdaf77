// The local Telegram: a double of the Bot API, and an API for what its users do (`../users/`), for the chat page and the tests. Its state is
// one JSON file beside the media, so that chats survive a restart.

import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import { openStore } from '../json-store.ts'
import type { Random } from '../random.ts'
import { createUsersApi } from '../users/index.ts'
import { createBotApi } from './bot-api.ts'
import { createDrafts } from './drafts.ts'
import { createEvents } from './events.ts'
import { createQuestions } from './questions.ts'
import type { TelegramServer } from './server.ts'
import { completeState, emptyState, type State } from './state.ts'
import { createUpdates, createWebhook } from './updates.ts'

export type { ChatEvent, SeenMessage } from './events.ts'

interface Options {
  /** The token of the bot: `<bot id>:<secret>`, as BotFather issues it. */
  readonly token: string
  /** Keeps media and chats over restarts; nothing else may write into it. */
  readonly folder: string
  readonly clock: Clock
  /** The time in the dates of messages; by default that of `clock`. */
  readonly dates?: () => Date
  readonly faults: Faults
  readonly random: Random
  /** Writes chats to the disk, so that they survive a restart; true by default. */
  readonly keepsState?: boolean
}

/** Only this program writes the file, so its version implies its shape. */
const savedState = z
  .custom<State>((value) => z.looseObject({ version: z.literal(1) }).safeParse(value).success)
  .transform(completeState)

/** The pause before a write, which includes all changes until then. */
const pauseMs = 200

export type Telegram = ReturnType<typeof createTelegram>

export function createTelegram(options: Options) {
  const { token, folder, clock, dates = () => clock.now(), faults, random, keepsState = true } = options
  const botId = Number(/^(\d{1,15}):[\w-]+$/.exec(token)?.[1])
  if (!botId) throw new Error('a bot token has the form 123456:some-secret')
  const { state, save } = openStore(join(folder, 'telegram.json'), savedState, emptyState(), keepsState)
  const ended = new AbortController()
  const closing = ended.signal
  let isWaiting = false
  const changed = () => {
    if (isWaiting || closing.aborted) return
    isWaiting = true
    void clock.wait(pauseMs, closing).then(() => {
      isWaiting = false
      return save()
    })
  }
  const events = createEvents()
  const updates = createUpdates({ state, clock, faults, closing, changed })
  const server: TelegramServer = {
    state,
    changed,
    token,
    botId,
    botUsername: 'sandbox_generation_bot',
    clock,
    faults,
    dates,
    random,
    folder,
    events,
    drafts: createDrafts(clock, events, closing),
    updates,
    webhook: createWebhook({ state, updates, clock, closing }),
    preCheckouts: createQuestions(clock, random, closing),
    inlineQueries: createQuestions(clock, random, closing),
    closing,
  }

  // Delivers the updates that were pending when the sandbox stopped.
  server.webhook.restart()
  return {
    botApi: createBotApi(server),
    usersApi: createUsersApi(server),
    /** Calls the listener for every event in the chats of the bot, until the returned function is called. */
    on: events.on,
    async close() {
      ended.abort()
      await save()
    },
  }
}
