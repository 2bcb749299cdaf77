// Sends notices: messages to users about their money and decisions of operators that answer no update.

import type { Api } from 'grammy'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { throughOutages } from '../../db/outage.ts'
import { correctionKey, refundKey } from '../../ledger/keys.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { noteOf } from '../../ledger/statement.ts'
import { refundedOrder } from '../../operator/refunds.ts'
import { declinedOrder } from '../../operator/reports.ts'
import { titleOf } from '../../orders/deliver/messages.ts'
import { isByWallet } from '../../orders/generation.ts'
import {
  claimNotices,
  eventOf,
  finishNotice,
  type Notice,
  noticeLeases,
  postponeNotice,
} from '../../payments/notices.ts'
import { payersRewards } from '../../payments/rewards.ts'
import { type Clock, doubledMs } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import { createQueueWorker, type Queue } from '../../runtime/queue-worker.ts'
import { moveChat } from '../../telegram/moved-chat.ts'
import { type MessageTarget, movedTo, outcomeOf, sendInto } from '../../telegram/send.ts'
import type { Say, Texts } from '../../texts.ts'
import { findUser } from '../../users/user.ts'
import { balanceText, reasonText } from '../balance.ts'

interface NoticeDeps {
  readonly api: Api
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly texts: Texts
  readonly log: Log
  readonly catalog: Pick<Catalog, 'find'>
  readonly operator: Pick<Config['operator'], 'contact'>
}

/** With the pauses below, the attempts take about a day. */
const mostAttempts = 100

/** @param afterwards runs after each sent notice; it never throws */
export function createNoticeSender(
  deps: NoticeDeps,
  afterwards: (notice: Notice, say: Say) => Promise<void> = async () => undefined,
): Loop {
  const queue: Queue<Notice> = {
    ...noticeLeases(deps.db),
    claim: (claim) => claimNotices(deps.db, claim),
    work: (notice) =>
      send(deps, notice, afterwards).catch((error: unknown) => settleFailure(deps, notice, error)),
  }
  return createQueueWorker(deps, queue, { slots: 16, failed: 'notices cannot be sent' })
}

async function send(
  deps: NoticeDeps,
  notice: Notice,
  afterwards: (notice: Notice, say: Say) => Promise<void>,
): Promise<void> {
  const { db, texts } = deps
  const user = await findUser(db, notice.userId)
  // A notice shows the balance, so one about a payment in a group goes to the private chat, too.
  const chatId = user?.telegramId
  // The user's data was deleted at their request.
  if (!user || chatId == null) return finishNotice(deps, notice)
  // Banned again in the meantime.
  if (notice.kind === 'unbanned' && user.bannedAt) return finishNotice(deps, notice)
  const say = texts(user.locale)
  const told = await toldOf(deps, say, notice, chatId)
  if (!told) return finishNotice(deps, notice)
  await sendFollowing(deps, told)
  await throughOutages(deps, () => finishNotice(deps, notice))
  await afterwards(notice, say)
}

interface Told {
  /** HTML. */
  readonly text: string
  readonly target: MessageTarget
}

/** Sends the text; after a group has become a supergroup, into its new chat, where messages have other ids. */
async function sendFollowing({ api, db }: NoticeDeps, { text, target }: Told): Promise<void> {
  const sendTo = (to: MessageTarget) =>
    sendInto(to, (into) => api.sendMessage(to.chatId, text, { ...into, parse_mode: 'HTML' }))
  try {
    await sendTo(target)
  } catch (error) {
    const chatId = movedTo(error)
    if (chatId === undefined) throw error
    await moveChat(db, target.chatId, chatId)
    await sendTo({ ...target, chatId, statusMessageId: null })
  }
}

/** @returns undefined when the order that it is about is no longer stored */
async function toldOf(deps: NoticeDeps, say: Say, notice: Notice, chatId: number): Promise<Told | undefined> {
  switch (notice.kind) {
    case 'order-refunded':
      return refundTold(deps, say, notice)
    case 'declined':
      return declineTold(deps, say, notice)
    default:
      return { text: await textOf(deps, say, notice, notice.kind), target: { chatId, topicId: null } }
  }
}

async function textOf(
  { db, texts }: NoticeDeps,
  say: Say,
  notice: Notice,
  kind: Exclude<Notice['kind'], 'order-refunded' | 'declined'>,
): Promise<string> {
  const event = eventOf(notice)
  const amount = say.roubles(notice.amount < 0n ? -notice.amount : notice.amount)
  const { available } = await readBalance(db, notice.userId)
  const balance = { html: balanceText(say, available) }
  switch (kind) {
    case 'credited': {
      const bonus = await payersRewards(db, event)
      return bonus > 0n
        ? say.html('topup-done-bonus', { credit: amount, balance, bonus: say.roubles(bonus) })
        : say.html('topup-done', { credit: amount, balance })
    }
    case 'not-paid':
      return say.html('topup-not-paid', { credit: amount })
    case 'unmatched':
      return say.html('topup-unmatched')
    case 'refunded': {
      const reason = await noteOf(db, refundKey(event))
      return reason === null
        ? say.html('topup-refunded', { credit: amount, balance })
        : say.html('topup-refunded-because', { credit: amount, balance, reason })
    }
    case 'corrected': {
      const reason = reasonText({ texts }, say, (await noteOf(db, correctionKey(event))) ?? '')
      return say.html(notice.amount > 0n ? 'told-grant' : 'told-debit', { amount, balance, reason })
    }
    case 'tax-receipt':
      return say.html('tax-receipt', { amount, url: event })
    case 'unbanned':
      return say.html('told-unban')
    case 'wallet-off':
      return say.html('wallet-off-notice', { rest: amount })
    case 'invite-paid':
      return say.html('invite-paid', { bonus: amount })
    case 'invite-refunded':
      return say.html('invite-refunded', { bonus: amount, balance })
    case 'bonus':
      return say.html('bonus-given', { bonus: amount, balance })
    case 'bonus-refunded':
      return say.html('bonus-refunded', { bonus: amount, balance })
  }
}

async function refundTold(
  { db, catalog, texts }: NoticeDeps,
  say: Say,
  notice: Notice,
): Promise<Told | undefined> {
  const refunded = await refundedOrder(db, notice)
  if (!refunded) return undefined
  const { generation, reason } = refunded
  const { chatId, topicId } = generation
  const text = say.html(isByWallet(generation) ? 'told-refund-wallet' : 'told-refund', {
    amount: say.roubles(notice.amount),
    title: titleOf({ say, generation, model: catalog.find(generation.modelId) }),
    reason: reasonText({ texts }, say, reason),
  })
  return { text, target: { chatId, topicId } }
}

/** Names the contact of the operator, who can be asked why. */
async function declineTold(
  { db, operator: { contact } }: NoticeDeps,
  say: Say,
  notice: Notice,
): Promise<Told | undefined> {
  const generation = await declinedOrder(db, notice)
  if (!generation) return undefined
  const text = contact ? say.html('told-declined-contact', { contact }) : say.html('told-declined')
  return { text, target: generation }
}

async function settleFailure(deps: NoticeDeps, notice: Notice, error: unknown): Promise<void> {
  const { key } = notice
  const attempts = notice.attempts + 1
  deps.log.warn({ notice: key, attempts, error }, 'notice not sent')
  const outcome = outcomeOf(error)
  if (outcome.ok || !outcome.retry || attempts >= mostAttempts) return finishNotice(deps, notice)
  return postponeNotice(deps, notice, outcome.afterMs ?? pauseMs(attempts))
}

/** Before the next attempt: 1, 2, 4 … seconds, at most a quarter of an hour. */
const pauseMs = (attempts: number): number => doubledMs(1000, attempts - 1, 15 * 60_000)
