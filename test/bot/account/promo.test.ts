// Promo codes that are typed after /promo or in the next message.

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

it('a code in the message after /promo is redeemed, also after a wrong one', async () => {
  await anna.sends('/promo')
  await anna.sees(asked)
  await anna.sends('SUMER')
  await anna.sees(unknown)
  await anna.sends(' Summer ')
  await anna.sees(given)
  await anna.sends('/balance')
  await anna.sees(given)
})

it('a sticker in place of a code does not count as a wrong code, and the question stays open', async () => {
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

const isGone = (text: string) => expect.poll(async () => (await anna.transcript()).includes(text)).toBe(false)

describe('the question for a code', () => {
  beforeEach(async () => {
    await anna.sends('/promo')
    await anna.sees(asked)
  })

  it('when a code after the command is redeemed; the next text is a question to the text model', async () => {
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
    await isGone(asked)
    await anna.sends('Thanks')
    await anna.sees(/About “Thanks/)
  })

  it('when it is cancelled; a code in the next message is a question to the text model and is not redeemed', async () => {
    await anna.taps('✖ Cancel')
    await isGone(asked)
    await anna.sends('SUMMER')
    await anna.sees(/About “SUMMER/)
    expect(await anna.transcript()).not.toMatch(/₽50\.00|There is no such promo code/)
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
  })

  it('stays open after a reply that cannot be a code, which does not count as a wrong code', async () => {
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
  it('is answered with the question for another code, and the next message with the right code redeems it', async () => {
    await anna.sends('/promo SUMER')
    expect(labelsOf(await anna.sees(unknown))).toEqual(['✖ Cancel'])
    await anna.sends('SUMMER')
    await anna.sees(given)
    await isGone(unknown)
    expect(await anna.transcript()).not.toContain(asked)
  })

  it('does not count as a wrong code when the text cannot be a code', async () => {
    for (let times = 0; times < 6; times += 1) {
      const { message_id: said } = await anna.sends('/promo my code is SUMMER')
      await anna.sees(({ message_id: id, text }) => id > said && text?.includes(unknown) === true)
    }
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
  })

  it('is answered without a question for another code when the user has redeemed this code before', async () => {
    await anna.sends('/promo SUMMER')
    await anna.sees(given)
    await anna.sends('/promo SUMMER')
    expect(labelsOf(await anna.sees(/already used this promo code/))).toEqual([])
    await anna.sends('Thanks')
    await anna.sees(/About “Thanks/)
  })
})
