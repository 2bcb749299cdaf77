// While something of the bot's waits for its user, typed words answer it or are offered to a text model with a price. They are never a paid
// question by themselves, also after the one-time consent to paid answers, which all users of these tests have given.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drafts, turns } from '../../src/db/schema.ts'
import { openReceipt, order } from '../support/users/order.ts'
import { png } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let operator: SandboxUser
let anna: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { ADMIN_IDS: '777001', WELCOME_CREDIT: '500' })
  operator = await createUser(sandbox.url, { id: 777001, first_name: 'Olga', language_code: 'en' })
  await operator.sends('/start')
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const asks = /^💬 Ask · ≈ ₽/
const askedQuestions = () => sandbox.app.db.$count(turns)
let asked = 0
beforeEach(async () => {
  asked = await askedQuestions()
})

/** Sends words and sees them offered with a price, and asked of nobody. */
async function offered(words: string, told: RegExp): Promise<void> {
  const { message_id } = await anna.sends(words)
  const offer = await anna.sees((one) => one.reply_to_message?.message_id === message_id)
  expect(offer.text).toMatch(told)
  expect(labelsOf(offer).at(-1)).toMatch(asks)
  expect(await askedQuestions()).toBe(asked)
}

describe('words beside a fresh card that has all it needs', () => {
  beforeEach(async () => {
    await anna.sends('/image a cat')
    await anna.seesButton(/^Generate/)
    await offered('no, make it night', /card is still open, so nothing was changed or charged/)
  })

  it('replace the prompt after a tap', async () => {
    await anna.taps(/Replace the prompt/)
    await anna.sees(/Prompt: no, make it night[\s\S]*Price/)
    expect(labelsOf(await anna.seesButton(/^Generate/)).join()).toMatch(/₽/)
    expect(await askedQuestions()).toBe(asked)
  })

  it('are added to the prompt after a tap', async () => {
    await anna.taps(/Add to the prompt/)
    await anna.sees(/Prompt: a cat\nno, make it night[\s\S]*Price/)
  })

  it('are asked after a tap on the price; the next words are offered again', async () => {
    await anna.taps(asks)
    await anna.sees(/no, make it night/)
    await expect.poll(askedQuestions).toBe(asked + 1)
    asked += 1
    await offered('and a dog', /card is still open/)
  })

  it('are a question again once the card is ordered', async () => {
    await anna.taps(/^Generate/)
    await anna.sees(/Done in/)
    await anna.sends('why is the sky blue?')
    await expect.poll(askedQuestions).toBe(asked + 1)
  })

  it('are a question again once the price on the card no longer counts', async () => {
    const updatedAt = new Date(Date.now() - 16 * 60_000)
    await sandbox.app.db.update(drafts).set({ updatedAt }).where(eq(drafts.chatId, anna.id))
    await anna.sends('why is the sky blue?')
    await expect.poll(askedQuestions).toBe(asked + 1)
  })

  it('that reply to another message keep their meaning', async () => {
    const [hello] = await anna.chat()
    await anna.sends('what was that?', { reply_to: hello?.message_id ?? 0 })
    await expect.poll(askedQuestions).toBe(asked + 1)
  })
})

it('words beside a card that lacks an answer become this answer, one field after another', async () => {
  await anna.sends('/music a song about the sea')
  await anna.taps(/^Vocals/)
  await anna.taps(/^My own style/)
  await anna.sees(/Still needed: Style\. Write it here/)
  await anna.sends('soft pop')
  await anna.sees(/Still needed: Title/)
  await anna.sends('Waves')
  await anna.seesButton(/^Generate/)
  expect(labelsOf(await anna.seesButton('Style: soft pop'))).toContain('Title: Waves')
  expect(await askedQuestions()).toBe(asked)
})

it('words beside a step of the guide that another command left answer the step', async () => {
  await anna.sends('/video')
  await anna.sees(/step 1 of/)
  await anna.sends('/new')
  await anna.sees(/A new conversation/)
  await anna.sends('a cat surfing')
  await anna.sees(/step 2 of/)
  expect(await askedQuestions()).toBe(asked)
})

describe('a complaint typed beside the reasons of a problem', () => {
  it.each(['result', 'receipt'])('below a %s reaches the operator in its words, free', async (below) => {
    await order(sandbox, anna, '/image a fox')
    if (below === 'receipt') await openReceipt(anna)
    await anna.taps(below === 'result' ? '⚠️ Problem' : /Report a problem/)
    await anna.isTold(/or just write it/)
    const said = `the fox has five legs, ${below}`
    await anna.sends(said)
    await anna.sees(/Sent to the operator/)
    await operator.sees(said)
    expect(await askedQuestions()).toBe(asked)
    await anna.sends('thank you')
    await expect.poll(askedQuestions).toBe(asked + 1)
  })

  it('goes there although an older question waits for its answer', async () => {
    await order(sandbox, anna, '/image a fox')
    await anna.sends('/promo')
    await anna.sees(/Which promo code/)
    await anna.taps('⚠️ Problem')
    await anna.isTold(/or just write it/)
    await anna.sends('it is a wolf')
    await operator.sees('it is a wolf')
  })

  it('in a group is a reply of the person who ordered; other words there are for nobody', async () => {
    const boris = await sandbox.user('Boris')
    const group = { title: 'We', members: [anna.id, boris.id], open: true }
    const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
    const [here, other] = [anna.in(id), boris.in(id)]
    await order(sandbox, here, '/image a fox')
    await here.taps('⚠️ Problem')
    await here.isTold(/or just write it/)
    const { message_id: reply_to } = await here.seesButton(/In my own words/)
    await here.sends('Boris, look at this')
    await other.sends('five legs?')
    await here.sends('it has six legs', { reply_to })
    await here.sees(/Sent to the operator/)
    await operator.sees('it has six legs')
    expect(await askedQuestions()).toBe(asked)
  })
})

describe('words beside a menu say what is expected, and are asked only after a tap on the price:', () => {
  it.each([
    ['/start', /buttons above wait for your choice/],
    ['/delete_me', /Nothing was deleted or charged/],
    ['/settings', /Choose the language above/],
    ['/topup', /couldn’t read the amount/],
    ['/persona', /Choose the persona above/],
  ])('%s', async (command, told) => {
    await anna.sends(command)
    await anna.sees(({ from }) => from?.is_bot === true)
    await offered('what do you mean?', told)
    await anna.taps(asks)
    await expect.poll(askedQuestions).toBe(asked + 1)
  })

  it('the list of presets, unless it is empty', async () => {
    await anna.sends('/presets')
    await anna.sees(/no presets yet/)
    await anna.sends('what are presets?')
    await expect.poll(askedQuestions).toBe(asked + 1)
    asked += 1
    await anna.sends('/image a cat')
    await anna.taps(/⭐ Presets/)
    await anna.taps(/Save these settings/)
    await anna.sees(/What shall these/)
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

  it('a command leaves the menu: the words after it are a question', async () => {
    await anna.sends('/settings')
    await anna.sends('/help')
    await anna.sees(/What I can do/)
    await anna.sends('why is the sky blue?')
    await expect.poll(askedQuestions).toBe(asked + 1)
  })

  it.each([
    ['a question asked at its price', asks],
    ['a chosen persona', /Translator/],
  ])('%s leaves the menu: the words after it are a question', async (_, button) => {
    await anna.sends('/persona')
    await anna.seesButton(/Translator/)
    await offered('what is a persona?', /Choose the persona/)
    await anna.taps(button)
    if (button === asks) asked += 1
    await expect.poll(askedQuestions).toBe(asked)
    await anna.sends('why is the sky blue?')
    await expect.poll(askedQuestions).toBe(asked + 1)
  })

  it('a newcomer is also told that answers cost money', async () => {
    anna = await sandbox.newcomer('Clara')
    await anna.sends('/settings')
    await anna.sees(/Language/)
    await offered('hello', /Choose the language[\s\S]*Answers from .* cost money/)
  })
})

it('a number typed beside the limits of a wallet is the limit, other words are not', async () => {
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'Surfers', members: [anna.id] })
  await anna.in(id).sends('/wallet')
  await anna.in(id).taps('Open a wallet')
  await anna.sends('/wallet')
  await anna.taps('Limit per member')
  await anna.sees(/or write another number of roubles/)
  await offered('quite a lot', /I need a limit in roubles/)
  await anna.sends('250')
  await anna.sees(/Each member: up to ₽250.00 a day/)
  expect(await askedQuestions()).toBe(asked)
})

it('words that are no promo code are refused by the question for one', async () => {
  await anna.sends('/promo')
  await anna.sees(/Which promo code/)
  await anna.sends('what is a promo code?')
  await anna.sees(/There is no such promo code/)
  expect(await askedQuestions()).toBe(asked)
})
