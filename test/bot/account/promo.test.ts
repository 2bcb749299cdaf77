// Promo codes that are typed after the command, or in the message after it.

import { afterAll, beforeAll, beforeEach, it } from 'vitest'
import { promoCodes } from '../../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

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
