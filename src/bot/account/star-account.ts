// The Stars account of the bot at Telegram, behind the interface that payments use.

import { type Api, GrammyError } from 'grammy'
import type { StarTransaction } from 'grammy/types'
import { type Movement, pageSize, type RefundOutcome, type StarAccount } from '../../payments/provider.ts'

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
