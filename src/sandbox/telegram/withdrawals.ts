// Withdrawals of the bot's Stars by its owner, who makes them at Fragment and not through the bot.

import { randomText } from '../random.ts'
import { nowSeconds, type TelegramServer } from './server.ts'

/** Records the withdrawal of one Star. */
export function withdraw(server: TelegramServer): void {
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
