// Top-ups, the limits of each way to pay, and promo codes, as they are typed after the command or in the next message.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageNotes, topUps } from '../../../src/db/schema.ts'
import { turnsIn } from '../../support/users/order.ts'
import { openSandbox, sharedSandbox, type TestSandbox, withoutLinks } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'
import { makePromos } from '../../support/worlds/promo-codes.ts'

const sandbox = await sharedSandbox()

describe('An amount', () => {
  let anna: SandboxUser

  beforeEach(async () => {
    anna = await sandbox.user('Anna')
    await anna.asks('/topup', 'How much?')
  })

  const paying = (amount: string) => `How would you like to pay ₽${amount}?`

  it('what is no amount, or outside of the limits, is refused with what fits and is no question to the text model', async () => {
    const unread = 'I couldn’t read the amount. Write the number of roubles'
    const rows = [
      ['1,00,0', unread],
      ['seven hundred', / from ₽50 to ₽[\d,.]+,/],
      ['7', 'You can top up from ₽50'],
      ['/topup abc', unread],
      ['/topup 1', 'You can top up from ₽50'],
      ['750,00 ₽', paying('750')],
      ['800', /Choose above how to pay/],
    ] as const
    for (const [typed, told] of rows) await anna.asks(typed, told)
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('sixteen minutes after the question, a number is a question to the text model', async () => {
    const createdAt = new Date(Date.now() - 16 * 60_000)
    const later = sandbox.app.db.update(messageNotes).set({ createdAt })
    await expect.poll(() => later.where(eq(messageNotes.chatId, anna.id)).returning()).toHaveLength(1)
    await anna.asks('750', /the short answer/)
  })

  it('a number answers what was opened last: a command, or an amount while a guide waits, which goes on waiting', async () => {
    await anna.asks('/video', /For example/)
    await anna.asks('500', /Prompt: 500/)
    await anna.opens('/image a cat', '⚙️ More', '🪜 Step by step')
    await anna.sees(/Price/)
    await anna.asks('/topup', 'How much?')
    await anna.asks('500', paying('500'))
    await anna.opens('16:9', '✅ Enough, show the price')
    await anna.seesButton(/16:9$/)
  })

  it('the eleventh unpaid payment link is refused', async () => {
    const { db } = sandbox.app
    await anna.opens('500', /YooKassa/)
    await anna.seesButton(/^Pay /)
    const [one] = await db.select().from(topUps).where(eq(topUps.chatId, anna.id))
    if (!one) throw new Error('the link has a top-up')
    const copies = Array.from({ length: 9 }, (_, at) => `${one.id}-${at}`)
    await db.insert(topUps).values(copies.map((id) => ({ ...one, id, externalId: id })))
    await anna.opens('/topup 300', /YooKassa/)
    await anna.sees('You already have 10 unpaid payment links. Pay by one of them above')
  })
})

describe('Telegram’s rouble invoices, which have a least sum:', () => {
  let sandbox: TestSandbox
  let both: TestSandbox

  beforeAll(async () => {
    const roubles = { ...withoutLinks, TOPUP_ROUBLES_PER_STAR: '', WELCOME_CREDIT: '80.45' }
    sandbox = await openSandbox('postgres', roubles)
    both = await openSandbox('postgres', withoutLinks)
  })
  afterAll(() => Promise.all([sandbox.stop(), both.stop()]))

  const isInvoiceIn = (currency: string) => (message: SandboxMessage) =>
    message.invoice?.currency === currency
  const statesOf = async (chatId: number) => {
    const found = await sandbox.app.db.select().from(topUps).where(eq(topUps.chatId, chatId))
    return found.map(({ state }) => state)
  }

  it('when 12 ₽ are missing, the card offers a top-up of 100 ₽, the least amount of a rouble invoice', async () => {
    const anna = await sandbox.user('Anna')
    await anna.opens('/video a cat', '💳 Top up ₽100')
    await anna.pays(await anna.sees(isInvoiceIn('RUB')))
    await anna.seesButton('Generate · ₽92.45')
  })

  it('a typed amount below the least amount of a rouble invoice is refused, and opens no top-up', async () => {
    const boris = await sandbox.user('Boris')
    await boris.asks('/topup', 'How much? From ₽100')
    await boris.asks('/topup 60', '₽60 is outside the limits. You can top up from ₽100')
    expect(await statesOf(boris.id)).toEqual([])
  })

  it('an invoice whose amount Telegram refuses is answered with what to do, and its top-up is closed', async () => {
    const clara = await sandbox.user('Clara')
    const description = 'Bad Request: CURRENCY_TOTAL_AMOUNT_INVALID'
    await sandbox.breaks('telegram', 'sendInvoice', { kind: 'error', status: 400, description })
    await clara.asks('/topup 100', 'Telegram doesn’t take a payment of ₽100 this way')
    expect(await statesOf(clara.id)).toEqual(['expired'])
    await clara.asks('200', isInvoiceIn('RUB'))
  })

  it('an amount that only one way to pay takes is paid that way, and an old button of another way is refused', async () => {
    const dora = await both.user('Dora')
    await dora.asks('/topup', 'From ₽50')
    await dora.asks('/topup 60', isInvoiceIn('XTR'))
    const ways = await dora.asks('/topup 100', 'How would you like to pay ₽100?')
    expect(labelsOf(ways)).toHaveLength(2)
    await dora.tapsData(ways.message_id, 't:6000:telegram-rub')
    await dora.sees('₽60 is outside the limits. You can top up from ₽100')
  })
})

describe('A promo code:', async () => {
  let anna: SandboxUser

  beforeAll(async () => {
    const amounts = { amount: 50_00n, maxUses: 100, createdAt: new Date() }
    await makePromos(sandbox.app.db, { code: 'SUMMER', ...amounts })
  })
  beforeEach(async () => {
    anna = await sandbox.user('Anna')
  })

  const asked = 'What’s your promo code?'
  const unknown = 'There is no such promo code.'
  const given = /₽50 added/
  const isGone = (text: string) =>
    expect.poll(async () => (await anna.transcript()).includes(text)).toBe(false)

  it('a code is redeemed after the command, which closes the open question, and once only', async () => {
    await anna.asks('/promo', asked)
    await anna.asks('/promo summer', given)
    await isGone(asked)
    expect(labelsOf(await anna.asks('/promo SUMMER', /already used this promo code/))).toEqual([])
    await anna.asks('Thanks', /About “Thanks/)
  })

  it('a wrong code is answered with the question for another one, which the next message answers', async () => {
    expect(labelsOf(await anna.asks('/promo SUMER', unknown))).toEqual(['✖ Cancel'])
    await anna.asks(' Summer ', given)
    await isGone(unknown)
    expect(await anna.balance()).toBe('₽550')
  })

  it('words beside a menu or a card that was opened since are no code, and the question for one closes', async () => {
    for (const [open, seen] of [
      ['/settings', /Settings/],
      ['/image a fox', /Prompt: a fox/],
    ] as const) {
      await anna.asks('/promo', asked)
      await anna.asks(open, seen)
      await anna.sends('SUMMER')
      await anna.seesButton(/^💬 .* · ≈ ₽0\.\d\d$/)
      await isGone(asked)
    }
    await anna.asks('/promo summer', given)
  })

  it('five wrong codes end the question; words that cannot be a code, and a sticker, do not count and leave it open', async () => {
    const { message_id: reply_to } = await anna.asks('/promo', asked)
    for (let times = 0; times < 3; times += 1) await anna.asks('Is it SUMMER?', unknown, { reply_to })
    for (let times = 0; times < 3; times += 1) await anna.asks('/promo Is it SUMMER?', unknown)
    await anna.sendsFile({ bytes: Buffer.from('RIFF'), name: 'cat.webp' })
    for (const code of ['A1', 'A2', 'A3', 'A4', 'A5']) await anna.asks(code, unknown)
    await anna.asks('SUMMER', 'Try again in an hour')
  })

  it('when the question is cancelled, a code in the next message is a question to the text model and is not redeemed', async () => {
    await anna.asks('/promo', asked)
    await anna.taps('✖ Cancel')
    await isGone(asked)
    await anna.asks('SUMMER', /About “SUMMER/)
    expect(await anna.transcript()).not.toMatch(/₽50 added|There is no such promo code/)
  })
})
