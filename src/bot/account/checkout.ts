// Payments inside Telegram: the checkout query, the payment, the refund. A payment is credited once, by its charge id; a refund made
// outside of the bot takes the credit, whichever of the two reports comes first.

import { type Api, type Context, GrammyError, type MiddlewareFn } from 'grammy'
import type {
  PreCheckoutQuery,
  RefundedPayment,
  StarTransaction,
  SuccessfulPayment,
  User,
} from 'grammy/types'
import { takeAwaiting } from '../../orders/drafts.ts'
import { type Notice, writeNotice } from '../../payments/notices.ts'
import { type Movement, pageSize, type RefundOutcome, type StarAccount } from '../../payments/provider.ts'
import { noteMovement } from '../../payments/reconcile.ts'
import { checkPayment, creditPayment, providerOfInvoice } from '../../payments/top-ups.ts'
import { allSettledWithin } from '../../runtime/clock.ts'
import { localeOf, type Say } from '../../texts.ts'
import { ensureUser } from '../../users/user.ts'
import { sendCard } from '../cards/cards.ts'
import { offerUnpaid } from '../chat/chooser.ts'
import type { BotDeps } from '../context.ts'
import { offerToFund } from '../groups/wallet.ts'
import { removePayMessages } from './pay-link.ts'

type Deps = Pick<BotDeps, 'db' | 'clock' | 'log' | 'texts' | 'topUps'>

/**
 * Installed before users are recognised: a refund concerns a charge, not a user, and neither a failed message nor a ban prevents a credit.
 */
export const paymentUpdates =
  (deps: Deps): MiddlewareFn<Context> =>
  async (ctx, next) => {
    const { preCheckoutQuery, message } = ctx
    if (preCheckoutQuery) return checkout(deps, ctx, preCheckoutQuery)
    if (message?.refunded_payment) return takeRefund(deps, message.chat.id, message.refunded_payment)
    if (message?.successful_payment && message.from)
      return credit(deps, message.from, message.successful_payment)
    await next()
  }

/** Telegram waits 10 s for this answer, so it takes no lock and waits at most 8 s for the database. */
async function checkout(deps: Deps, ctx: Context, query: PreCheckoutQuery): Promise<void> {
  const outcome = await withinLimit(deps, checkQuery(deps, query))
  if (outcome === 'ok') return void (await ctx.answerPreCheckoutQuery(true))
  const say = deps.texts(localeOf(query.from.language_code))
  await ctx.answerPreCheckoutQuery(false, say.plain(`checkout-${outcome}`))
}

const limitMs = 8000

async function withinLimit<T>({ clock, log }: Deps, check: Promise<T>): Promise<T | 'unavailable'> {
  const failed = (error: unknown) => {
    log.error({ error }, 'checkout cannot be checked')
    return 'unavailable' as const
  }
  const answer = check.catch(failed)
  return (await allSettledWithin([answer], clock, limitMs)) ? answer : 'unavailable'
}

async function checkQuery(deps: Deps, query: PreCheckoutQuery) {
  const { from, currency, total_amount: total, invoice_payload: topUpId } = query
  const person = { telegramId: from.id, languageCode: from.language_code }
  const { user } = await ensureUser(deps.db, person, deps.clock.now())
  const paid = { topUpId, userId: user.id, currency, charge: BigInt(total) }
  const checked = await checkPayment(deps.topUps, paid)
  return checked.ok ? ('ok' as const) : checked.reason
}

async function takeRefund(deps: Deps, telegramId: number, refunded: RefundedPayment): Promise<void> {
  const { currency, invoice_payload: topUpId, telegram_payment_charge_id: chargeId } = refunded
  const provider = await providerOfInvoice(deps.db, { topUpId, currency })
  const charge = { currency, amount: BigInt(refunded.total_amount) }
  await noteMovement(deps.topUps, provider, { is: 'refunded', chargeId, topUpId, telegramId, charge })
}

/** Credits the payment; the thanks are a notice, sent separately. */
async function credit(deps: Deps, from: User, payment: SuccessfulPayment): Promise<void> {
  const person = { telegramId: from.id, languageCode: from.language_code }
  const { user } = await ensureUser(deps.db, person, deps.clock.now())
  const { currency, invoice_payload: topUpId, telegram_payment_charge_id: chargeId } = payment
  const provider = await providerOfInvoice(deps.db, { topUpId, currency })
  const paid = { provider, topUpId, userId: user.id, currency, charge: BigInt(payment.total_amount) }
  const credited = await creditPayment(deps.topUps, paid, chargeId)
  if (!credited.ok && credited.reason === 'unmatched')
    await writeNotice(deps.topUps, { kind: 'unmatched', event: chargeId, userId: user.id, amount: 0n })
}

// The Stars account of the bot at Telegram, behind the interface that payments use.

export const createStarAccount = (api: Api): StarAccount => ({
  async transactions(offset) {
    const { transactions } = await api.getStarTransactions({ offset, limit: pageSize })
    return { count: transactions.length, movements: transactions.flatMap(movementOf) }
  },
  refund: (telegramId, chargeId) =>
    api.refundStarPayment(telegramId, chargeId).then(() => ({ is: 'done' }) as const, refusalOf),
})

/** The movement of a paid or refunded invoice; empty for gifts, withdrawals and the like. */
function movementOf({ id, amount, source, receiver }: StarTransaction): Movement[] {
  const partner = source ?? receiver
  if (partner?.type !== 'user' || partner.transaction_type !== 'invoice_payment') return []
  return [
    {
      is: source ? 'paid' : 'refunded',
      chargeId: id,
      topUpId: partner.invoice_payload ?? '',
      telegramId: partner.user.id,
      charge: { currency: 'XTR', amount: BigInt(amount) },
    },
  ]
}

function refusalOf(error: unknown): RefundOutcome {
  if (!(error instanceof GrammyError)) return { is: 'unavailable', said: String(error) }
  const { error_code, description } = error
  if (description.includes('CHARGE_ALREADY_REFUNDED')) return { is: 'done' }
  return { is: error_code === 400 ? 'refused' : 'unavailable', said: description }
}

// Runs after the notice about a top-up was sent: deletes the invoice or the payment link, and offers again what the balance was too short
// for: the card, the question, or the wallet of a group.

/** Never throws: after an error the queue would send the notice a second time. */
export async function afterTopUp(deps: BotDeps, api: Api, notice: Notice, say: Say): Promise<void> {
  const { userId, kind } = notice
  try {
    if (kind === 'credited' || kind === 'not-paid') await removePayMessages(deps, api, userId)
    if (kind !== 'credited') return
    const draft = await takeAwaiting(deps.db, userId)
    if (draft) await sendCard(deps, api, draft, say)
    else if (!(await offerUnpaid(deps, api, userId, say))) await offerToFund(deps, api, notice, say)
  } catch (error) {
    deps.log.warn({ notice: notice.key, error }, 'follow-up of a top-up failed')
  }
}
