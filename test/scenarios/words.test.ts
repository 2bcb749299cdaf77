// Words without a command in a private chat: what they become is chosen by a tap on a price, unless they go on with a conversation. A prompt
// that a model does not accept, or that could be better, is rewritten for money.

import { eq, isNull } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import { likelyKind } from '../../src/bot/chat/chooser.ts'
import { turns, updates, users } from '../../src/db/schema.ts'
import { handleLastAgain } from '../support/users/handled-again.ts'
import { turnsIn } from '../support/users/order.ts'
import { jpeg, lastAsked } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.newcomer('Anna')
})

const db = () => sandbox.app.db
/** Makes the questions an hour older, and takes that back. */
const age = (by: '-' | '+') =>
  db().execute(
    `update turns set created_at = created_at ${by} interval '61 minutes' ${by === '+' ? "where created_at < now() - interval '1 hour'" : ''}`,
  )
const button = /^💬 Answer · ≈ ₽0\.\d\d$/
const isOffer = (message: SandboxMessage) => labelsOf(message).some((label) => button.test(label))
const offersTo = async (user: SandboxUser) => (await user.chat()).filter(isOffer)
/** Waits for the offer that replies to this message. */
const seesOffer = (user: SandboxUser, { message_id }: SandboxMessage) =>
  user.sees((one) => isOffer(one) && one.reply_to_message?.message_id === message_id)
/** Waits for the answer to a question: the local gateway's answers quote it. */
const seesAnswer = (user: SandboxUser, words: string) =>
  user.sees((one) => labelsOf(one).some((label) => /^ℹ️ ₽0\.\d\d$/.test(label)) && !!one.text?.includes(words))

const questionsOf = async (user: SandboxUser) =>
  (await turnsIn(sandbox, user)).map(({ question }) => question)

/** Resolves when all updates are handled and all answers are sent. */
async function settled(): Promise<void> {
  const waits = async () => [
    await db().$count(updates, isNull(updates.doneAt)),
    await db().$count(turns, eq(turns.delivery, 'pending')),
    await db().$count(turns, eq(turns.state, 'streaming')),
  ]
  await expect.poll(waits, { interval: 20 }).toEqual([0, 0, 0])
}

it('words without a command offer what they can become, the likeliest first; one tap opens the card with them', async () => {
  await anna.asks('/start', /Hello, Anna/)
  const offer = await seesOffer(anna, await anna.sends('a red fox'))
  expect(offer.text).toMatch(/What would you like\?[\s\S]*\/settings/)
  expect(labelsOf(offer)).toEqual([
    '🖼 Picture · ₽5.28',
    expect.stringMatching(/^🎬 Video: ₽92/),
    expect.stringMatching(/^🗣 Speech: <₽1/),
    expect.stringMatching(/^🎵 Music: ₽7/),
    expect.stringMatching(/^🧊 3D: ₽192/),
    expect.stringMatching(button),
  ])
  await anna.tapsFor(/^🖼/, /Prompt: a red fox/)
  expect(await offersTo(anna)).toEqual([])
})

it('the likeliest use is found by simple words', () => {
  const uses = {
    image: ['a cat on the roof', 'кот на крыше', 'Can you draw a cat?', 'Нарисуй кота', 'какой-нибудь кот'],
    video: ['видео с котом', 'a clip of a train', 'оживи море'],
    music: ['напиши песню о море', 'a song about the sea'],
    speech: ['озвучь: доброе утро', 'Read this aloud: hello'],
    model3d: ['3D-модель кресла', 'an armchair in 3d'],
    dialogue: ['Anna: hello\nBob: bye'],
    chat: ['How do I draw a cat?', 'почему небо голубое', 'Привет', 'write a letter', 'really?'],
  }
  for (const [use, words] of Object.entries(uses))
    expect(words.map((one) => [one, likelyKind(one)])).toEqual(words.map((one) => [one, use]))
})

it('a conversation that the chooser has begun goes on without it, until something is ordered or an hour has passed', async () => {
  await seesOffer(anna, await anna.sends('How deep is the sea?'))
  expect(await questionsOf(anna)).toEqual([])
  await anna.taps(button)
  await seesAnswer(anna, 'How deep is the sea')
  await anna.sends('And the lake?')
  await seesAnswer(anna, 'And the lake')
  await anna.opens('/image a lake', /^Generate/)
  await anna.sees((message) => message.photo !== undefined)
  await seesOffer(anna, await anna.sends('And the river?'))
  await anna.taps(button)
  await seesAnswer(anna, 'And the river')
  await settled()
  await age('-')
  await seesOffer(anna, await anna.sends('And the pond?'))
  await age('+')
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?', 'And the lake?', 'And the river?'])
})

it('words after the button of /start or a command for questions, and replies to an answer, are asked at once', async () => {
  await anna.opens('/start', /^💬 Question/)
  await anna.sees(/send your question/)
  await anna.sends('How deep is the sea?')
  const answer = await seesAnswer(anna, 'How deep is the sea')
  await settled()
  await age('-')
  await anna.sends('And the lake?', { reply_to: answer.message_id })
  await seesAnswer(anna, 'And the lake')
  await age('+')
  await anna.asks('/new', /A new conversation/)
  await anna.sends('And the pond?')
  await seesAnswer(anna, 'And the pond')
  expect(await offersTo(anna)).toEqual([])
})

it('who has chosen so in /settings is always answered at once, until the choice is taken back', async () => {
  await anna.opens('/settings', /^✍️ Words alone: ask me/)
  await anna.isTold(/answer at once/)
  await anna.asks('/start', /Hello, Anna/)
  await anna.sends('How deep is the sea?')
  await seesAnswer(anna, 'How deep is the sea')
  await anna.opens('/settings', /^✍️ Words alone: answer/)
  await anna.isTold(/ask what to make/)
  await anna.sends('/start')
  await seesOffer(anna, await anna.sends('And the pond?'))
})

it('an offer whose price has risen shows the new price at the first tap and is accepted by the second', async () => {
  const offer = await seesOffer(anna, await anna.sends('How deep is the sea?'))
  await anna.opens('/model', /Model: /, /^(?!● ).*Grok/)
  await settled()
  await anna.tapsData(offer.message_id, 'cg')
  await anna.isTold(/price has changed/)
  await settled()
  const [shown] = await offersTo(anna)
  expect(shown?.message_id).toBe(offer.message_id)
  expect(shown && labelsOf(shown)).not.toEqual(labelsOf(offer))
  expect(await questionsOf(anna)).toEqual([])
  await anna.tapsData(offer.message_id, 'cg')
  await seesAnswer(anna, 'How deep is the sea')
})

it('an edited text, or a repeated update, keeps its offer; repeated taps ask the edited text once', async () => {
  const question = await anna.sends('How deep is the see?')
  const offer = await seesOffer(anna, question)
  const isOne = async () =>
    expect((await offersTo(anna)).map(({ message_id }) => message_id)).toEqual([offer.message_id])
  await handleLastAgain(sandbox, anna.id)
  await isOne()
  await anna.edits(question, 'How deep is the sea?')
  await settled()
  await isOne()
  await Promise.all([1, 2, 3].map(() => anna.tapsData(offer.message_id, 'cg').catch(() => undefined)))
  await seesAnswer(anna, 'How deep is the sea')
  await handleLastAgain(sandbox, anna.id)
  await settled()
  expect(await questionsOf(anna)).toEqual(['How deep is the sea?'])
})

it('a question for which the balance was too short is offered again after the top-up, and paid once', async () => {
  const boris = await sandbox.newcomer('Boris', 'en', { credit: '0' })
  const question = await boris.sends('How deep is the sea?')
  await seesOffer(boris, question)
  const short = await boris.tapsFor(button, /offer to answer this very question/)
  expect(labelsOf(short)).toEqual(
    ['💳 Top up ₽50.00', '₽100.00', '₽300.00'].map((label) =>
      expect.stringMatching(label.replace('.00', '(.00)?')),
    ),
  )
  await boris.pays(await boris.tapsFor([/Top up ₽50/, /Stars/], ({ invoice }) => invoice !== undefined))
  const again = await boris.sees(/Shall I answer/)
  expect(again.reply_to_message?.message_id).toBe(question.message_id)
  await expect.poll(() => offersTo(boris)).toHaveLength(1)
  await Promise.all([1, 2].map(() => boris.tapsData(again.message_id, 'cg').catch(() => undefined)))
  await seesAnswer(boris, 'How deep is the sea')
  await settled()
  expect(await questionsOf(boris)).toEqual(['How deep is the sea?'])
  expect(await offersTo(boris)).toEqual([])
})

it('the model and the shape of /settings are those of the next card, unless its words or a picture decide; news go off there', async () => {
  await anna.sends('/settings')
  await anna.taps('🎬 Video, model: auto')
  await anna.taps('🎬 Video, model: Reel')
  await anna.seesButton('🎬 Video, model: Wan')
  await anna.taps('🎬 Video, shape: auto')
  await anna.taps('🎬 Video, shape: 1:1')
  await anna.taps('🔔 News: on')
  await anna.seesButton('🔕 News: off')
  await anna.sends('/video a red fox')
  const card = await anna.sees(/Video · Wan[\s\S]*a red fox/)
  expect(labelsOf(card)).toContain('Aspect ratio: 16:9')
  await anna.sends('/video 9:16 a blue fox')
  expect(labelsOf(await anna.sees(/Video · Wan[\s\S]*a blue fox/))).toContain('Aspect ratio: 9:16')
  await anna.sendsFile(await jpeg(), '/video a green fox')
  expect(labelsOf(await anna.sees(/Video · Wan[\s\S]*a green fox/))).toContain('Aspect ratio: Auto')
  const [row] = await db().select().from(users).where(eq(users.telegramId, anna.id))
  expect(row).toMatchObject({ cardDefaults: { video: { model: 'MODEL-VIDEO-WAN', shape: '16x9' } } })
  expect(row?.newsOffAt).not.toBeNull()
})

const translate = /^🌐 Translate to English · ≈ ₽0\.\d\d$/
const shorten = /^✂️ Shorten · ≈ ₽0\.\d\d$/

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

it('a prompt in another language is translated by one tap, which is no part of the conversation; the previous model gets the original', async () => {
  const user = await sandbox.user('Anna')
  await user.asks('How deep is the sea? [short]', /How deep is the sea/)
  await opensForeign(user)
  await user.hears(translate, /Translating/)
  const card = await user.sees(/Prompt: kot na syorfe[\s\S]*Price: [\s\S]*Done, ₽0\.\d\d charged/)
  expect(labelsOf(card).join()).toMatch(/Generate/)
  const paid = { delivery: 'delivered', isEstimate: false }
  await expect.poll(() => turnsIn(sandbox, user)).toMatchObject([{}, paid])
  expect((await turnsIn(sandbox, user)).at(-1)?.captured).toBeGreaterThan(0n)
  await user.tapsFor([/^🎛 Model/, /^Design/], /Prompt: кот на сёрфе[\s\S]*Price/)
  await user.opens('And the lake?', /^💬 Ask · /)
  await user.sees(/And the lake/)
  expect(await lastAsked(sandbox)).toMatch(/How deep is the sea/)
  expect(await lastAsked(sandbox)).not.toMatch(/кот|kot/)
})

it('of two texts in another language, each question offers to translate its own', async () => {
  const kira = await sandbox.user('Kira')
  await kira.opens('/settings', '🖼 Picture, model: auto', '🖼 Picture, model: Design')
  await kira.seesButton('🖼 Picture, model: Photo')
  const offered = (message: SandboxMessage) => labelsOf(message).filter((label) => translate.test(label))
  for (const words of ['/image кот на сёрфе', 'пёс на льду'])
    expect(offered(await kira.asks(words, (one) => offered(one).length > 0))).toHaveLength(1)
  await kira.tapsFor(translate, /Prompt: pyos na ldu/)
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
  expect(await turnsIn(sandbox, jan)).toHaveLength(1)
  await jan.asks('/balance', /^Balance/)
  expect((await jan.chat()).some(({ text }) => /^Style\n/.test(text ?? ''))).toBe(false)
})

it('a failed rewriting costs nothing and is reported; the card stays, and the next tap works; nothing is rewritten below its price', async () => {
  const eva = await sandbox.user('Eva')
  await opensForeign(eva)
  await sandbox.breaks('gateway', 'chat', { kind: 'error', status: 500 })
  await sandbox.breaks('gateway', 'messages', { kind: 'error', status: 500 })
  const told = await eva.tapsFor(translate, /couldn’t be changed. Nothing was charged/)
  expect(labelsOf(told)).toEqual([])
  const failed = { state: 'failed', captured: 0n, delivery: 'delivered' }
  await expect.poll(() => turnsIn(sandbox, eva)).toMatchObject([failed])
  sandbox.faults.clear()
  await eva.tapsFor(translate, /kot na syorfe/)
  const hugo = await sandbox.user('Hugo', 'en', { credit: '0' })
  await opensForeign(hugo)
  await hugo.tapsFor(translate, /you’re ₽\d/)
  expect(await turnsIn(sandbox, hugo)).toEqual([])
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
  expect(await turnsIn(sandbox, ivan)).toHaveLength(1)
})
