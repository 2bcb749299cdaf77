// Promo codes that are typed after /promo or in the next message.

import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../../support/users/user.ts'
import { makePromos } from '../../support/worlds/promo-codes.ts'

const sandbox = await sharedSandbox()
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
const isGone = (text: string) => expect.poll(async () => (await anna.transcript()).includes(text)).toBe(false)

it('a code is redeemed after the command, which closes the open question, and once only', async () => {
  await anna.sends('/promo')
  await anna.sees(asked)
  await anna.sends('/promo summer')
  await anna.sees(given)
  await isGone(asked)
  await anna.sends('/promo SUMMER')
  expect(labelsOf(await anna.sees(/already used this promo code/))).toEqual([])
  await anna.sends('Thanks')
  await anna.sees(/About “Thanks/)
})

it('a wrong code is answered with the question for another one, which the next message answers', async () => {
  await anna.sends('/promo SUMER')
  expect(labelsOf(await anna.sees(unknown))).toEqual(['✖ Cancel'])
  await anna.sends(' Summer ')
  await anna.sees(given)
  await isGone(unknown)
  await anna.sends('/balance')
  await anna.sees(/^Balance: ₽550/)
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

it('words beside a menu or a card that was opened since are no code, and the question for one closes', async () => {
  for (const open of ['/settings', '/image a fox']) {
    await anna.sends('/promo')
    await anna.sees(asked)
    await anna.sends(open)
    await anna.sees(open === '/settings' ? /Settings/ : /Prompt: a fox/)
    await anna.sends('SUMMER')
    await anna.seesButton(/^💬 .* · ≈ ₽0\.\d\d$/)
    await isGone(asked)
  }
  await anna.sends('/promo summer')
  await anna.sees(given)
})

it('a sticker, and words that cannot be a code, do not count as wrong codes, and the question stays open', async () => {
  await anna.sends('/promo')
  const { message_id: question } = await anna.sees(asked)
  const wrong = 'Is it SUMMER?'
  for (const words of [wrong, wrong, wrong, ...Array.from({ length: 3 }, () => `/promo ${wrong}`)]) {
    const place = words === wrong ? { reply_to: question } : {}
    const { message_id: said } = await anna.sends(words, place)
    await anna.sees(({ message_id, text }) => message_id > said && text?.includes(unknown) === true)
  }
  await anna.sendsFile({ bytes: Buffer.from('RIFF'), name: 'cat.webp' })
  await anna.sends('SUMMER')
  await anna.sees(given)
})

it('when the question is cancelled, a code in the next message is a question to the text model and is not redeemed', async () => {
  await anna.sends('/promo')
  await anna.sees(asked)
  await anna.taps('✖ Cancel')
  await isGone(asked)
  await anna.sends('SUMMER')
  await anna.sees(/About “SUMMER/)
  expect(await anna.transcript()).not.toMatch(/₽50 added|There is no such promo code/)
})
