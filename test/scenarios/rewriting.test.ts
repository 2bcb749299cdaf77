// A prompt that the model does not accept: one tap translates or shortens it for money, and the user's own prompt is kept for other
// models.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

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
  await user.sends(`/image ${words}`)
  await user.taps(/^🎛 Model/)
  await user.taps(/^Photo/)
  await user.sees(/understands English only/)
}

/** Opens a card of a song whose description is too long. */
async function opensLong(user: SandboxUser, words: string): Promise<void> {
  await user.sends('/music a song')
  await user.taps('My own lyrics: off')
  await user.sees(/will be sung/)
  await user.sends(words)
  await user.sees((one) => /la [\s\S]*Still needed: Style/.test(one.text ?? ''))
  await user.taps('My own lyrics: on')
  await user.sees(/Too long for this/)
}

it('a prompt in another language is translated by one tap, and the previous model gets the original text again', async () => {
  const anna = await sandbox.user('Anna')
  await opensForeign(anna)
  await anna.taps(translate)
  await anna.isTold(/Translating/)
  const card = await anna.sees(/Prompt: kot na syorfe[\s\S]*Price: [\s\S]*Done, ₽0\.\d\d charged/)
  expect(labelsOf(card).join()).toMatch(/Generate/)
  await expect.poll(() => turnsOf(anna)).toMatchObject([{ delivery: 'delivered', isEstimate: false }])
  expect((await turnsOf(anna))[0]?.captured).toBeGreaterThan(0n)
  await anna.taps(/^🎛 Model/)
  await anna.taps(/^Design/)
  await anna.sees(/Prompt: кот на сёрфе[\s\S]*Price/)
})

it('a translation does not become a part of the conversation', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('How deep is the sea? [short]')
  await boris.sees(/How deep is the sea/)
  await opensForeign(boris)
  await boris.taps(translate)
  await boris.sees(/kot na syorfe/)
  await boris.sends('And the lake?')
  await boris.taps(/^💬 Ask · /)
  const answer = await boris.sees(/And the lake/)
  expect(answer.text).toMatch(/How deep is the sea/)
  expect(answer.text).not.toMatch(/кот|kot/)
})

it('a text above the limit is shortened by one tap, and the setting with a higher limit gets the original text again', async () => {
  const clara = await sandbox.user('Clara')
  await opensLong(clara, 'la '.repeat(300))
  await clara.taps(shorten)
  const card = await clara.sees(/la la la[\s\S]*Done, ₽0\.\d\d charged/)
  expect(labelsOf(card).join()).toMatch(/Generate/)
  await clara.taps('My own lyrics: off')
  await clara.taps('✅ Keep this text')
  const own = await clara.sees(/la la la[\s\S]*Still needed: Style/)
  expect(own.text?.length).toBeGreaterThan(700)
})

it('a text that is too long for any setting is shortened by one tap, once, and answers the question', async () => {
  const jan = await sandbox.user('Jan')
  await jan.sends('/music a song')
  await jan.taps('My own lyrics: off')
  await jan.taps('✅ Keep this text')
  await jan.taps('✏️ Other…')
  await jan.sees(/^Style/)
  await jan.sends('soft pop '.repeat(200))
  const refusal = await jan.sees(/Too long: 1,799 characters, the limit is 1,000/)
  const data = refusal.reply_markup?.inline_keyboard?.flat().find(({ text }) => shorten.test(text))
  const tap = () => jan.tapsData(refusal.message_id, data?.callback_data ?? '')
  await Promise.all([tap(), tap()])
  await jan.sees(/Style: soft pop soft pop[\s\S]*Done, ₽0\.\d\d charged/)
  expect(await turnsOf(jan)).toHaveLength(1)
  await jan.sends('/balance')
  await jan.sees(/^Balance/)
  expect((await jan.chat()).some(({ text }) => /^Style\n/.test(text ?? ''))).toBe(false)
})

it('simultaneous taps rewrite once', async () => {
  const dora = await sandbox.user('Dora')
  await opensForeign(dora)
  const card = await dora.seesButton(translate)
  const data = card.reply_markup?.inline_keyboard?.flat().find(({ text }) => translate.test(text))
  const tap = () => dora.tapsData(card.message_id, data?.callback_data ?? '')
  await Promise.all([tap(), tap(), tap()])
  await dora.sees(/kot na syorfe/)
  await tap()
  await dora.sees(/kot na syorfe/)
  expect(await turnsOf(dora)).toHaveLength(1)
})

it('a failed rewriting costs nothing and is reported; the card stays, and the next tap works', async () => {
  const eva = await sandbox.user('Eva')
  await opensForeign(eva)
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 500 })
  await sandbox.breaks('gateway', 'messages', { kind: 'error', status: 500 })
  await eva.taps(translate)
  const told = await eva.sees(/couldn’t be changed. Nothing was charged/)
  expect(labelsOf(told)).toEqual([])
  const failed = { state: 'failed', captured: 0n, delivery: 'delivered' }
  await expect.poll(() => turnsOf(eva)).toMatchObject([failed])
  sandbox.faults.clear()
  await eva.taps(translate)
  await eva.sees(/kot na syorfe/)
})

it('a shortened text that is still too long is sent as a message, and the card stays unchanged', async () => {
  const fred = await sandbox.user('Fred')
  await opensLong(fred, 'la [long] '.repeat(90))
  await fred.taps(shorten)
  await fred.sees(/doesn’t fit either[\s\S]*₽0\.\d\d was charged/)
  await fred.sees(({ text = '', from }) => from?.is_bot === true && text.startsWith('la [long] la'))
  await fred.seesButton(shorten)
})

it('a translation for a card that has changed since is sent as a message', async () => {
  const gina = await sandbox.user('Gina')
  await opensForeign(gina)
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 2000 })
  await gina.taps(translate)
  await gina.isTold(/Translating/)
  await gina.taps(/^🎛 Model/)
  await gina.taps(/^Design/)
  await gina.sees(/Prompt: кот на сёрфе[\s\S]*Price/)
  await gina.sees(/The card has changed meanwhile/)
  await gina.sees(/^kot na syorfe$/)
  expect(labelsOf(await gina.sees(/Prompt: кот на сёрфе/)).join()).toMatch(/Generate/)
})

it('nothing is rewritten when the balance does not cover it', async () => {
  const hugo = await sandbox.user('Hugo', 'en', { credit: '0' })
  await opensForeign(hugo)
  await hugo.taps(translate)
  await hugo.sees(/you’re ₽\d/)
  expect(await turnsOf(hugo)).toEqual([])
})

const improve = /^✨ Improve · ≈ ₽0\.\d\d$/

it('a better prompt is suggested for the price on the button; it is left or taken by one tap, and the own words stay', async () => {
  const ivan = await sandbox.user('Ivan')
  await ivan.sends('/image a fox')
  await ivan.taps('⚙️ More')
  await ivan.taps(improve)
  await ivan.isTold(/Improving/)
  const page = await ivan.sees(
    /It could be\na fox, soft light[\s\S]*Prompt: a fox\n[\s\S]*Done, ₽0\.\d\d charged/,
  )
  expect(labelsOf(page)).toEqual(['✅ Use it', 'Keep mine', expect.stringMatching(improve)])
  await ivan.taps('Keep mine')
  await ivan.sees(/Prompt: a fox\n/)
  await ivan.taps('⚙️ More')
  await ivan.taps('✨ Show the suggestion')
  await ivan.taps('✅ Use it')
  await ivan.sees(/Prompt: a fox, soft light, fine detail\n/)
  // Settings do not bring the own words back.
  await ivan.taps(/^How many/)
  await ivan.taps('2')
  await ivan.sees(/Prompt: a fox, soft light, fine detail\n[\s\S]*₽10\.56/)
  await ivan.taps('⚙️ More')
  await ivan.taps('↩️ Back to my words')
  await ivan.sees(/Prompt: a fox\n/)
  expect(await turnsOf(ivan)).toHaveLength(1)
})

it('a suggestion for a prompt that was changed meanwhile is sent as a message', async () => {
  const kira = await sandbox.user('Kira')
  await kira.sends('/image a fox')
  await sandbox.breaks('gateway', 'chat', { kind: 'hang', ms: 2000 })
  await kira.taps('⚙️ More')
  await kira.taps(improve)
  await kira.isTold(/Improving/)
  await kira.taps('‹ Back')
  await kira.taps('✏️ Prompt')
  await kira.sends('a wolf')
  await kira.sees(/Prompt: a wolf/)
  await kira.sees(/The card has changed meanwhile/)
  await kira.sees(/^a fox, soft light, fine detail$/)
})
