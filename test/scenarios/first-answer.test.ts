// The first plain text of somebody who does not know that answers cost money: it is answered after a tap, and once.

import { desc, eq, isNull } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { turns, updates, users } from '../../src/db/schema.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
})
beforeEach(async () => {
  anna = await sandbox.newcomer('Anna')
})
afterEach(async () => {
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
})
afterAll(() => sandbox.stop())

const db = () => sandbox.app.db
const button = /^Answer · ≈ ₽0\.\d\d$/
const isOffer = (message: SandboxMessage) => labelsOf(message).some((label) => button.test(label))
const offersTo = async (user: SandboxUser) => (await user.chat()).filter(isOffer)
/** The offer that replies to this message. */
const seesOffer = (user: SandboxUser, { message_id }: SandboxMessage) =>
  user.sees((one) => isOffer(one) && one.reply_to_message?.message_id === message_id)
/** The local gateway's answers name their question. */
const seesAnswer = (user: SandboxUser, words: string) =>
  user.sees((one) => labelsOf(one).some((label) => /^₽0\.\d\d$/.test(label)) && !!one.text?.includes(words))

const asked = ({ id }: SandboxUser) =>
  db()
    .select({ question: turns.question, messageId: turns.questionMessageId })
    .from(turns)
    .innerJoin(users, eq(users.id, turns.userId))
    .where(eq(users.telegramId, id))
    .orderBy(turns.createdAt)
const questionsOf = async (user: SandboxUser) => (await asked(user)).map(({ question }) => question)
const messagesAsked = async (user: SandboxUser) => (await asked(user)).map(({ messageId }) => messageId)

/** Resolves when all updates are handled and all answers are sent. */
async function settled(): Promise<void> {
  const waits = async () => [
    await db().$count(updates, isNull(updates.doneAt)),
    await db().$count(turns, eq(turns.delivery, 'pending')),
    await db().$count(turns, eq(turns.state, 'streaming')),
  ]
  await expect.poll(waits, { interval: 20, timeout: 10_000 }).toEqual([0, 0, 0])
}

/** Acts, and waits until everything that follows is done. */
async function handled<T>({ chatId }: SandboxUser, act: () => Promise<T>): Promise<T> {
  const count = () => db().$count(updates, eq(updates.chatId, chatId))
  const before = await count()
  const result = await act()
  await expect.poll(count, { interval: 10 }).toBeGreaterThan(before)
  await settled()
  return result
}

interface Sent {
  readonly message: SandboxMessage
  readonly updateId: number
}

async function writes(user: SandboxUser, text: string): Promise<Sent> {
  const message = await handled(user, () => user.sends(text))
  const [last] = await db()
    .select({ updateId: updates.id })
    .from(updates)
    .where(eq(updates.chatId, user.chatId))
    .orderBy(desc(updates.seq))
    .limit(1)
  if (!last) throw new Error('a handled update is stored')
  return { message, ...last }
}

/** Handles the update of a message again, as after the end of its process. */
async function replay({ message, updateId }: Sent): Promise<void> {
  const body = JSON.stringify({ update_id: updateId, message })
  await db()
    .update(updates)
    .set({ body, doneAt: null, dueAt: new Date(0) })
    .where(eq(updates.id, updateId))
  await settled()
}

it('the first plain text is answered after a tap on its price, the next one at once', async () => {
  const question = await anna.sends('How deep is the sea?')
  const offer = await seesOffer(anna, question)
  expect(offer.text).toMatch(/cost money.*about ₽0\.\d\d.*\/model/s)
  expect(await questionsOf(anna)).toEqual([])
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await anna.sends('And the lake?')
  await seesAnswer(anna, 'And the lake')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?', 'And the lake?'])
  expect(await offersTo(anna)).toEqual([])
})

it('the price on the button is that of the model', async () => {
  await anna.sends('/model')
  await anna.taps(/Model: /)
  const list = await anna.seesButton(/^● /)
  const dearest = labelsOf(list).findLast((label) => label.includes('₽')) ?? ''
  const priceOf = async () => (await anna.seesButton(button)).reply_markup?.inline_keyboard?.[0]?.[0]?.text
  const first = await anna.sends('How deep is the sea?')
  await seesOffer(anna, first)
  const before = await priceOf()
  await anna.taps(dearest)
  await seesOffer(anna, await anna.sends('How deep is the sea?'))
  expect(await priceOf()).not.toBe(before)
})

it('an offer whose price has risen shows the new price, and is taken by the next tap', async () => {
  const offer = await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await anna.sends('/model')
  await anna.taps(/Model: /)
  await anna.taps(/^(?!● ).*Grok/)
  await settled()
  await anna.tapsData(offer.message_id, 'cg')
  await anna.isTold(/price has changed/)
  const shown = await anna.sees(/Answers from Grok/)
  expect(shown.message_id).toBe(offer.message_id)
  expect(labelsOf(shown)).not.toEqual(labelsOf(offer))
  expect(await questionsOf(anna)).toEqual([])
  await anna.tapsData(offer.message_id, 'cg')
  await seesAnswer(anna, 'How deep is the sea')
})

it('a text that is not accepted is replaced by the next one', async () => {
  await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await seesOffer(anna, await anna.sends('How wide is the river?'))
  await settled()
  expect(await offersTo(anna)).toHaveLength(1)
  await anna.taps(button)
  await seesAnswer(anna, 'How wide is the river')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How wide is the river?'])
})

it('two taps, and a tap on the deleted offer, ask once', async () => {
  const offer = await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await Promise.all([1, 2, 3].map(() => anna.tapsData(offer.message_id, 'cg').catch(() => undefined)))
  await seesAnswer(anna, 'How deep is the sea')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('an edited text changes its offer, and is asked as it is then', async () => {
  const question = await anna.sends('How deep is the see?')
  const offer = await seesOffer(anna, question)
  await anna.edits(question, 'How deep is the sea?')
  await settled()
  expect((await offersTo(anna)).map(({ message_id }) => message_id)).toEqual([offer.message_id])
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('an update that is handled again offers once, and asks nothing that was asked', async () => {
  const question = await writes(anna, 'How deep is the sea?')
  const offer = await seesOffer(anna, question.message)
  await replay(question)
  expect((await offersTo(anna)).map(({ message_id }) => message_id)).toEqual([offer.message_id])
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await replay(question)
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('an explicit question is answered at once, and plain text after it too', async () => {
  await anna.sends('/chat How deep is the sea?')
  await seesAnswer(anna, 'How deep is the sea')
  await anna.sends('And the lake?')
  await seesAnswer(anna, 'And the lake')
  expect(await offersTo(anna)).toEqual([])
})

it('somebody without money is told what is missing; an offer stays until it can be paid', async () => {
  const question = await anna.sends('How deep is the sea?')
  await seesOffer(anna, question)
  const { id } = anna
  const account = eq(users.telegramId, id)
  const [row] = await db().select({ id: users.id }).from(users).where(account)
  const empty = (to: string) =>
    db().execute(`update balances set available = ${to}, held = 10000 - (${to}) where user_id = ${row?.id}`)
  await empty('0')
  await anna.taps(button)
  await anna.sees(/You’re ₽\d|you’re ₽\d/)
  expect(await offersTo(anna)).toHaveLength(1)
  await empty('10000')
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

interface Walk {
  readonly user: SandboxUser
  last: Sent
  /** All offers that were seen. */
  readonly offers: Set<number>
}

const tap = (user: SandboxUser, id: number) => handled(user, () => user.tapsData(id, 'cg'))

const acts = {
  text: async (walk: Walk, at: number) => {
    walk.last = await writes(walk.user, `Question ${at}?`)
  },
  // An edit of an answered question asks it again, which is meant.
  edit: async ({ user, last }: Walk, at: number) =>
    (await questionsOf(user)).length === 0 &&
    handled(user, () => user.edits(last.message, `Question ${at}, edited?`)),
  tap: async ({ user }: Walk) => {
    const [offer] = await offersTo(user)
    if (offer) await tap(user, offer.message_id)
  },
  'tap twice': async ({ user }: Walk) => {
    const [offer] = await offersTo(user)
    if (offer) await Promise.all([tap(user, offer.message_id), tap(user, offer.message_id)])
  },
  'tap all offers': async ({ user, offers }: Walk) => {
    for (const id of offers) await tap(user, id)
  },
  replay: ({ last }: Walk) => replay(last),
}
const names = Object.keys(acts) as (keyof typeof acts)[]

it('whatever is written, edited, tapped and handled again: a message is asked once', async () => {
  const steps = fc.array(fc.constantFrom(...names), { minLength: 4, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const user = await sandbox.newcomer('Walker')
      const walk = { user, last: await writes(user, 'Question?'), offers: new Set<number>() }
      for (const [at, name] of all.entries()) {
        const offers = await offersTo(user)
        expect(offers.length).toBeLessThanOrEqual(1)
        for (const { message_id } of offers) walk.offers.add(message_id)
        await acts[name](walk, at)
      }
      const messages = await messagesAsked(user)
      expect(messages).toEqual([...new Set(messages)])
    }),
    { numRuns: 6, endOnFailure: true },
  )
}, 60_000)
