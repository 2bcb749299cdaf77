// The guide: one setting after another in one message, answered by taps, texts and files, with the current price.

import { eq, like } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { aboutModel, guideStep } from '../../../src/bot/cards/guide-steps.ts'
import { models } from '../../../src/catalog/index.ts'
import { conversationStates, drafts, switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox()
afterEach(async () => void (await sandbox.app.db.delete(switches)))

const at = (step: number) => (message: SandboxMessage) =>
  message.from?.is_bot === true && new RegExp(`step ${step} of`).test(message.text ?? '')
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))
const isOrdinaryCard = (message: SandboxMessage) =>
  labelsOf(message).some((label) => label.startsWith('🪜 Step by step'))
const steps = async (user: SandboxUser) =>
  (await user.chat()).filter(({ text }) => /step \d+ of \d+/.test(text ?? ''))
const shownStep = async (user: SandboxUser) => (await steps(user)).at(-1)
const numbers = (message: SandboxMessage | undefined) =>
  [...(/step (\d+) of (\d+)/.exec(message?.text ?? '') ?? [])].slice(1).map(Number)
const hasButton = (label: RegExp) => (message: SandboxMessage) =>
  labelsOf(message).some((one) => label.test(one))

/** Goes on until a step that satisfies the condition is shown. */
async function walksTo(
  user: SandboxUser,
  isThere: (message: SandboxMessage) => boolean,
): Promise<SandboxMessage> {
  const shown = await shownStep(user)
  if (shown && isThere(shown)) return shown
  const [step = 0] = numbers(shown)
  await user.taps(/^(Skip|Next)/)
  await user.sees(at(step + 1))
  return walksTo(user, isThere)
}

it('every model has a line that describes its strengths, and a note of an earlier version is read', () => {
  expect(models.filter((model) => !aboutModel(model)).map(({ id }) => id)).toEqual([])
  const stepOf = (step: string | null) => guideStep.about.parse({ draftId: 'd', step }).step
  // Earlier versions wrote an empty string for a card.
  expect([stepOf('prompt'), stepOf(null), stepOf('')]).toEqual(['prompt', null, null])
})

describe('the guide after a command without a prompt', () => {
  it('asks one setting after another in one message, shows the price of each option, and ends with the card', async () => {
    const anna = await sandbox.user('Anna')
    await anna.sends('/video')
    expect((await anna.sees(at(1))).text).toMatch(/Prompt/)
    await anna.sends('a cat surfing')
    const asksModel = await anna.sees(at(2))
    expect(asksModel.text).toMatch(/Which model\?[\s\S]*Reel — .*[\s\S]*Wan — /)
    expect(labelsOf(asksModel).filter((label) => /(Reel|Wan|Dream) · \D?\d/.test(label))).toHaveLength(3)
    await anna.taps(/Reel · /)
    await anna.sees(at(3))
    const before = await walksTo(anna, hasButton(/^\d+ s · /))
    expect(before.text).toMatch(/Price: \S*92[.,]45/)
    await anna.taps(/^10 s · \S*184[.,]90/)
    const after = await anna.sees(({ text }) => /step \d.*[\s\S]*Price: \S*184[.,]90/.test(text ?? ''))
    expect(after.message_id).toBe(before.message_id)
    expect(await steps(anna)).toHaveLength(1)
    await anna.taps('✅ Show the card')
    const card = await anna.sees(isCard)
    expect(card.message_id).toBe(before.message_id)
    expect(card.text).toMatch(/a cat surfing[\s\S]*184[.,]90/)
    await anna.taps(/^Generate/)
    await anna.sees((message) => message.video !== undefined)
  })

  it('goes back, keeps the answer, skips with the default shown, and leaves by Cancel at the first step', async () => {
    const boris = await sandbox.user('Boris')
    await boris.sends('/image')
    await boris.sees(at(1))
    await boris.sends('a fox')
    await boris.sees(at(2))
    await boris.taps('‹ Back')
    expect((await boris.sees(at(1))).text).toContain('a fox')
    await boris.taps('Next ›')
    await boris.sees(at(2))
    await boris.taps(/^Next · .* ›$/)
    expect(labelsOf(await boris.sees(at(3)))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Skip · 1:1 ›$/)]),
    )
    await boris.taps(/^Skip · 1:1/)
    await boris.sees(at(4))
    for (const step of [3, 2, 1]) {
      await boris.taps('‹ Back')
      await boris.sees(at(step))
    }
    await boris.taps('✖ Cancel')
    await boris.isTold(/card/i)
    expect(await steps(boris)).toEqual([])
  })

  it('explains the options after a text that is none', async () => {
    const clara = await sandbox.user('Clara')
    await clara.sends('/image')
    await clara.sees(at(1))
    await clara.sends('a fox')
    await clara.sees(at(2))
    await clara.sends('дизайн')
    await clara.sees(at(3))
    await clara.sends('no such shape')
    await clara.sees(/no such option[\s\S]*Aspect|no such option[\s\S]*Proportions/)
    await clara.sends('16:9')
    await clara.sees(at(4))
    expect(await steps(clara)).toHaveLength(1)
  })

  it('offers a file at its step and takes the file', async () => {
    const dora = await sandbox.user('Dora')
    await dora.sends('/video')
    await dora.sees(at(1))
    await dora.sends('a cat')
    await dora.sees(at(2))
    await walksTo(dora, ({ text }) => /frame/i.test(text ?? ''))
    await dora.sendsFile(await png())
    const taken = await dora.sees(({ text }) => /step \d[\s\S]*🖼/.test(text ?? ''))
    expect(labelsOf(taken)).toEqual(expect.arrayContaining([expect.stringMatching(/^Next · 🖼/)]))
    await dora.taps('✅ Show the card')
    expect(labelsOf(await dora.sees(isCard)).join()).toContain('🖼')
  })
})

describe('the guide continues', () => {
  it("after a command and after the loss of the conversation's state: its buttons and replies still work", async () => {
    const emil = await sandbox.user('Emil')
    await emil.sends('/image')
    await emil.sees(at(1))
    await emil.sends('/balance')
    await emil.sees(/Balance/)
    await sandbox.app.db.delete(conversationStates).where(like(conversationStates.key, `${emil.chatId}:%`))
    const [asking] = await steps(emil)
    await emil.sends('a fox', { reply_to: asking?.message_id ?? 0 })
    await emil.sees(at(2))
    await sandbox.app.db.delete(conversationStates).where(like(conversationStates.key, `${emil.chatId}:%`))
    await emil.taps(/^Next · /)
    await emil.sees(at(3))
    const [draft] = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, emil.chatId))
    expect(draft?.answers).toMatchObject({ prompt: 'a fox' })
  })

  it('at the current step when a button of an earlier step is tapped, and says that the step is done', async () => {
    const fiona = await sandbox.user('Fiona')
    await fiona.sends('/image')
    await fiona.sees(at(1))
    await fiona.sends('a fox')
    const asking = await fiona.sees(at(2))
    const next = asking.reply_markup?.inline_keyboard?.flat().find(({ text }) => text.startsWith('Next'))
    await fiona.tapsData(asking.message_id, next?.callback_data ?? '')
    await fiona.sees(at(3))
    await fiona.tapsData(asking.message_id, next?.callback_data ?? '')
    await fiona.isTold(/That step is done/)
    expect((await steps(fiona)).at(-1)?.text).toMatch(/step 3/)
  })
})

it('the guide and an open question continue in the newly chosen language', async () => {
  const nina = await sandbox.user('Nina')
  await nina.sends('/image')
  await nina.sees(at(1))
  await nina.sends('/settings')
  await nina.taps(/Русский/)
  await nina.seesButton('● Русский')
  await nina.sends('лиса')
  await nina.sees(/шаг 2 из/)
  await nina.taps(/^✅/)
  await nina.taps(/^✏️/)
  await nina.sees(/Напишите ответ/)
  await nina.sends('/settings')
  await nina.taps(/English/)
  await nina.seesButton('● English')
  await nina.sends('a wolf')
  await nina.sees(/Prompt: a wolf/)
})

describe('two guides of one chat', () => {
  const opens = async (user: SandboxUser, command: string, title: RegExp) => {
    await user.sends(command)
    return user.sees((message) => at(1)(message) && title.test(message.text ?? ''))
  }
  const tapsOn = (user: SandboxUser, message: SandboxMessage, label: RegExp) => {
    const button = message.reply_markup?.inline_keyboard?.flat().find(({ text }) => label.test(text))
    return user.tapsData(message.message_id, button?.callback_data ?? '')
  }
  const isVideoAt = (step: number) => (message: SandboxMessage) =>
    at(step)(message) && /🎬 Reel/.test(message.text ?? '')

  it('Show the card on an older guide leaves the newer one waiting', async () => {
    const lena = await sandbox.user('Lena')
    const older = await opens(lena, '/image', /🖼 Design/)
    await opens(lena, '/video', /🎬 Reel/)
    await tapsOn(lena, older, /Show the card/)
    await lena.sees(isOrdinaryCard)
    await lena.sends('a cat surfing')
    await lena.sees(isVideoAt(2))
  })

  it('after Cancel in the newest guide, the next text answers the older one', async () => {
    const mila = await sandbox.user('Mila')
    await opens(mila, '/image', /🖼 Design/)
    const newer = await opens(mila, '/video', /🎬 Reel/)
    await tapsOn(mila, newer, /Cancel/)
    await mila.isTold(/card/i)
    await mila.sends('a red fox')
    await mila.sees(/step 2 of/)
  })
})

it('“Step by step” on a card begins at the first setting without an answer; advanced settings come last and on request', async () => {
  const hugo = await sandbox.user('Hugo')
  await hugo.sends('/video a cat')
  const card = await hugo.sees(isCard)
  await hugo.taps('🪜 Step by step')
  expect((await hugo.sees(at(2))).message_id).toBe(card.message_id)
  await hugo.taps(/Wan · /)
  expect((await hugo.sees(at(3))).text).toContain('Wan')
  const [shown = 0, count] = numbers(await walksTo(hugo, hasButton(/^⚙️/)))
  expect(shown).toBe(count)
  await hugo.taps(/^⚙️/)
  expect(numbers(await hugo.sees(at(shown + 1)))[1]).toBeGreaterThan(shown)
})

it('the guide does not offer a model that is switched off', async () => {
  await sandbox.app.db
    .insert(switches)
    .values({ name: modelSwitch('MODEL-VIDEO-DREAM'), since: new Date(), operatorId: 1 })
  const kira = await sandbox.user('Kira')
  await kira.sends('/video')
  await kira.sees(at(1))
  await kira.sends('a cat')
  expect(labelsOf(await kira.sees(at(2))).some((label) => label.includes('Dream'))).toBe(false)
})
