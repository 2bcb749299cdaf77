// Promo codes that are typed after the command, or in the message after it.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { promoCodes } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', {})
  const summer = { code: 'SUMMER', amount: 50_00n, maxUses: 100, createdAt: new Date() }
  await sandbox.app.db.insert(promoCodes).values(summer)
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const asked = 'Which promo code do you have?'
const unknown = 'There is no such promo code.'
const given = /₽50\.00/
const sticker = { bytes: Buffer.from('RIFF'), name: 'cat.webp' }

it('a code after the command is redeemed', async () => {
  await anna.sends('/promo summer')
  await anna.sees(given)
})

it('a code in the next message is redeemed, also after a wrong one', async () => {
  await anna.sends('/promo')
  await anna.sees(asked)
  await anna.sends('SUMER')
  await anna.sees(unknown)
  await anna.sends(' Summer ')
  await anna.sees(given)
  await anna.sends('/balance')
  await anna.sees(given)
})

it('a message without words is asked again, and is no wrong code', async () => {
  await anna.sends('/promo')
  await anna.sees(asked)
  for (let times = 0; times < 6; times += 1) await anna.sendsFile(sticker)
  await anna.sends('SUMMER')
  await anna.sees(given)
})

it('the question ends after five wrong codes', async () => {
  await anna.sends('/promo')
  await anna.sees(asked)
  for (const code of ['A1', 'A2', 'A3', 'A4', 'A5']) {
    await anna.sends(code)
    await anna.sees(unknown)
  }
  await anna.sends('SUMMER')
  await anna.sees('Try again in an hour')
})

it('a code is no answer after the question was closed', async () => {
  await anna.sends('/promo')
  await anna.taps('✖ Cancel')
  await anna.sends('/promo WRONG')
  await anna.sees(unknown)
})

const isGone = (text: string) =>
  expect.poll(async () => (await anna.transcript()).includes(text), { timeout: 10_000 }).toBe(false)

describe('the question for a code ends', () => {
  beforeEach(async () => {
    await anna.sends('/promo')
    await anna.sees(asked)
  })

  it('by a code after the command, and the next text is a question to the chat', async () => {
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
    await isGone(asked)
    await anna.sends('Thanks')
    await anna.sees(/About “Thanks/)
  })

  it('by a text that cannot be a code, which is a question to the chat and no wrong code', async () => {
    await anna.sends('Why is the sky blue?')
    await anna.sees(/About “Why is the sky blue/)
    await isGone(asked)
    await anna.sends('Wow!')
    await anna.sees(/About “Wow!/)
    expect(await anna.transcript()).not.toContain(unknown)
  })

  it('not by a reply that cannot be a code: it is asked again, and is no wrong code', async () => {
    const { message_id } = await anna.sees(asked)
    for (let times = 0; times < 6; times += 1) {
      const { message_id: said } = await anna.sends('Is it SUMMER?', { reply_to: message_id })
      await anna.sees(({ message_id: id, text }) => id > said && text?.includes(unknown) === true)
    }
    await anna.sends('SUMMER')
    await anna.sees(given)
  })
})

describe('a wrong code after the command', () => {
  it('is asked for again, and the right one is redeemed from the next message', async () => {
    await anna.sends('/promo SUMER')
    expect(labelsOf(await anna.sees(unknown))).toEqual(['✖ Cancel'])
    await anna.sends('SUMMER')
    await anna.sees(given)
    await isGone(unknown)
    expect(await anna.transcript()).not.toContain(asked)
  })

  it('is not counted when it cannot be a code', async () => {
    for (let times = 0; times < 6; times += 1) {
      const { message_id: said } = await anna.sends('/promo my code is SUMMER')
      await anna.sees(({ message_id: id, text }) => id > said && text?.includes(unknown) === true)
    }
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
  })

  it('asks for no other when the code was used before', async () => {
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
    await anna.sends('/promo SUMMER')
    expect(labelsOf(await anna.sees(/already used this promo code/))).toEqual([])
    await anna.sends('Thanks')
    await anna.sees(/About “Thanks/)
  })
})
