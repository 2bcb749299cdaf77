// Sends notices: messages to users about their money and decisions of operators that answer no update.

import type { Api } from 'grammy'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { throughOutages } from '../../db/outage.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { noteOf } from '../../ledger/statement.ts'
import type { Kopecks } from '../../money.ts'
import { refundedOrder } from '../../operator/refunds.ts'
import { declinedOrder } from '../../operator/reports.ts'
import { titleOf } from '../../orders/deliver/messages.ts'
import { isByWallet } from '../../orders/generation.ts'
import {
  chargeOfNotice,
  correctionOfNotice,
  pageOfNotice,
  takingOfNotice,
} from '../../payments/notice-keys.ts'
import {
  claimNotices,
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
import { type ChatLocation, movedTo, outcomeOf, sendInto } from '../../telegram/send.ts'
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
  const told = await toldOf(deps, say, notice, { chatId, topicId: null })
  if (!told) return finishNotice(deps, notice)
  await sendFollowing(deps, told)
  await throughOutages(deps, () => finishNotice(deps, notice))
  await afterwards(notice, say)
}

interface Told {
  /** HTML. */
  readonly text: string
  readonly target: ChatLocation
}

/** Sends the text; after a group has become a supergroup, into its new chat, where messages have other ids. */
async function sendFollowing({ api, db }: NoticeDeps, { text, target }: Told): Promise<void> {
  const sendTo = (to: ChatLocation) =>
    sendInto(to, (into) => api.sendMessage(to.chatId, text, { ...into, parse_mode: 'HTML' }))
  try {
    await sendTo(target)
  } catch (error) {
    const chatId = movedTo(error)
    if (chatId === undefined) throw error
    await moveChat(db, target.chatId, chatId)
    await sendTo({ ...target, chatId })
  }
}

/** @returns undefined when there is nothing left to tell */
async function toldOf(
  deps: NoticeDeps,
  say: Say,
  notice: Notice,
  privately: ChatLocation,
): Promise<Told | undefined> {
  const { kind, userId } = notice
  if (kind === 'order-refunded') return refundTold(deps, say, notice)
  if (kind === 'declined') return declineTold(deps, say, notice, deps.operator.contact)
  if (kind === 'tax-receipt') {
    const values = { amount: say.roubles(notice.amount), url: pageOfNotice(notice.key) }
    return { text: say.html('tax-receipt', values), target: privately }
  }
  const { available } = await readBalance(deps.db, userId)
  if (kind === 'credited')
    return { text: await creditedText(deps.db, say, notice, available), target: privately }
  if (kind === 'corrected')
    return { text: await correctedText(deps, say, notice, available), target: privately }
  const reason = kind === 'refunded' ? await noteOf(deps.db, takingOfNotice(notice.key)) : null
  return { text: textOf(say, { ...notice, kind }, available, reason), target: privately }
}

type Plain = Exclude<Notice['kind'], 'credited' | 'corrected' | 'order-refunded' | 'declined' | 'tax-receipt'>

async function creditedText(
  db: Database,
  say: Say,
  { key, amount }: Notice,
  available: Kopecks,
): Promise<string> {
  const bonus = await payersRewards(db, chargeOfNotice(key))
  const told = { credit: say.roubles(amount), balance: { html: balanceText(say, available) } }
  return bonus > 0n
    ? say.html('topup-done-bonus', { ...told, bonus: say.roubles(bonus) })
    : say.html('topup-done', told)
}

/** @param reason the reason of a refund */
function textOf(
  say: Say,
  { kind, amount }: { readonly kind: Plain; readonly amount: bigint },
  available: bigint,
  reason: string | null,
): string {
  const credit = say.roubles(amount)
  const balance = { html: balanceText(say, available) }
  switch (kind) {
    case 'not-paid':
      return say.html('topup-not-paid', { credit })
    case 'unmatched':
      return say.html('topup-unmatched')
    case 'refunded':
      return reason === null
        ? say.html('topup-refunded', { credit, balance })
        : say.html('topup-refunded-because', { credit, balance, reason })
    case 'unbanned':
      return say.html('told-unban')
    case 'wallet-off':
      return say.html('wallet-off-notice', { rest: credit })
    case 'invite-paid':
      return say.html('invite-paid', { bonus: credit })
    case 'invite-refunded':
      return say.html('invite-refunded', { bonus: credit, balance })
    case 'bonus':
      return say.html('bonus-given', { bonus: credit, balance })
    case 'bonus-refunded':
      return say.html('bonus-refunded', { bonus: credit, balance })
  }
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

// Texts that tell users about decisions of operators: a correction of the balance, the refund of an order, a declined report.

interface Deps {
  readonly db: Database
  readonly catalog: Pick<Catalog, 'find'>
  readonly texts: Texts
}

/** @param available the balance now @returns HTML */
async function correctedText(
  { db, texts }: Deps,
  say: Say,
  notice: Notice,
  available: Kopecks,
): Promise<string> {
  const { amount } = notice
  const isGrant = amount > 0n
  return say.html(isGrant ? 'told-grant' : 'told-debit', {
    amount: say.roubles(isGrant ? amount : -amount),
    balance: { html: balanceText(say, available) },
    reason: reasonText({ texts }, say, (await noteOf(db, correctionOfNotice(notice.key))) ?? ''),
  })
}

/** @returns undefined when the order is no longer stored */
async function refundTold({ db, catalog, texts }: Deps, say: Say, notice: Notice): Promise<Told | undefined> {
  const refunded = await refundedOrder(db, notice.key)
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

/** @param contact of the operator, who can be asked why @returns undefined when the order is no longer stored */
async function declineTold(
  { db }: Pick<Deps, 'db'>,
  say: Say,
  notice: Notice,
  contact: string | undefined,
): Promise<Told | undefined> {
  const generation = await declinedOrder(db, notice.key)
  if (!generation) return undefined
  const text = contact ? say.html('told-declined-contact', { contact }) : say.html('told-declined')
  return { text, target: generation }
}
