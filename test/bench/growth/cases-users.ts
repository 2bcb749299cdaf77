// Cases of users: orders, questions, lists of their own rows, deletion. All are for a heavy user.

import { eq } from 'drizzle-orm'
import { queryOf } from '../../../src/bot/account/history.ts'
import { conversationAt } from '../../../src/chat/begin.ts'
import { spentIn } from '../../../src/chat/conversations.ts'
import { pastColumn } from '../../../src/chat/past.ts'
import { lastTurnOf } from '../../../src/chat/turns.ts'
import { conversations } from '../../../src/db/schema.ts'
import { deliveredFiles } from '../../../src/generations/delivered.ts'
import { newestOpenDraft } from '../../../src/generations/drafts.ts'
import { readHistory, readReceipt, videosOf } from '../../../src/generations/history.ts'
import { confirm, findQuotedDraft } from '../../../src/generations/order.ts'
import { ordersUnderWay } from '../../../src/generations/waiting.ts'
import { readInvites } from '../../../src/ledger/referral.ts'
import { statementOf } from '../../../src/ledger/statement.ts'
import { spendingOf } from '../../../src/ledger/wallets.ts'
import { checkPayment } from '../../../src/payments/top-ups.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { forget, mayForget } from '../../../src/privacy/forget.ts'
import { overGroupCap } from '../../../src/sales/group-cap.ts'
import { overLimit } from '../../../src/sales/limits.ts'
import { moveChat } from '../../../src/telegram/moved-chat.ts'
import { historyFilters } from '../../../src/telegram/taps.ts'
import { createRunLimits } from '../../../src/tracker/run-limits.ts'
import { ensureUser } from '../../../src/users/user.ts'
import type { Case, GrowthWorld } from './cases.ts'
import { firstTelegramId } from './seed-people.ts'

/** Telegram ids of operators. */
const operators = [firstTelegramId + 4, firstTelegramId + 5]

export const userCases: readonly Case[] = [
  {
    name: 'a known user is read',
    indexes: ['users_telegram_id_key'],
    run: ({ deps, heavyTelegramId: telegramId, now }) =>
      ensureUser(deps.db, { telegramId, languageCode: 'ru', name: 'Person 2', username: 'person_2' }, now),
  },
  {
    name: 'an order is confirmed',
    indexes: ['generations_live', 'transfers_captured'],
    async run({ deps, openQuoteId, heavyUser }) {
      const quoted = await findQuotedDraft(deps, openQuoteId, heavyUser)
      if (quoted) await confirm(deps, { quoted, personHash: '', statusMessageId: 1 })
    },
  },
  {
    name: 'limits of a user',
    indexes: ['generations_live', 'transfers_captured'],
    run: ({ deps, heavyUser: userId }) => overLimit(deps, { userId, amount: 100n }),
  },
  {
    name: 'orders under way in a chat',
    indexes: ['generations_live'],
    run: ({ deps, heavyUser, heavyTelegramId }) => ordersUnderWay(deps, heavyUser, heavyTelegramId),
  },
  {
    name: 'run limit of a model',
    run: ({ deps }) => runLimit(deps, 'MODEL-VIDEO-REEL'),
  },
  {
    name: 'run limit of a model without orders',
    indexes: ['generations_timed'],
    run: ({ deps }) => runLimit(deps, 'MODEL-TTS-DIALOGUE'),
  },
  {
    name: '/history, first page and last page',
    indexes: ['generations_shelf'],
    run: async ({ deps, heavyUser }) => [
      await readHistory(deps, heavyUser, 0),
      await readHistory(deps, heavyUser, 1_000_000),
    ],
  },
  {
    name: '/history in a group',
    indexes: ['generations_shelf'],
    run: ({ deps, heavyUser }) => readHistory(deps, heavyUser, 0, { chatId: -100 }),
  },
  ...historyFilters.map((filter) => ({
    name: `/history: ${filter}`,
    indexes: ['generations_shelf'],
    run: ({ deps, heavyUser }: GrowthWorld) => readHistory(deps, heavyUser, 0, queryOf(deps, filter)),
  })),
  {
    name: 'the results that inline mode finds',
    indexes: ['generations_shelf'],
    run: ({ deps, heavyUser }) => deliveredFiles(deps.db, heavyUser, 1000),
  },
  {
    name: 'a receipt',
    run: ({ deps, endedGenerationId, heavyUser }) => readReceipt(deps, endedGenerationId, heavyUser),
  },
  {
    name: 'results to choose from',
    indexes: ['generations_shelf'],
    run: ({ deps, heavyUser }) => videosOf(deps.db, heavyUser, 'MODEL-VIDEO-REEL', 8),
  },
  {
    name: '/statement',
    indexes: ['transfers_user'],
    run: ({ deps, heavyUser }) => statementOf(deps.db, heavyUser),
  },
  {
    name: 'the wallet of a group: what a member has spent, and all members',
    indexes: ['transfers_group_held', 'transfers_wallet'],
    before: `
      insert into wallets (id, owner_id, chat_id, title, daily_cap, created_at) overriding system value values (1, 3, -100, 'Friends', 10000, now())`,
    run: async ({ deps, heavyUser: userId, now }) => [
      await overGroupCap(deps.db, { userId, walletId: 1n, amount: 100n, personHash: '' }, -100, now),
      await spendingOf(deps.db, 1n, now, 10),
    ],
  },
  {
    name: 'invitations',
    indexes: ['transfers_rare', 'users_referrer'],
    run: ({ deps, heavyUser }) => readInvites(deps.db, heavyUser),
  },
  {
    name: 'a payment is checked',
    run: ({ deps, topUp: { id: topUpId, charge }, heavyUser: userId }) =>
      checkPayment(deps, { topUpId, userId, currency: 'RUB', charge }),
  },
  {
    name: 'the newest draft, the conversation and its past',
    indexes: ['drafts_open', 'turns_thread'],
    async run({ deps, heavyUser, heavyTelegramId, threadId }) {
      await newestOpenDraft(deps.db, heavyUser, heavyTelegramId)
      await conversationAt({ ...deps, textModels: [] }, heavyUser, { chatId: heavyTelegramId, topicId: 0 })
      await deps.db.select({ past: pastColumn() }).from(conversations).where(eq(conversations.id, threadId))
      await lastTurnOf(deps.db, threadId, heavyUser)
      await spentIn(deps.db, threadId)
    },
  },
  {
    name: '/export',
    indexes: [
      'drafts_user',
      'generations_shelf',
      'message_notes_user',
      'payments_user',
      'quotes_draft',
      'styles_user',
      'threads_user',
      'top_ups_user',
      'transfers_user',
      'turns_user',
    ],
    run: ({ deps, heavyUser, now }) => exportData(deps.db, heavyUser, now),
  },
  {
    name: '/delete_me',
    indexes: ['drafts_user', 'generations_shelf', 'quotes_draft', 'updates_set_aside'],
    before: `
      update generations set settled_at = created_at, next_check_at = null where user_id = 2 and next_check_at is not null;
      update turns set state = 'done', delivery = 'delivered' where user_id = 2 and (state = 'streaming' or delivery = 'pending');
      update top_ups set next_check_at = null where user_id = 2;
      update balances set held = 0 where user_id = 2`,
    async run({ deps, heavyUser, now }) {
      await mayForget(deps.db, heavyUser)
      await forget(deps.db, heavyUser, 'person', now, operators)
    },
  },
  {
    name: '/delete_me of an ordinary user',
    run: ({ deps, ordinaryUser, now }) => forget(deps.db, ordinaryUser, 'person', now, operators),
  },
  {
    name: 'a group becomes a supergroup',
    indexes: ['drafts_group', 'generations_group', 'threads_open'],
    run: ({ deps }) => moveChat(deps.db, -100, -1000),
  },
]

const runLimit = (deps: Parameters<Case['run']>[0]['deps'], id: string) => {
  const model = deps.catalog.find(id)
  return model ? createRunLimits(deps).of(model) : Promise.reject(new Error(`no model ${id}`))
}
