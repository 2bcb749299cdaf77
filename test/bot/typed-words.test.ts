// While something of the bot's waits for its user, typed words answer it or are offered to a text model with a price. They are never a paid
// question by themselves, also after the one-time consent to paid answers, which all users of these tests have given.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../src/db/schema.ts'
import { type Desk, openDesk } from '../support/users/desk.ts'
import { groupWithWallet, newGroup } from '../support/users/group.ts'
import { openReceipt, order, turnsIn } from '../support/users/order.ts'
import { png } from '../support/users/pictures.ts'
import type { TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let desk: Desk
let boss: SandboxUser
let anna: SandboxUser

beforeAll(async () => {
  ;({ sandbox, boss, desk } = await openDesk())
  await boss.sends('/start')
})
afterAll(() => desk.close())
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const asks = /^💬 Ask · ≈ ₽/
/** Waits until this many questions of the user are asked. */
const areAsked = (count: number) => expect.poll(() => turnsIn(sandbox, anna)).toHaveLength(count)
const nothingIsAsked = async () => expect(await turnsIn(sandbox, anna)).toEqual([])

/** Sends words and sees them offered with a price, and asked of nobody. */
async function offered(words: string, told: RegExp): Promise<void> {
  const before = (await turnsIn(sandbox, anna)).length
  const { message_id } = await anna.sends(words)
  const offer = await anna.sees((one) => one.reply_to_message?.message_id === message_id)
  expect(offer.text).toMatch(told)
  expect(labelsOf(offer).at(-1)).toMatch(asks)
  expect(await turnsIn(sandbox, anna)).toHaveLength(before)
}

describe('words beside a fresh card that has all it needs', () => {
  beforeEach(async () => {
    await anna.sends('/image a cat')
    await anna.seesButton(/^Generate/)
    await offered('no, make it night', /card is still open, so nothing was changed or charged/)
  })

  it('are added to the prompt, or replace it, after a tap', async () => {
    await anna.taps(/Add to the prompt/)
    await anna.sees(/Prompt: a cat\nno, make it night[\s\S]*Price/)
    await offered('a wolf', /card is still open/)
    await anna.taps(/Replace the prompt/)
    await anna.sees(/Prompt: a wolf[\s\S]*Price/)
    await nothingIsAsked()
  })

  it('are asked after a tap on the price; the next words are offered again', async () => {
    await anna.taps(asks)
    await anna.sees(/no, make it night/)
    await areAsked(1)
    await offered('and a dog', /card is still open/)
    const [hello] = await anna.chat()
    await anna.sends('what was that?', { reply_to: hello?.message_id ?? 0 })
    await areAsked(2)
  })

  it('are a question again once the card is ordered, or once its price no longer counts', async () => {
    await anna.taps(/^Generate/)
    await anna.sees(/Done in/)
    await anna.sends('why is the sky blue?')
    await areAsked(1)
    await anna.sends('/image a dog')
    await anna.sees(/a dog[\s\S]*Price/)
    const updatedAt = new Date(Date.now() - 16 * 60_000)
    await sandbox.app.db.update(drafts).set({ updatedAt }).where(eq(drafts.chatId, anna.id))
    await anna.sends('why is the sky blue?')
    await areAsked(2)
  })
})

it('words beside a card that lacks an answer become this answer', async () => {
  await anna.sends('/music a song about the sea')
  await anna.taps(/^Vocals/)
  await anna.taps(/^My own style/)
  await anna.sees(/Still needed: Style\. Write it here/)
  await anna.sends('soft pop')
  await anna.seesButton(/^Generate/)
  await anna.seesButton('Style: soft pop')
  await nothingIsAsked()
})

it('words beside a step of the guide that another command left answer the step', async () => {
  await anna.sends('/video a cat')
  await anna.taps('⚙️ More')
  await anna.taps('🪜 Step by step')
  await anna.seesButton('✅ Enough, show the price')
  await anna.taps('‹ Back')
  await anna.sees(/Write a message|Prompt/)
  await anna.sends('/help')
  await anna.sees(/What I can do/)
  const { message_id: said } = await anna.sends('a cat surfing')
  await anna.sees(({ message_id, text = '' }) => message_id > said && /Aspect ratio/.test(text))
  await nothingIsAsked()
})

describe('a complaint typed beside the reasons of a problem', () => {
  it('below a receipt reaches the operator in its words, free', async () => {
    await order(sandbox, anna, '/image a fox')
    await openReceipt(anna)
    await anna.taps(/Report a problem/)
    await anna.isTold(/or just write it/)
    await anna.sends('the fox has five legs')
    await anna.sees(/Thank you, I’ve passed it on/)
    await boss.sees('the fox has five legs')
    await nothingIsAsked()
    await anna.sends('thank you')
    await areAsked(1)
  })

  it('below a result goes there although an older question waits for its answer', async () => {
    await order(sandbox, anna, '/image a fox')
    await anna.sends('/promo')
    await anna.sees(/What’s your promo code/)
    await anna.taps(/^⋯/)
    await anna.taps('⚠️ Problem')
    await anna.isTold(/or just write it/)
    await anna.sends('it is a wolf')
    await boss.sees('it is a wolf')
    await nothingIsAsked()
  })

  it('in a group is a reply of the person who ordered; other words there are for nobody', async () => {
    const group = await newGroup(sandbox, { open: true })
    anna = group.anna
    await order(sandbox, anna, '/image a fox')
    await anna.taps(/^⋯/)
    await anna.taps('⚠️ Problem')
    await anna.isTold(/or just write it/)
    const { message_id: reply_to } = await anna.seesButton(/In my own words/)
    await anna.sends('Boris, look at this')
    await group.boris.sends('five legs?')
    await anna.sends('it has six legs', { reply_to })
    await anna.sees(/Thank you, I’ve passed it on/)
    await boss.sees('it has six legs')
    await nothingIsAsked()
  })
})

describe('words beside a menu say what is expected, and are asked only after a tap on the price:', () => {
  it.each([
    ['/delete_me', /Nothing was deleted or charged/],
    ['/settings', /Choose the language above/],
    ['/topup', /couldn’t read the amount/],
    ['/persona', /Choose the persona above/],
  ])('%s', async (command, told) => {
    await anna.sends(command)
    await anna.sees(({ from }) => from?.is_bot === true)
    await offered('what do you mean?', told)
    await anna.taps(asks)
    await areAsked(1)
    await anna.sends('why is the sky blue?')
    await areAsked(2)
  })

  it('the list of presets, unless it is empty', async () => {
    await anna.sends('/presets')
    await anna.sees(/no presets yet/)
    await anna.sends('what are presets?')
    await areAsked(1)
    await anna.sends('/image a cat')
    await anna.taps('⚙️ More')
    await anna.taps(/📌 Presets/)
    await anna.taps(/Save as a preset/)
    await anna.sees(/Name of the preset/)
    await anna.sends('cats')
    await anna.sees(/Saved as/)
    await anna.sends('/presets')
    await anna.sees(/Your presets/)
    await offered('what are presets?', /Tap a preset above/)
  })

  it('the uses of a picture', async () => {
    await anna.sendsFile({ ...(await png()), kind: 'photo' })
    await anna.seesButton(/Animate the photo/)
    await offered('make it anime', /Choose above what to make/)
  })

  it('a command, or a choice, leaves the menu: the words after it are a question', async () => {
    await anna.sends('/settings')
    await anna.sends('/help')
    await anna.sees(/What I can do/)
    await anna.sends('why is the sky blue?')
    await areAsked(1)
    await anna.sends('/persona')
    await anna.taps(/Translator/)
    await anna.sends('why is the sky blue?')
    await areAsked(2)
  })
})

it('a number typed beside the limits of a wallet is the limit, other words are not', async () => {
  const group = await groupWithWallet(sandbox)
  anna = group.anna.in(group.anna.id)
  await anna.taps('Limit per member')
  await anna.sees(/or write another number of roubles/)
  await offered('quite a lot', /I need a limit in roubles/)
  await anna.sends('250')
  await anna.sees(/Each member: up to ₽250 a day/)
  await nothingIsAsked()
})
