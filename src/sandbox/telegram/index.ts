// The local Telegram: a double of the Bot API, and an API for what its users do (`../users/`), for the chat page and the tests.

import type { Handler } from '../http.ts'
import { randomText } from '../random.ts'
import { createUsersApi } from '../users/index.ts'
import { createBotApi } from './bot-api.ts'
import type { Listener } from './events.ts'
import { nowSeconds, openBot, type Surroundings, type TelegramServer } from './server.ts'

export type { ChatEvent, SeenMessage } from './events.ts'

interface Options extends Surroundings {
  /** The token of the bot: `<bot id>:<secret>`, as BotFather issues it. */
  token: string
  botUsername?: string
  /** Keeps media and chats over restarts; nothing else may write into it. */
  folder: string
}

export interface Telegram {
  botApi: Handler
  usersApi: Handler
  /** Calls the listener for every event in the chats of the bot, until the returned function is called. */
  on(listener: Listener): () => void
  /** Records this many withdrawals of Stars by the bot's owner: transactions in the list of Stars that are not payments. */
  withdrawStars(times: number): void
  close(): Promise<void>
}

export function createTelegram(options: Options): Telegram {
  const { token, folder, botUsername = 'sandbox_generation_bot', ...surroundings } = options
  const bot = openBot({ token, username: botUsername }, folder, surroundings)
  return {
    botApi: createBotApi({ bot, faults: options.faults }),
    usersApi: createUsersApi(bot),
    on: bot.server.events.on,
    withdrawStars(times) {
      for (let n = 0; n < times; n += 1) withdraw(bot.server)
    },
    close: bot.close,
  }
}

/** Records the withdrawal of one Star. */
function withdraw(server: TelegramServer): void {
  const date = nowSeconds(server)
  server.state.transactions.push({
    id: randomText(server.random, 40),
    amount: 1,
    date,
    receiver: {
      type: 'fragment',
      withdrawal_state: { type: 'succeeded', date, url: 'https://fragment.com/' },
    },
  })
}
