// A payment that is refunded after its credit was spent, as its payer sees it: the sum taken, the debt, and how it is paid.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/ledger/audit.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '0', REFERRAL_BONUS: '25' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** Pays on the page of YooKassa. @returns the id of the payment */
async function paysFor(user: SandboxUser, roubles: number): Promise<string> {
  await user.sends(`/topup ${roubles}`)
  await user.sees(/pay ₽|оплатить/)
  await user.taps(/YooKassa|ЮKassa/)
  const { url = '' } = await user.taps(/^(Pay|Оплатить)/)
  const id = new URL(url).searchParams.get('orderId') ?? ''
  await sandbox.post(`/api/yookassa/payments/${id}`, { action: 'pay' })
  return id
}
const refundsInCabinet = (id: string) => sandbox.post(`/api/yookassa/payments/${id}`, { action: 'refund' })

/** Orders one picture, which costs ₽5.28. */
async function ordersPicture(user: SandboxUser): Promise<void> {
  await user.sends('/image a cat')
  await user.sees(/a cat/)
  await user.taps(/^(Generate|Создать)/)
  await user.sees(({ photo, document }) => photo !== undefined || document !== undefined)
}

describe('a payment that is refunded after a part of its credit was spent', () => {
  let anna: SandboxUser
  beforeAll(async () => {
    anna = await sandbox.user('Anna')
    const id = await paysFor(anna, 500)
    await anna.sees(/₽500.00 added/)
    await ordersPicture(anna)
    await refundsInCabinet(id)
  })

  it('is told with the sum taken and the debt', async () => {
    await anna.sees(
      /refunded, and ₽500.00 was taken off the balance\.\s+You owe ₽5.28: your next top-ups cover it first/,
    )
  })

  it('is shown as a debt by /balance and /statement, never as a negative balance', async () => {
    await anna.sends('/balance')
    await anna.sees(/^You owe ₽5.28: your next top-ups cover it first$/)
    await anna.sends('/statement')
    await anna.sees(/Refund of a payment.*\n\nYou owe ₽5.28/s)
  })

  it('refuses orders and answers, which say what of the missing sum is a debt, and offer to top up', async () => {
    await anna.sends('/image a dog')
    const card = await anna.sees(/a dog[\s\S]*You’re ₽10.56 \(₽5.28 of it is a debt\) short/)
    expect(JSON.stringify(card)).toContain('Top up')
    await anna.sends('/chat What is the capital of France?')
    await anna.sees(/you’re ₽[\d.]+ \(₽5.28 of it is a debt\) short/)
  })

  it('keeps the account: /delete_me names the debt and how to pay it', async () => {
    await anna.sends('/delete_me')
    await anna.sees(/You owe ₽5.28:[\s\S]*\/topup, then repeat \/delete_me/)
  })

  it('is paid by a promo code and a payment, and orders are accepted again', async () => {
    const amounts = { amount: 5_00n, maxUses: 1, createdAt: new Date() }
    await makePromos(sandbox.app.db, { code: 'FIVE', ...amounts })
    await anna.sends('/promo FIVE')
    await anna.sees(/₽5.00 added\.\s+You owe ₽0.28/)
    await paysFor(anna, 100)
    await anna.sees(/₽100.00 added\.\s+Balance: ₽99.72/)
    await ordersPicture(anna)
  })
})

it('a debt is explained in Russian, too', async () => {
  const boris = await sandbox.user('Борис', 'ru')
  const id = await paysFor(boris, 500)
  await boris.sees(/Зачислено 500,00 ₽/)
  await ordersPicture(boris)
  await refundsInCabinet(id)
  await boris.sees(/с баланса списано 500,00 ₽\.\s+Долг: 5,28 ₽, его сначала покроют следующие пополнения/)
  await boris.sends('/image собака')
  await boris.sees(/Не хватает: 10,56 ₽ \(из них 5,28 ₽ — долг\)/)
})

it('the inviter reads why the bonus is taken back', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/invite')
  const [, code = ''] = /start=(ref_[0-9a-z]+)/.exec((await clara.sees(/start=ref_/)).text ?? '') ?? []
  const dora = await sandbox.user('Dora')
  await dora.sends(`/start ${code}`)
  await dora.sees(/Hello, Dora/)
  const id = await paysFor(dora, 500)
  await clara.sees(/A friend you invited has topped up, and you get ₽25.00/)
  await ordersPicture(clara)
  await refundsInCabinet(id)
  await clara.sees(/bonus of ₽25.00 was taken off your balance\.\s+You owe ₽5.28/)
  await clara.sends('/statement')
  await clara.sees(/Bonus for a friend taken back/)
})
