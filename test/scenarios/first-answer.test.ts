// The first plain text of a user who may not know that answers cost money: it is asked only after a tap on the price, and only once.

import { desc, eq, isNull } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { turns, updates, users } from '../../src/db/schema.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.newcomer('Anna')
})

const db = () => sandbox.app.db
const button = /^Answer · ≈ ₽0\.\d\d$/
const isOffer = (message: SandboxMessage) => labelsOf(message).some((label) => button.test(label))
const offersTo = async (user: SandboxUser) => (await user.chat()).filter(isOffer)
/** Waits for the offer that replies to this message. */
const seesOffer = (user: SandboxUser, { message_id }: SandboxMessage) =>
  user.sees((one) => isOffer(one) && one.reply_to_message?.message_id === message_id)
/** Waits for the answer to a question: the local gateway's answers quote it. */
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
  await expect.poll(waits, { interval: 20 }).toEqual([0, 0, 0])
}

/** Performs an action and waits until all its updates are handled. */
async function handled<T>(act: () => Promise<T>): Promise<T> {
  const count = () => db().$count(updates)
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
  const message = await handled(() => user.sends(text))
  const [last] = await db().select({ updateId: updates.id }).from(updates).orderBy(desc(updates.seq)).limit(1)
  if (!last) throw new Error('a handled update is stored')
  return { message, ...last }
}

/** Handles the update of a message again, as another process does after a crash. */
async function replay({ message, updateId }: Sent): Promise<void> {
  const body = JSON.stringify({ update_id: updateId, message })
  await db()
    .update(updates)
    .set({ body, doneAt: null, dueAt: new Date(0) })
    .where(eq(updates.id, updateId))
  await settled()
}

it('the first plain text is asked after a tap on its price, and the next one at once', async () => {
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

it("the price on the button is that of the conversation's model", async () => {
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

it('an offer whose price has risen shows the new price at the first tap and is accepted by the second', async () => {
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

it('the offer of a text is replaced by the offer of the next text', async () => {
  await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await seesOffer(anna, await anna.sends('How wide is the river?'))
  await settled()
  expect(await offersTo(anna)).toHaveLength(1)
  await anna.taps(button)
  await seesAnswer(anna, 'How wide is the river')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How wide is the river?'])
})

it('repeated taps on an offer, also after it is deleted, ask once', async () => {
  const offer = await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await Promise.all([1, 2, 3].map(() => anna.tapsData(offer.message_id, 'cg').catch(() => undefined)))
  await seesAnswer(anna, 'How deep is the sea')
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('an edited text keeps its offer, and the edited text is asked', async () => {
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

it('a repeated update makes no second offer, and does not ask an asked question again', async () => {
  const question = await writes(anna, 'How deep is the sea?')
  const offer = await seesOffer(anna, question.message)
  await replay(question)
  expect((await offersTo(anna)).map(({ message_id }) => message_id)).toEqual([offer.message_id])
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await replay(question)
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('a question by /chat is asked at once, and so is plain text after it', async () => {
  await anna.sends('/chat How deep is the sea?')
  await seesAnswer(anna, 'How deep is the sea')
  await anna.sends('And the lake?')
  await seesAnswer(anna, 'And the lake')
  expect(await offersTo(anna)).toEqual([])
})

it('a user without money is told what is missing, and the offer stays until it can be paid', async () => {
  const question = await anna.sends('How deep is the sea?')
  await seesOffer(anna, question)
  const { id } = anna
  const account = eq(users.telegramId, id)
  const [row] = await db().select({ id: users.id }).from(users).where(account)
  const empty = (to: string) =>
    db().execute(
      `update accounts set available = ${to}, held = 10000 - (${to}) where kind = 'user' and owner_id = ${row?.id}`,
    )
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
  /** The message ids of all offers that the user has seen. */
  readonly offers: Set<number>
}

const tap = (user: SandboxUser, id: number) => handled(() => user.tapsData(id, 'cg'))

const acts = {
  text: async (walk: Walk, at: number) => {
    walk.last = await writes(walk.user, `Question ${at}?`)
  },
  // An edit of an answered question would ask it again, as intended.
  edit: async ({ user, last }: Walk, at: number) =>
    (await questionsOf(user)).length === 0 &&
    handled(() => user.edits(last.message, `Question ${at}, edited?`)),
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

it('each message is asked at most once, in any order of texts, edits, taps and repeated updates', async () => {
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
})
