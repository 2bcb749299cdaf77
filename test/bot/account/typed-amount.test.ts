// Amounts that are typed after the question how much to top up.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageNotes } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())

beforeEach(async () => {
  anna = await sandbox.user('Anna')
  await anna.sends('/topup')
  await anna.sees('How much?')
})

const answer = /the short answer/

describe('after the question how much to top up,', () => {
  it.each(['750', '750 руб', '₽750.00', '750,00 ₽'])('“%s” is the amount', async (typed) => {
    await anna.sends(typed)
    await anna.sees('How would you like to pay ₽750.00?')
  })

  it.each(['1,000', '1.000', '1 000', "1'000", '1.000,00'])('“%s” is one thousand roubles', async (typed) => {
    await anna.sends(typed)
    await anna.sees('How would you like to pay ₽1,000.00?')
  })

  it.each(['1,00,0', '12 34'])(
    '“%s” is refused with the accepted format, and is no question to the text model',
    async (typed) => {
      await anna.sends(typed)
      await anna.sees('I couldn’t read the amount. Write the number of roubles')
      await anna.sends('100')
      await anna.sees('How would you like to pay ₽100.00?')
    },
  )

  it('an amount outside of the limits is refused, and the next message can correct it', async () => {
    await anna.sends('7')
    await anna.sees('You can top up from ₽50.00')
    await anna.sends('70')
    await anna.sees('How would you like to pay ₽70.00?')
  })

  it('the question takes one amount; a second number is offered to the text model', async () => {
    await anna.sends('750')
    await anna.sees('How would you like to pay ₽750.00?')
    await anna.sends('800')
    await anna.sees(/Choose above how to pay/)
  })

  it('the question takes one amount, also when it was asked several times', async () => {
    await anna.sends('/topup')
    await anna.sends('7')
    await anna.sees('You can top up from ₽50.00')
    await anna.sends('750')
    await anna.sees('How would you like to pay ₽750.00?')
    await anna.sends('800')
    await anna.sees(/Choose above how to pay/)
  })

  it('other words are refused with the amounts that fit, and are no question to the text model', async () => {
    await anna.sends('seven hundred')
    await anna.sees(/I couldn’t read the amount.* from ₽50.00 to ₽[\d,.]+,/)
    await anna.sends('700')
    await anna.sees('How would you like to pay ₽700.00?')
    expect((await anna.chat()).some(({ text = '' }) => answer.test(text))).toBe(false)
  })

  it('a command leaves the question: words after it go to the text model', async () => {
    await anna.sends('/chat')
    await anna.sends('seven hundred')
    await anna.sees(answer)
  })

  it('a number is the value of a setting whose page was opened later', async () => {
    await anna.sends('/video a cat')
    await anna.taps(/^Duration/)
    await anna.seesButton('‹ Back')
    await anna.sends('10')
    await anna.seesButton('Duration: 10 s')
  })
})

it('after a tap on a ready-made amount, a number is no amount', async () => {
  await anna.taps('₽300.00')
  await anna.sees('How would you like to pay ₽300.00?')
  await anna.sends('750')
  await anna.sees(/Choose above how to pay/)
})

it('sixteen minutes after the question how much to top up, a number is a question to the text model', async () => {
  const createdAt = new Date(Date.now() - 16 * 60_000)
  const later = sandbox.app.db.update(messageNotes).set({ createdAt })
  await expect.poll(() => later.where(eq(messageNotes.chatId, anna.id)).returning()).toHaveLength(1)
  await anna.sends('750')
  await anna.sees(answer)
})

it.each(['/topup abc', '/topup 1'])(
  'after a refused “%s”, the next message is taken as the amount',
  async (command) => {
    const boris = await sandbox.user('Boris')
    await boris.sends(command)
    await boris.sees(/couldn’t read the amount|You can top up from/)
    await boris.sends('500')
    await boris.sees('How would you like to pay ₽500.00?')
  },
)

it('an amount is a top-up even while an older page of a setting is open', async () => {
  await anna.sends('/video a cat')
  await anna.taps(/^Duration/)
  await anna.seesButton('‹ Back')
  await anna.sends('/topup')
  await anna.sees('How much?')
  await anna.sends('500')
  await anna.sees('How would you like to pay ₽500.00?')
  expect((await anna.chat()).some(({ text = '' }) => answer.test(text))).toBe(false)
})

describe('an amount typed after How much? is a top-up', () => {
  const asksHowMuch = async () => {
    const before = await anna.sees('How much?')
    await anna.sends('/topup')
    await anna.sees(({ message_id, text }) => message_id > before.message_id && /How much/.test(text ?? ''))
  }

  it('while the guide waits, which goes on waiting', async () => {
    await anna.sends('/video')
    await anna.sees(/step 1 of/)
    await asksHowMuch()
    await anna.sends('500')
    await anna.sees('How would you like to pay ₽500.00?')
    await anna.sends('a cat surfing')
    await anna.sees(/step 2 of/)
    await anna.taps('✅ Show the card')
    await anna.sees(/Prompt: a cat surfing/)
  })

  it('while the question for a prompt is open', async () => {
    await anna.sends('/video a cat')
    await anna.taps('✏️ Prompt')
    await anna.sees(/Prompt[\s\S]*a cat/)
    await asksHowMuch()
    await anna.sends('500')
    await anna.sees('How would you like to pay ₽500.00?')
  })

  it('while the guide waits and an older page of a setting is open', async () => {
    await anna.sends('/image')
    await anna.sees(/step 1 of/)
    await anna.sends('/video a cat')
    await anna.taps(/^Duration/)
    await anna.seesButton('‹ Back')
    await asksHowMuch()
    await anna.sends('70')
    await anna.sees('How would you like to pay ₽70.00?')
  })
})

it('a number is the answer to a guide that was begun after the question how much to top up', async () => {
  await anna.sends('/video')
  await anna.sees(/step 1 of/)
  await anna.sends('500')
  await anna.sees(/step 2 of/)
})
