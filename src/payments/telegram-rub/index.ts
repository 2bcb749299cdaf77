// A Telegram invoice in roubles, through the token of a payment provider. Telegram's terms for digital goods do not allow it by
// default, so it is on only when the operator sets a token. The Bot API cannot refund it: the operator does that in the
// provider's cabinet.

import { z } from 'zod'
import {
  type Charge,
  commission,
  type InvoiceExtras,
  inRoubles,
  type ProviderContext,
  type ProviderKind,
  worthOfKopecks,
} from '../provider.ts'
import { receiptItems } from '../receipt.ts'

export const telegramRub: ProviderKind = {
  invoiceCurrency: 'RUB',
  /**
   * Telegram refuses invoices below about one US dollar, at a rate that it changes: 86.53 roubles in one copy of
   * https://core.telegram.org/bots/payments/currencies.json.
   */
  minCredit: 100_00n,
  environment: z
    .object({
      TOPUP_RUB_PROVIDER_TOKEN: z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'write the token that BotFather gave you for your payment provider')
        .optional(),
      TOPUP_RUB_COMMISSION: commission,
    })
    .transform(({ TOPUP_RUB_PROVIDER_TOKEN: token, TOPUP_RUB_COMMISSION: taken }) =>
      token === undefined
        ? undefined
        : {
            secrets: [token],
            worth: worthOfKopecks(taken),
            create: ({ vatCode }: ProviderContext) => ({
              charge: inRoubles,
              way: {
                by: 'invoice' as const,
                token,
                extras: (charge: Charge, item: string) => receiptExtras(charge, item, vatCode),
              },
            }),
          },
    ),
}

/** Telegram asks for the e-mail address of the receipt and passes it to the provider. */
function receiptExtras(charge: Charge, item: string, vatCode: number | undefined): InvoiceExtras {
  if (vatCode === undefined) return {}
  const receipt = { items: receiptItems(charge, item, vatCode) }
  return { provider_data: JSON.stringify({ receipt }), need_email: true, send_email_to_provider: true }
}
