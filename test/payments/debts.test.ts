// A payment that is refunded after its credit was spent, as its payer sees it: the sum taken, the debt, and how it is paid.

import { afterAll, expect, it } from 'vitest'
import { audit } from '../../src/ledger/audit.ts'
import { openSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { makePromos } from '../support/worlds/promo-codes.ts'

const sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '0', REFERRAL_BONUS: '25' })
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

/** Pays on the page of YooKassa. @returns the id of the payment */
async function paysFor(user: SandboxUser, roubles: number): Promise<string> {
  await user.sends(`/topup ${roubles}`)
  await user.sees(/pay ₽/)
  await user.taps(/YooKassa/)
  const { url = '' } = await user.taps(/^Pay/)
  const id = new URL(url).searchParams.get('orderId') ?? ''
  await sandbox.post(`/api/yookassa/payments/${id}`, { action: 'pay' })
  return id
}

/** Orders one picture, which costs ₽5.28. */
async function ordersPicture(user: SandboxUser): Promise<void> {
  await user.sends('/image a cat')
  await user.sees(/a cat/)
  await user.taps(/^Generate/)
  await user.sees(({ photo, document }) => photo !== undefined || document !== undefined)
}

it('a debt is told, shown, refuses orders and the deletion of data, and is paid by what comes next', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/invite')
  const [, code = ''] = /start=(ref_[0-9a-z]+)/.exec((await clara.sees(/start=ref_/)).text ?? '') ?? []
  const anna = await sandbox.user('Anna')
  await anna.sends(`/start ${code}`)
  await anna.sees(/Hello, Anna/)
  const id = await paysFor(anna, 500)
  await anna.sees(/₽500 added/)
  await clara.sees(/A friend you invited has topped up, and you get ₽25/)
  for (const user of [anna, clara]) await ordersPicture(user)
  await sandbox.post(`/api/yookassa/payments/${id}`, { action: 'refund' })

  const debt = /₽500 was taken off the balance\.\s+You owe ₽5.28: your next top-ups cover it first/
  await anna.sees(debt)
  await clara.sees(/bonus of ₽25 was taken off your balance\.\s+You owe ₽5.28/)
  await clara.sends('/statement')
  await clara.sees(/Bonus for a friend taken back/)
  await anna.sends('/balance')
  await anna.sees(/^You owe ₽5.28: your next top-ups cover it first$/)
  await anna.sends('/statement')
  await anna.sees(/Refund of a payment.*\n\nYou owe ₽5.28/s)
  await anna.sends('/image a dog')
  const card = await anna.sees(/a dog[\s\S]*You’re ₽10.56 \(₽5.28 of it is a debt\) short/)
  expect(JSON.stringify(card)).toContain('Top up')
  await anna.sends('/chat What is the capital of France?')
  await anna.sees(/you’re ₽[\d.]+ \(₽5.28 of it is a debt\) short/)
  await anna.sends('/delete_me')
  await anna.sees(/You owe ₽5.28:[\s\S]*\/topup, then repeat \/delete_me/)

  await makePromos(sandbox.app.db, { code: 'FIVE', amount: 5_00n, maxUses: 1, createdAt: new Date() })
  await anna.sends('/promo FIVE')
  await anna.sees(/₽5 added\.\s+You owe ₽0.28/)
  await paysFor(anna, 100)
  await anna.sees(/₽100 added\.\s+Balance: ₽99.72/)
  await ordersPicture(anna)
})
