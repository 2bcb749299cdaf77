// The guide: one setting after another in one message, answered by taps, texts and files, with the current price.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { aboutModel } from '../../../src/bot/cards/card-view.ts'
import { models } from '../../../src/catalog/index.ts'
import { drafts } from '../../../src/db/schema.ts'
import { newGroup } from '../../support/users/group.ts'
import { handleLastAgain } from '../../support/users/handled-again.ts'
import { turnsIn } from '../../support/users/order.ts'
import { jpeg, png, song } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { dataOf, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

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
  await user.tapsFor(['⚙️ More', '🪜 Step by step'], (message) => isStep(message) && message.message_id > sent)
}

/** Goes on until a step that satisfies the condition is shown. */
async function walksTo(
  user: SandboxUser,
  isThere: (message: SandboxMessage) => boolean,
): Promise<SandboxMessage> {
  const shown = await user.sees(isStep)
  if (isThere(shown)) return shown
  await user.tapsFor(/^(Skip|Next)/, (message) => isStep(message) && message.text !== shown.text)
  return walksTo(user, isThere)
}

it('every model has a line that describes its strengths', () => {
  expect(models.filter((model) => !aboutModel(model)).map(({ id }) => id)).toEqual([])
})

it('a command without words asks for the prompt alone, and the card comes at once', async () => {
  const anna = await sandbox.user('Anna')
  const asked = await anna.asks(
    '/video',
    /🎬 Video · Reel[\s\S]*Prompt[\s\S]*For example: “A ginger cat surfs/,
  )
  expect(labelsOf(asked)).toEqual(['👆 Use this', '🎲 Surprise me', '⚙️ Settings first', '✖ Cancel'])
  expect((await anna.asks('a cat surfing', isCard)).text).toMatch(
    /🎬 Video · Reel[\s\S]*Prompt: a cat surfing/,
  )
  expect(await steps(anna)).toEqual([])
})

it.each([
  ['👆 Use this', /Prompt: A red fox in an autumn forest/],
  ['🎲 Surprise me', /Prompt: (?!A red fox)\w+ .+/],
])('“%s” puts a ready prompt onto the card, and the question is gone', async (button, prompt) => {
  const boris = await sandbox.user('Boris')
  await boris.opens('/image', button)
  expect((await boris.sees(isCard)).text).toMatch(prompt)
  expect((await boris.chat()).some(hasButton(/Surprise/))).toBe(false)
})

describe('the guide', () => {
  it('asks one setting after another in one message, shows the price of each option, and ends with the card', async () => {
    const anna = await sandbox.user('Anna')
    await begins(anna, '/video a cat surfing')
    const before = await walksTo(anna, hasButton(/^\d+ s · /))
    expect(before.text).toMatch(/Price: \S*92[.,]45/)
    const after = await anna.tapsFor(
      /^10 s · \S*184[.,]90/,
      (one) => isStep(one) && /Price: \S*184[.,]90/.test(one.text ?? ''),
    )
    expect(after.message_id).toBe(before.message_id)
    expect(await steps(anna)).toHaveLength(1)
    const card = await anna.tapsFor('✅ Enough, show the price', isCard)
    expect(card.message_id).toBe(before.message_id)
    expect(card.text).toMatch(/a cat surfing[\s\S]*184[.,]90/)
    await anna.tapsFor(/^Generate/, (message) => message.video !== undefined)
  })

  it('goes back, keeps the answer, skips with the default shown, and leaves by Close at the first step', async () => {
    const boris = await sandbox.user('Boris')
    await begins(boris, '/image a fox')
    const shape = await boris.sees(isStep)
    expect(labelsOf(shape)).toContainEqual(expect.stringMatching(/^Skip · 1:1 ›$/))
    expect((await boris.tapsFor('‹ Back', at(/Prompt/))).text).toContain('a fox')
    await boris.tapsFor(['Next ›', /^Skip · 1:1/], (one) => isStep(one) && one.text !== shape.text)
    await boris.tapsFor('‹ Back', (one) => isStep(one) && one.text === shape.text)
    await boris.tapsAll('‹ Back', '✖ Close')
    await boris.isTold(/card/i)
    expect(await steps(boris)).toEqual([])
  })

  it('keeps words that are no option of its step: they replace the prompt by a tap', async () => {
    const clara = await sandbox.user('Clara')
    await begins(clara, '/image a fox')
    await clara.sees(isStep)
    await clara.asks('16 by 9', (one) => isStep(one) && !/such option/.test(one.text ?? ''))
    await clara.tapsFor('‹ Back', isStep)
    await clara.asks('draw me a wolf instead', /no such option on this card/)
    await clara.tapsFor('✏️ Replace the prompt', /Aspect ratio: 16:9|draw me a wolf instead/)
    await clara.seesButton(/^Generate/)
  })

  it('offers a file at its step and takes the file', async () => {
    const dora = await sandbox.user('Dora')
    await begins(dora, '/video a cat')
    await walksTo(dora, ({ text }) => /frame/i.test(text ?? ''))
    const taken = await dora.attaches(await png(), '', (one) => isStep(one) && /🖼/.test(one.text ?? ''))
    expect(labelsOf(taken)).toEqual(expect.arrayContaining([expect.stringMatching(/^Next · 🖼/)]))
    expect(labelsOf(await dora.tapsFor('✅ Enough, show the price', isCard)).join()).toContain('🖼')
  })
})

it('a text file answers the step of the prompt', async () => {
  const gleb = await sandbox.user('Gleb')
  await begins(gleb, '/image a fox')
  await gleb.tapsFor('‹ Back', at(/Prompt/))
  const wolf = { bytes: Buffer.from('a wolf, in many words'), name: 'wolf.txt' }
  await gleb.sendsFile(wolf, '')
  await gleb.sees((one) => isStep(one) && !/Prompt/.test(one.text ?? ''))
  await gleb.tapsFor('✅ Enough, show the price', /Prompt: a wolf, in many words/)
})

describe('at a step,', () => {
  it('a text that is refused is translated by a tap, also when its message was handled again', async () => {
    const hugo = await sandbox.user('Hugo')
    await hugo.opens('/image a fox', /^🎛 Model/, /^Photo/)
    await hugo.tapsFor(['⚙️ More', '🪜 Step by step'], isStep)
    await hugo.tapsFor('‹ Back', at(/Prompt/))
    const refused = await hugo.asks('кот на сёрфе', hasButton(/^🌐 Translate/))
    await handleLastAgain(sandbox, hugo.id)
    await hugo.tapsData(refused.message_id, dataOf(refused, /^🌐/))
    await hugo.sees(/Prompt: kot na syorfe[\s\S]*Done, /)
    await handleLastAgain(sandbox, hugo.id)
    await hugo.asks('/balance', /Balance/)
    expect(await turnsIn(sandbox, hugo)).toHaveLength(1)
    expect((await hugo.chat()).filter(isCard)).toHaveLength(1)
  })

  it('a reply in a group to a refusal is the value, and nothing is asked of a text model', async () => {
    const { anna } = await newGroup(sandbox)
    await begins(anna, '/video a cat')
    const { message_id: step } = await walksTo(anna, hasButton(/^\d+ s/))
    const refused = await anna.asks('99', at(/from 3 to 15/), { reply_to: step })
    const told = await anna.asks('as it is', at(/need a number/), { reply_to: refused.message_id })
    await anna.asks('10', (one) => isStep(one) && !hasButton(/^\d+ s/)(one), { reply_to: told.message_id })
    await anna.tapsFor('✅ Enough, show the price', /Duration: 10 s|184[.,]90/)
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('words below a picture are the value of a number and of a choice', async () => {
    const rita = await sandbox.user('Rita')
    await begins(rita, '/video a cat')
    await walksTo(rita, hasButton(/^\d+ s · /))
    await rita.attaches(await jpeg(), '10', (one) => isStep(one) && !hasButton(/^\d+ s/)(one))
    await rita.tapsFor('✅ Enough, show the price', /Duration: 10 s|184[.,]90/)
    const paul = await sandbox.user('Paul')
    await begins(paul, '/image a fox')
    const shape = await paul.sees(at(/Aspect ratio/))
    await paul.attaches(await jpeg(), '16:9', (one) => isStep(one) && one.message_id > shape.message_id)
    await paul.tapsFor(
      '✅ Enough, show the price',
      (one) => isCard(one) && labelsOf(one).join().includes('16:9'),
    )
  })

  it('a voice message is offered to the text model with a price, while a chat goes on', async () => {
    const inga = await sandbox.user('Inga')
    await inga.asks('How deep is the sea? [short]', /How deep is the sea/)
    await begins(inga, '/video a cat')
    await walksTo(inga, hasButton(/^\d+ s · /))
    const offer = await inga.attaches({ ...(await song()), kind: 'voice' }, '', /need a number/)
    expect(labelsOf(offer)).toEqual([expect.stringMatching(/^💬 Answer · ≈ ₽/)])
    expect(await turnsIn(sandbox, inga)).toHaveLength(1)
  })

  it('a picture in place of the prompt is kept for its own setting, whatever is written below it', async () => {
    const lara = await sandbox.user('Lara')
    await begins(lara, '/video a cat')
    await lara.tapsFor('‹ Back', at(/Prompt/))
    for (const [count, caption] of ['a wolf', ''].entries()) {
      const kept = await lara.attaches(await jpeg(), caption, at(/Got it for “Frames”/))
      expect(kept.text).toContain('a cat')
      expect(kept.text).toMatch(count === 0 ? /🖼/ : /2 × 🖼/)
    }
    await lara.attaches({ name: 'a.bin', bytes: Buffer.from([1, 0, 2]) }, '', at(/I need text/))
  })
})

it('a picture on the open page of a text is offered as anywhere else', async () => {
  const mark = await sandbox.user('Mark')
  await mark.opens('/music a song about the sea', /^Vocals/, /^My own style/)
  await mark.sees(/Still needed: Style/)
  await mark.opens('soft pop', 'Style: soft pop')
  await mark.seesButton('‹ Back')
  await mark.attaches(await jpeg(), '', hasButton(/Animate the photo/))
})

it('a text that is typed for a card and refused is shortened by a tap', async () => {
  const nina = await sandbox.user('Nina')
  await nina.opens('/music a song about the sea', /^Vocals/, /^My own style/)
  await nina.sees(/Still needed: Style/)
  await nina.asks('soft pop '.repeat(200), hasButton(/^✂️ Shorten/))
  await nina.tapsFor(/^✂️ Shorten/, /Style: soft pop soft pop[\s\S]*Done, /)
})

describe('the guide continues', () => {
  it('after a command: a reply and words still answer its steps', async () => {
    const emil = await sandbox.user('Emil')
    await begins(emil, '/image a fox')
    const asking = await emil.tapsFor('‹ Back', at(/Prompt/))
    await emil.asks('/balance', /Balance/)
    const next = await emil.asks('a wolf', (one) => isStep(one) && one.message_id > asking.message_id, {
      reply_to: asking.message_id,
    })
    // The step below the answer waits for words, too.
    await emil.asks('16:9', (one) => isStep(one) && one.message_id > next.message_id)
    const [draft] = await sandbox.app.db.select().from(drafts).where(eq(drafts.chatId, emil.chatId))
    expect(draft?.answers).toMatchObject({ prompt: 'a wolf', size: '16:9' })
  })

  it('at the current step when a button of the earlier step is tapped twice', async () => {
    const fiona = await sandbox.user('Fiona')
    await begins(fiona, '/image a fox')
    const asking = await fiona.sees(isStep)
    const skip = dataOf(asking, /^Skip/)
    await fiona.tapsData(asking.message_id, skip)
    const later = await fiona.sees((one) => isStep(one) && one.text !== asking.text)
    await fiona.tapsData(asking.message_id, skip)
    await fiona.asks('/balance', /Balance/)
    expect((await shownStep(fiona))?.text).toBe(later.text)
  })

  it('at the card, when the button of a model on a guide of an earlier version is tapped', async () => {
    const kira = await sandbox.user('Kira')
    await begins(kira, '/video a cat')
    const step = await kira.sees(isStep)
    await kira.tapsData(step.message_id, dataOf(step, /^✅/).replace(/c$/, 'm:MODEL-VIDEO-WAN'))
    expect((await kira.sees(isCard)).text).toMatch(/Video · Wan/)
  })
})
