// The first plain text of a user who may not know that answers cost money: it is asked only after a tap on the price, and only once.

import { eq, isNull } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { turns, updates, users } from '../../src/db/schema.ts'
import { handleLastAgain } from '../support/users/handled-again.ts'
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

async function questionsOf({ id }: SandboxUser): Promise<string[]> {
  const asked = await db()
    .select({ question: turns.question })
    .from(turns)
    .innerJoin(users, eq(users.id, turns.userId))
    .where(eq(users.telegramId, id))
    .orderBy(turns.createdAt)
  return asked.map(({ question }) => question)
}

/** Resolves when all updates are handled and all answers are sent. */
async function settled(): Promise<void> {
  const waits = async () => [
    await db().$count(updates, isNull(updates.doneAt)),
    await db().$count(turns, eq(turns.delivery, 'pending')),
    await db().$count(turns, eq(turns.state, 'streaming')),
  ]
  await expect.poll(waits, { interval: 20 }).toEqual([0, 0, 0])
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
  const offer = await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await handleLastAgain(sandbox, anna.id)
  expect((await offersTo(anna)).map(({ message_id }) => message_id)).toEqual([offer.message_id])
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await handleLastAgain(sandbox, anna.id)
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('a user without money is told what is missing, and the offer stays until it can be paid', async () => {
  const question = await anna.sends('How deep is the sea?')
  await seesOffer(anna, question)
  const [row] = await db().select({ id: users.id }).from(users).where(eq(users.telegramId, anna.id))
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
