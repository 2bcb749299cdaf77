// Amounts below the least sum of Telegram's rouble invoices are neither offered nor accepted for them.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topUps } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage } from '../../support/users/user.ts'

let sandbox: TestSandbox
let both: TestSandbox
const invoicesOnly = { YOOKASSA_SHOP_ID: '', YOOKASSA_SECRET_KEY: '' }

beforeAll(async () => {
  const roubles = { ...invoicesOnly, TOPUP_ROUBLES_PER_STAR: '', WELCOME_CREDIT: '80.45' }
  sandbox = await openSandbox('postgres', roubles)
  both = await openSandbox('postgres', invoicesOnly)
})
afterAll(() => Promise.all([sandbox.stop(), both.stop()]))

const isInvoiceIn = (currency: string) => (message: SandboxMessage) => message.invoice?.currency === currency
const statesOf = async (chatId: number) => {
  const found = await sandbox.app.db.select().from(topUps).where(eq(topUps.chatId, chatId))
  return found.map(({ state }) => state)
}

it('when 12 ₽ are missing, the card offers a top-up of 100 ₽, the least amount of a rouble invoice', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video a cat')
  await anna.taps('💳 Top up ₽100')
  await anna.pays(await anna.sees(isInvoiceIn('RUB')))
  await anna.seesButton('Generate · ₽92.45')
})

it('a typed amount below the least amount of a rouble invoice is refused, and opens no top-up', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/topup')
  await boris.sees('How much? From ₽100')
  await boris.sends('/topup 60')
  await boris.sees('₽60 is outside the limits. You can top up from ₽100')
  expect(await statesOf(boris.id)).toEqual([])
})

it('an invoice whose amount Telegram refuses is answered with what to do, and its top-up is closed', async () => {
  const clara = await sandbox.user('Clara')
  const description = 'Bad Request: CURRENCY_TOTAL_AMOUNT_INVALID'
  await sandbox.breaks('telegram', 'sendInvoice', { kind: 'error', status: 400, description })
  await clara.sends('/topup 100')
  await clara.sees('Telegram doesn’t take a payment of ₽100 this way')
  expect(await statesOf(clara.id)).toEqual(['expired'])
  await clara.sends('200')
  await clara.sees(isInvoiceIn('RUB'))
})

it('an amount that only one way to pay takes is paid that way, and an old button of another way is refused', async () => {
  const dora = await both.user('Dora')
  await dora.sends('/topup')
  await dora.sees('From ₽50')
  await dora.sends('/topup 60')
  await dora.sees(isInvoiceIn('XTR'))
  await dora.sends('/topup 100')
  const ways = await dora.sees('How would you like to pay ₽100?')
  expect(labelsOf(ways)).toHaveLength(2)
  await dora.tapsData(ways.message_id, 't:6000:telegram-rub')
  await dora.sees('₽60 is outside the limits. You can top up from ₽100')
})
