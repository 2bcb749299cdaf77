// A prompt that the model does not accept: one tap translates or shortens it for money, and the user's own prompt is kept for other
// models.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { lastAsked } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const translate = /^🌐 Translate to English · ≈ ₽0\.\d\d$/
const shorten = /^✂️ Shorten · ≈ ₽0\.\d\d$/

const turnsOf = async ({ id }: SandboxUser) => {
  const found = await sandbox.app.db
    .select({ turn: turns })
    .from(turns)
    .innerJoin(users, eq(users.id, turns.userId))
    .where(eq(users.telegramId, id))
    .orderBy(turns.createdAt)
  return found.map(({ turn }) => turn)
}

/** Opens a card with a prompt in Russian for a model that understands English only. */
async function opensForeign(user: SandboxUser, words = 'кот на сёрфе'): Promise<void> {
  await user.opens(`/image ${words}`, /^🎛 Model/, /^Photo/)
  await user.sees(/understands English only/)
}

/** Opens a card of a song whose description is too long. */
async function opensLong(user: SandboxUser, words: string): Promise<void> {
  await user.opens('/music a song', 'My own lyrics: off')
  await user.sees(/will be sung/)
  await user.asks(words, (one) => /la [\s\S]*Still needed: Style/.test(one.text ?? ''))
  await user.tapsFor('My own lyrics: on', /Too long for this/)
}

it('a prompt in another language is translated by one tap, and the previous model gets the original text again', async () => {
  const anna = await sandbox.user('Anna')
  await opensForeign(anna)
  await anna.hears(translate, /Translating/)
  const card = await anna.sees(/Prompt: kot na syorfe[\s\S]*Price: [\s\S]*Done, ₽0\.\d\d charged/)
  expect(labelsOf(card).join()).toMatch(/Generate/)
  await expect.poll(() => turnsOf(anna)).toMatchObject([{ delivery: 'delivered', isEstimate: false }])
  expect((await turnsOf(anna))[0]?.captured).toBeGreaterThan(0n)
  await anna.tapsFor([/^🎛 Model/, /^Design/], /Prompt: кот на сёрфе[\s\S]*Price/)
})

it('a translation does not become a part of the conversation', async () => {
  const boris = await sandbox.user('Boris')
  await boris.asks('How deep is the sea? [short]', /How deep is the sea/)
  await opensForeign(boris)
  await boris.tapsFor(translate, /kot na syorfe/)
  await boris.opens('And the lake?', /^💬 Ask · /)
  await boris.sees(/And the lake/)
  const asked = await lastAsked(sandbox)
  expect(asked).toMatch(/How deep is the sea/)
  expect(asked).not.toMatch(/кот|kot/)
})

it('a text above the limit is shortened by one tap, and the setting with a higher limit gets the original text again', async () => {
  const clara = await sandbox.user('Clara')
  await opensLong(clara, 'la '.repeat(300))
  const card = await clara.tapsFor(shorten, /la la la[\s\S]*Done, ₽0\.\d\d charged/)
  expect(labelsOf(card).join()).toMatch(/Generate/)
  const own = await clara.tapsFor(
    ['My own lyrics: off', '✅ Keep this text'],
    /la la la[\s\S]*Still needed: Style/,
  )
  expect(own.text?.length).toBeGreaterThan(700)
})

it('a text that is too long for any setting is shortened by one tap, once, and answers the question', async () => {
  const jan = await sandbox.user('Jan')
  await jan.opens('/music a song', 'My own lyrics: off', '✅ Keep this text', '✏️ Other…')
  await jan.sees(/^Style/)
  const refusal = await jan.asks('soft pop '.repeat(200), /Too long: 1,799 characters, the limit is 1,000/)
  const data = dataOf(refusal, shorten)
  const tap = () => jan.tapsData(refusal.message_id, data)
  await Promise.all([tap(), tap()])
  await jan.sees(/Style: soft pop soft pop[\s\S]*Done, ₽0\.\d\d charged/)
  expect(await turnsOf(jan)).toHaveLength(1)
  await jan.asks('/balance', /^Balance/)
  expect((await jan.chat()).some(({ text }) => /^Style\n/.test(text ?? ''))).toBe(false)
})

it('a failed rewriting costs nothing and is reported; the card stays, and the next tap works', async () => {
  const eva = await sandbox.user('Eva')
  await opensForeign(eva)
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 500 })
  await sandbox.breaks('gateway', 'messages', { kind: 'error', status: 500 })
  const told = await eva.tapsFor(translate, /couldn’t be changed. Nothing was charged/)
  expect(labelsOf(told)).toEqual([])
  const failed = { state: 'failed', captured: 0n, delivery: 'delivered' }
  await expect.poll(() => turnsOf(eva)).toMatchObject([failed])
  sandbox.faults.clear()
  await eva.tapsFor(translate, /kot na syorfe/)
})

it('a shortened text that is still too long is sent as a message, and the card stays unchanged', async () => {
  const fred = await sandbox.user('Fred')
  await opensLong(fred, 'la [long] '.repeat(90))
  await fred.tapsFor(shorten, /doesn’t fit either[\s\S]*₽0\.\d\d was charged/)
  await fred.sees(({ text = '', from }) => from?.is_bot === true && text.startsWith('la [long] la'))
  await fred.seesButton(shorten)
})

it('a translation for a card that has changed since is sent as a message', async () => {
  const gina = await sandbox.user('Gina')
  await opensForeign(gina)
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 2000 })
  await gina.hears(translate, /Translating/)
  await gina.tapsFor([/^🎛 Model/, /^Design/], /Prompt: кот на сёрфе[\s\S]*Price/)
  await gina.sees(/The card has changed meanwhile/)
  await gina.sees(/^kot na syorfe$/)
  expect(labelsOf(await gina.sees(/Prompt: кот на сёрфе/)).join()).toMatch(/Generate/)
})

it('nothing is rewritten when the balance does not cover it', async () => {
  const hugo = await sandbox.user('Hugo', 'en', { credit: '0' })
  await opensForeign(hugo)
  await hugo.tapsFor(translate, /you’re ₽\d/)
  expect(await turnsOf(hugo)).toEqual([])
})

const improve = /^✨ Improve · ≈ ₽0\.\d\d$/

it('a better prompt is suggested for the price on the button; it is left or taken by one tap, and the own words stay', async () => {
  const ivan = await sandbox.user('Ivan')
  await ivan.opens('/image a fox', '⚙️ More', improve)
  await ivan.isTold(/Improving/)
  const page = await ivan.sees(
    /It could be\na fox, soft light[\s\S]*Prompt: a fox\n[\s\S]*Done, ₽0\.\d\d charged/,
  )
  expect(labelsOf(page)).toEqual(['✅ Use it', 'Keep mine', expect.stringMatching(improve)])
  await ivan.tapsFor('Keep mine', /Prompt: a fox\n/)
  await ivan.tapsFor(
    ['⚙️ More', '✨ Show the suggestion', '✅ Use it'],
    /Prompt: a fox, soft light, fine detail\n/,
  )
  // Settings do not bring the own words back.
  await ivan.tapsFor([/^How many/, '2'], /Prompt: a fox, soft light, fine detail\n[\s\S]*₽10\.56/)
  await ivan.tapsFor(['⚙️ More', '↩️ Back to my words'], /Prompt: a fox\n/)
  expect(await turnsOf(ivan)).toHaveLength(1)
})
