// Tells in the chat what came of a top-up while nobody was asking.

import type { Api } from 'grammy'
import type { Database } from '../db/client.ts'
import { readBalance } from '../ledger/ledger.ts'
import { findUser } from '../ledger/user.ts'
import type { Log } from '../log.ts'
import { formatRoubles } from '../money.ts'
import type { News } from '../payments/top-ups.ts'
import type { Say, Texts } from '../texts.ts'

interface Deps {
  readonly api: Api
  readonly db: Database
  readonly texts: Texts
  readonly log: Log
}

/** News that can not be told is lost: the balance and its statement say the same. */
export function createPaymentNews(deps: Deps): (news: News) => Promise<void> {
  return async (news) => {
    try {
      await send(deps, news)
    } catch (error) {
      deps.log.warn({ topUp: news.topUp.id, news: news.is, error }, 'news of a top-up not told')
    }
  }
}

async function send({ api, db, texts }: Deps, { is, topUp }: News): Promise<void> {
  const user = await findUser(db, topUp.userId)
  const chatId = topUp.chatId ?? user?.telegramId
  if (!user || chatId == null) return
  const { available } = await readBalance(db, user.id)
  const text = textOf(texts(user.locale), is, {
    credit: formatRoubles(topUp.credit),
    available: formatRoubles(available),
  })
  await api.sendMessage(chatId, text, { parse_mode: 'HTML' })
}

function textOf(say: Say, is: News['is'], facts: { credit: string; available: string }): string {
  const { credit, available } = facts
  switch (is) {
    case 'credited':
      return say.html('topup-done', { credit, available })
    case 'not-paid':
      return say.html('topup-not-paid', { credit })
    case 'unmatched':
      return say.html('topup-unmatched')
    case 'refunded':
      return say.html('topup-refunded', { credit, available })
  }
}
