// The guide: one setting after another in one message, answered by taps, texts and files, with the current price.

import { eq, like } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { aboutModel } from '../../../src/bot/cards/card-view.ts'
import { guideStep } from '../../../src/bot/cards/guide-steps.ts'
import { models } from '../../../src/catalog/index.ts'
import { conversationStates, drafts } from '../../../src/db/schema.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()

const isStep = ({ from, reply_markup }: SandboxMessage) =>
  from?.is_bot === true &&
  (reply_markup?.inline_keyboard ?? [])
    .flat()
    .some(({ callback_data = '' }) => /^g:\w+:c$/.test(callback_data))
/** The step that asks for this setting. */
const at = (label: RegExp) => (message: SandboxMessage) => isStep(message) && label.test(message.text ?? '')
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))
const steps = async (user: SandboxUser) => (await user.chat()).filter(isStep)
const shownStep = async (user: SandboxUser) => (await steps(user)).at(-1)
const hasButton = (label: RegExp) => (message: SandboxMessage) =>
  labelsOf(message).some((one) => label.test(one))

/** Opens a card and its guide. */
async function begins(user: SandboxUser, command: string): Promise<void> {
  const { message_id: sent } = await user.sends(command)
  await user.taps('⚙️ More')
  await user.taps('🪜 Step by step')
  await user.sees((message) => isStep(message) && message.message_id > sent)
}

/** Goes on until a step that satisfies the condition is shown. */
async function walksTo(
  user: SandboxUser,
  isThere: (message: SandboxMessage) => boolean,
): Promise<SandboxMessage> {
  const shown = await user.sees(isStep)
  if (isThere(shown)) return shown
  await user.taps(/^(Skip|Next)/)
  await user.sees((message) => isStep(message) && message.text !== shown.text)
  return walksTo(user, isThere)
}

it('every model has a line that describes its strengths, and a note of an earlier version is read', () => {
  expect(models.filter((model) => !aboutModel(model)).map(({ id }) => id)).toEqual([])
  const stepOf = (step: string | null) => guideStep.about.parse({ draftId: 'd', step }).step
  // Earlier versions wrote an empty string for a card.
  expect([stepOf('prompt'), stepOf(null), stepOf('')]).toEqual(['prompt', null, null])
})

it('a command without words asks for the prompt alone, and the card comes at once', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video')
  const asked = await anna.sees(/🎬 Video · Reel[\s\S]*Prompt[\s\S]*For example: “A ginger cat surfs/)
  expect(labelsOf(asked)).toEqual(['👆 Use this', '🎲 Surprise me', '⚙️ Settings first', '✖ Cancel'])
  await anna.sends('a cat surfing')
  expect((await anna.sees(isCard)).text).toMatch(/🎬 Video · Reel[\s\S]*Prompt: a cat surfing/)
  expect(await steps(anna)).toEqual([])
})

it.each([
  ['👆 Use this', /Prompt: A red fox in an autumn forest/],
  ['🎲 Surprise me', /Prompt: (?!A red fox)\w+ .+/],
])('“%s” puts a ready prompt onto the card, and the question is gone', async (button, prompt) => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/image')
  await boris.taps(button)
  expect((await boris.sees(isCard)).text).toMatch(prompt)
  expect((await boris.chat()).some(hasButton(/Surprise/))).toBe(false)
})

it('a model that understands English only gets an English example', async () => {
  const vera = await sandbox.user('Вера', 'ru')
  await vera.sends('/image')
  await vera.taps('⚙️ Сначала настройки')
  await vera.taps('🎛 Модель')
  await vera.taps(/^Фото/)
  await vera.taps('✏️ Описание')
  await vera.taps('👆 Взять это')
  await vera.sees(/Фото[\s\S]*Описание: A red fox/)
})

it('the question about a photo replies to it and names it, and the card keeps it', async () => {
  const clara = await sandbox.user('Clara')
  const { message_id } = await clara.sendsFile(await png())
  await clara.taps(/^🎬/)
  const asked = await clara.sees(/📎 Frames: 🖼[\s\S]*For example: “the camera moves in/)
  expect(asked.reply_to_message?.message_id).toBe(message_id)
  await clara.sends('it smiles')
  expect(labelsOf(await clara.sees(isCard))).toContain('Frames: 🖼')
})

describe('the guide', () => {
  it('asks one setting after another in one message, shows the price of each option, and ends with the card', async () => {
    const anna = await sandbox.user('Anna')
    await begins(anna, '/video a cat surfing')
    const before = await walksTo(anna, hasButton(/^\d+ s · /))
    expect(before.text).toMatch(/Price: \S*92[.,]45/)
    await anna.taps(/^10 s · \S*184[.,]90/)
    const after = await anna.sees((one) => isStep(one) && /Price: \S*184[.,]90/.test(one.text ?? ''))
    expect(after.message_id).toBe(before.message_id)
    expect(await steps(anna)).toHaveLength(1)
    await anna.taps('✅ Enough, show the price')
    const card = await anna.sees(isCard)
    expect(card.message_id).toBe(before.message_id)
    expect(card.text).toMatch(/a cat surfing[\s\S]*184[.,]90/)
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.video !== undefined)
  })

  it('goes back, keeps the answer, skips with the default shown, and leaves by Close at the first step', async () => {
    const boris = await sandbox.user('Boris')
    await begins(boris, '/image a fox')
    const shape = await boris.sees(isStep)
    expect(labelsOf(shape)).toContainEqual(expect.stringMatching(/^Skip · 1:1 ›$/))
    await boris.taps('‹ Back')
    expect((await boris.sees(at(/Prompt/))).text).toContain('a fox')
    await boris.taps('Next ›')
    await boris.taps(/^Skip · 1:1/)
    await boris.sees((one) => isStep(one) && one.text !== shape.text)
    await boris.taps('‹ Back')
    await boris.sees((one) => isStep(one) && one.text === shape.text)
    await boris.taps('‹ Back')
    await boris.taps('✖ Close')
    await boris.isTold(/card/i)
    expect(await steps(boris)).toEqual([])
  })

  it('explains the options after a text that is none', async () => {
    const clara = await sandbox.user('Clara')
    await begins(clara, '/image a fox')
    const { text } = await clara.sees(isStep)
    await clara.sends('no such shape')
    await clara.sees(/no such option/)
    await clara.sends('16:9')
    await clara.sees((one) => isStep(one) && one.text !== text && !/no such/.test(one.text ?? ''))
    expect(await steps(clara)).toHaveLength(1)
  })

  it('offers a file at its step and takes the file', async () => {
    const dora = await sandbox.user('Dora')
    await begins(dora, '/video a cat')
    await walksTo(dora, ({ text }) => /frame/i.test(text ?? ''))
    await dora.sendsFile(await png())
    const taken = await dora.sees((one) => isStep(one) && /🖼/.test(one.text ?? ''))
    expect(labelsOf(taken)).toEqual(expect.arrayContaining([expect.stringMatching(/^Next · 🖼/)]))
    await dora.taps('✅ Enough, show the price')
    expect(labelsOf(await dora.sees(isCard)).join()).toContain('🖼')
  })

  it('asks for advanced settings last and on request', async () => {
    const hugo = await sandbox.user('Hugo')
    await begins(hugo, '/video a cat')
    const last = await walksTo(hugo, hasButton(/^⚙️/))
    await hugo.taps('⚙️ More')
    expect((await hugo.sees((one) => isStep(one) && one.text !== last.text)).text).toMatch(/Quality/)
  })
})

describe('the guide continues', () => {
  const forgets = (user: SandboxUser) =>
    sandbox.app.db.delete(conversationStates).where(like(conversationStates.key, `${user.chatId}:%`))

  it("after a command and after the loss of the conversation's state: its buttons and replies still work", async () => {
    const emil = await sandbox.user('Emil')
    await begins(emil, '/image a fox')
    await emil.taps('‹ Back')
    const asking = await emil.sees(at(/Prompt/))
    await emil.sends('/balance')
    await emil.sees(/Balance/)
    await forgets(emil)
    await emil.sends('a wolf', { reply_to: asking.message_id })
    const next = await emil.sees((one) => isStep(one) && one.message_id > asking.message_id)
    await forgets(emil)
    await emil.taps(/^Skip · /)
    await emil.sees((one) => isStep(one) && one.text !== next.text)
    const [draft] = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, emil.chatId))
    expect(draft?.answers).toMatchObject({ prompt: 'a wolf' })
  })

  it('at the current step when a button of an earlier step is tapped, and says that the step is done', async () => {
    const fiona = await sandbox.user('Fiona')
    await begins(fiona, '/image a fox')
    const asking = await fiona.sees(isStep)
    const skip = asking.reply_markup?.inline_keyboard?.flat().find(({ text }) => text.startsWith('Skip'))
    await fiona.tapsData(asking.message_id, skip?.callback_data ?? '')
    const later = await fiona.sees((one) => isStep(one) && one.text !== asking.text)
    await fiona.tapsData(asking.message_id, skip?.callback_data ?? '')
    await fiona.isTold(/That step is done/)
    expect((await shownStep(fiona))?.text).toBe(later.text)
  })

  it('at the card, when the button of a model on a guide of an earlier version is tapped', async () => {
    const kira = await sandbox.user('Kira')
    await begins(kira, '/video a cat')
    const { message_id, reply_markup } = await kira.sees(isStep)
    const done = reply_markup?.inline_keyboard?.flat().find(({ text }) => text.startsWith('✅'))
    await kira.tapsData(message_id, (done?.callback_data ?? '').replace(/c$/, 'm:MODEL-VIDEO-WAN'))
    expect((await kira.sees(isCard)).text).toMatch(/Video · Wan/)
  })
})

it('the guide and an open question continue in the newly chosen language', async () => {
  const nina = await sandbox.user('Nina')
  await nina.sends('/image')
  await nina.sees(/For example/)
  await nina.sends('/settings')
  await nina.taps(/Русский/)
  await nina.seesButton('● Русский')
  await nina.sends('лиса')
  await nina.taps('⚙️ Ещё')
  await nina.taps('🪜 По шагам')
  await nina.taps(/^✅ Хватит/)
  await nina.taps(/^✏️/)
  await nina.sees(/Напишите ответ/)
  await nina.sends('/settings')
  await nina.taps(/English/)
  await nina.seesButton('● English')
  await nina.sends('a wolf')
  await nina.sees(/Prompt: a wolf/)
})

it('after Close in the newest of two guides, the next text answers the older one', async () => {
  const mila = await sandbox.user('Mila')
  await begins(mila, '/image a fox')
  const older = await mila.sees(isStep)
  await begins(mila, '/video a cat')
  await mila.sees((one) => isStep(one) && /Video/.test(one.text ?? ''))
  await mila.taps('‹ Back')
  await mila.taps('✖ Close')
  await mila.isTold(/card/i)
  await mila.sends('16:9')
  await mila.sees((one) => isStep(one) && /Design/.test(one.text ?? '') && one.message_id > older.message_id)
})
