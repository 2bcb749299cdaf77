// Receipts of a self-employed operator as the payer and the operator see them.

import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { taxReceipts } from '../../src/db/schema.ts'
import { taxPassword } from '../../src/sandbox/payments/tax.ts'
import { openDesk } from '../support/users/desk.ts'
import type { SandboxUser } from '../support/users/user.ts'

const account = { SELF_EMPLOYED_INN: '770012345678', SELF_EMPLOYED_PASSWORD: taxPassword }
const { sandbox, boss, desk } = await openDesk({ ...account, TOPUP_ROUBLES_PER_STAR: '' })
afterAll(() => desk.close())

const page = z.object({
  name: z.string(),
  totalAmount: z.number(),
  cancellationInfo: z.object({ comment: z.string() }).nullable(),
})

/** As if the last registration were long ago, so that the list shows it. */
const later = () => sandbox.app.db.update(taxReceipts).set({ sentAt: null })

/** The link in a message about a receipt, and what its page says. */
async function receiptIn(user: SandboxUser, words: RegExp) {
  const { entities = [] } = await user.sees(words)
  const [url = ''] = entities.flatMap((one) => ('url' in one ? [String(one.url)] : []))
  return { url, read: async () => page.parse(await (await fetch(url)).json()) }
}

it.each([
  ['en', 500, /How would you like to pay/, 'Pay ₽500', /receipt for ₽500/, /receipt for ₽380/],
  ['ru', 600, /Как оплатить/, 'Оплатить 600 ₽', /чек на 600 ₽/, /чек на 480 ₽/],
] as const)(
  '%s: the payer gets the receipt, after a refund one for the rest, and the desk shows them',
  async (language, sum, ways, pay, given, left) => {
    const user = await desk.newUser('Anna', language)
    await user.sends(`/topup ${sum}`)
    await user.sees(ways)
    await user.taps(/YooKassa|ЮKassa/)
    const { url = '' } = await user.taps(pay)
    await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) })
    const whole = await receiptIn(user, given)
    const { name, ...facts } = await whole.read()
    expect(facts).toEqual({ totalAmount: sum, cancellationInfo: null })
    const [, number = ''] = /^Пополнение баланса № (\w{10})$/.exec(name) ?? []

    const showsAtDesk = async (line: string) => {
      await desk.opens(user)
      return JSON.stringify(await boss.tapsFor('💳 Payments', new RegExp(`₽${sum} · [^]*🧾 ${line}`)))
    }
    expect(await showsAtDesk(`Receipt for ₽${sum}`)).toContain(whole.url)
    await later()
    await desk.does(`/refund_payment ${number} 120 by mistake`, /Refund ₽120/, /Refunded: ₽120/)
    const rest = await receiptIn(user, left)
    expect(await rest.read()).toMatchObject({ totalAmount: sum - 120, cancellationInfo: null })
    expect(await whole.read()).toMatchObject({ cancellationInfo: { comment: 'Возврат средств' } })
    await later()
    await desk.does(`/refund_payment ${number} the rest`, /Refund the payment of/, /Refunded/)
    await expect.poll(async () => (await rest.read()).cancellationInfo).not.toBeNull()
    await showsAtDesk('No receipt: the payment was refunded')
  },
)
