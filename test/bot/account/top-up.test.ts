// Amounts that are typed after the question how much to top up, and the limit of unpaid links.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { messageNotes, topUps } from '../../../src/db/schema.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser

beforeEach(async () => {
  anna = await sandbox.user('Anna')
  await anna.sends('/topup')
  await anna.sees('How much?')
})

const answer = /the short answer/
const isPaid = (amount: string) => anna.sees(`How would you like to pay ₽${amount}?`)
const isNotAsked = async () =>
  expect((await anna.chat()).some(({ text = '' }) => answer.test(text))).toBe(false)
const opensDuration = async () => {
  await anna.sends('/video a cat')
  await anna.taps(/^Duration/)
  await anna.seesButton('‹ Back')
}

it('what is no amount, or outside of the limits, is refused with what fits and is no question to the text model', async () => {
  const unread = 'I couldn’t read the amount. Write the number of roubles'
  const rows = [
    ['1,00,0', unread],
    ['seven hundred', / from ₽50 to ₽[\d,.]+,/],
    ['7', 'You can top up from ₽50'],
    ['/topup abc', unread],
    ['/topup 1', 'You can top up from ₽50'],
  ] as const
  for (const [typed, told] of rows) {
    const { message_id: said } = await anna.sends(typed)
    const refusal = await anna.sees(({ message_id, from }) => message_id > said && from?.is_bot === true)
    expect(refusal.text).toMatch(told)
  }
  await anna.sends('750,00 ₽')
  await isPaid('750')
  await isNotAsked()
  await anna.sends('800')
  await anna.sees(/Choose above how to pay/)
})

it('a command leaves the question: words after it go to the text model', async () => {
  await anna.sends('/chat')
  await anna.sends('seven hundred')
  await anna.sees(answer)
})

it('after a tap on a ready-made amount, a number is no amount', async () => {
  await anna.taps('₽300')
  await isPaid('300')
  await anna.sends('750')
  await anna.sees(/Choose above how to pay/)
})

it('sixteen minutes after the question, a number is a question to the text model', async () => {
  const createdAt = new Date(Date.now() - 16 * 60_000)
  const later = sandbox.app.db.update(messageNotes).set({ createdAt })
  await expect.poll(() => later.where(eq(messageNotes.chatId, anna.id)).returning()).toHaveLength(1)
  await anna.sends('750')
  await anna.sees(answer)
})

describe('a number answers what was opened last:', () => {
  const asksHowMuch = async () => {
    const before = await anna.sees('How much?')
    await anna.sends('/topup')
    await anna.sees(({ message_id, text }) => message_id > before.message_id && /How much/.test(text ?? ''))
  }

  it('the page of a setting, and an amount after the question was asked again', async () => {
    await opensDuration()
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
    await anna.taps(/^Duration/)
    await anna.seesButton('‹ Back')
    await asksHowMuch()
    await anna.sends('500')
    await isPaid('500')
    await isNotAsked()
  })

  it('a command that was sent later', async () => {
    await anna.sends('/video')
    await anna.sees(/For example/)
    await anna.sends('500')
    await anna.sees(/Prompt: 500/)
  })

  it('an amount while a guide waits, which goes on waiting', async () => {
    await anna.sends('/image a cat')
    await anna.taps('⚙️ More')
    await anna.taps('🪜 Step by step')
    await anna.sees(/Price/)
    await asksHowMuch()
    await anna.sends('500')
    await isPaid('500')
    await anna.sends('16:9')
    await anna.taps('✅ Enough, show the price')
    await anna.seesButton(/16:9$/)
  })

  it('an amount while the question for a prompt is open', async () => {
    await anna.sends('/video a cat')
    await anna.taps('✏️ Prompt')
    await anna.sees(/Prompt[\s\S]*a cat/)
    await asksHowMuch()
    await anna.sends('500')
    await isPaid('500')
  })
})

it('the eleventh unpaid payment link is refused', async () => {
  const { db } = sandbox.app
  await anna.sends('500')
  await anna.taps(/YooKassa/)
  await anna.seesButton(/^Pay /)
  const [one] = await db.select().from(topUps).where(eq(topUps.chatId, anna.id))
  if (!one) throw new Error('the link has a top-up')
  const copies = Array.from({ length: 9 }, (_, at) => `${one.id}-${at}`)
  await db.insert(topUps).values(copies.map((id) => ({ ...one, id, externalId: id })))
  await anna.sends('/topup 300')
  await anna.taps(/YooKassa/)
  await anna.sees('You already have 10 unpaid payment links. Pay by one of them above')
})
