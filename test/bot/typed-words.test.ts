// While something of the bot's waits for its user, typed words answer it or are offered to a text model with a price. They are never a paid
// question by themselves, also after the one-time consent to paid answers, which all users of these tests have given.

import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../src/db/schema.ts'
import { groupWithWallet } from '../support/users/group.ts'
import { turnsIn } from '../support/users/order.ts'
import { png } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const asks = /^💬 Ask · ≈ ₽/
/** Waits until this many questions of the user are asked. */
const areAsked = (count: number) => expect.poll(() => turnsIn(sandbox, anna)).toHaveLength(count)
const nothingIsAsked = async () => expect(await turnsIn(sandbox, anna)).toEqual([])

/** Sends words and sees them offered with a price, and asked of nobody. */
async function offered(words: string, told: RegExp): Promise<void> {
  const before = (await turnsIn(sandbox, anna)).length
  const { message_id } = await anna.sends(words)
  const offer = await anna.sees((one) => one.reply_to_message?.message_id === message_id)
  expect(offer.text).toMatch(told)
  expect(labelsOf(offer).at(-1)).toMatch(asks)
  expect(await turnsIn(sandbox, anna)).toHaveLength(before)
}

describe('words beside a fresh card that has all it needs', () => {
  beforeEach(async () => {
    await anna.sends('/image a cat')
    await anna.seesButton(/^Generate/)
    await offered('no, make it night', /card is still open, so nothing was changed or charged/)
  })

  it('are added to the prompt, or replace it, after a tap', async () => {
    await anna.tapsFor(/Add to the prompt/, /Prompt: a cat\nno, make it night[\s\S]*Price/)
    await offered('a wolf', /card is still open/)
    await anna.tapsFor(/Replace the prompt/, /Prompt: a wolf[\s\S]*Price/)
    await nothingIsAsked()
  })

  it('are asked after a tap on the price; the next words are offered again', async () => {
    await anna.tapsFor(asks, /no, make it night/)
    await areAsked(1)
    await offered('and a dog', /card is still open/)
    const [hello] = await anna.chat()
    await anna.sends('what was that?', { reply_to: hello?.message_id ?? 0 })
    await areAsked(2)
  })

  it('are a question again once the card is ordered, or once its price no longer counts', async () => {
    await anna.tapsFor(/^Generate/, /Done in/)
    await anna.sends('why is the sky blue?')
    await areAsked(1)
    await anna.asks('/image a dog', /a dog[\s\S]*Price/)
    const updatedAt = new Date(Date.now() - 16 * 60_000)
    await sandbox.app.db.update(drafts).set({ updatedAt }).where(eq(drafts.chatId, anna.id))
    await anna.sends('why is the sky blue?')
    await areAsked(2)
  })
})

it('words beside a card that lacks an answer become this answer', async () => {
  await anna.opens('/music a song about the sea', /^Vocals/, /^My own style/)
  await anna.sees(/Still needed: Style\. Write it here/)
  await anna.sends('soft pop')
  await anna.seesButton(/^Generate/)
  await anna.seesButton('Style: soft pop')
  await nothingIsAsked()
})

describe('words beside a menu say what is expected, and are asked only after a tap on the price:', () => {
  it.each([
    ['/delete_me', /Nothing was deleted or charged/],
    ['/settings', /Choose the language above/],
    ['/topup', /couldn’t read the amount/],
    ['/persona', /Choose the persona above/],
  ])('%s', async (command, told) => {
    await anna.asks(command, ({ from }) => from?.is_bot === true)
    await offered('what do you mean?', told)
    await anna.taps(asks)
    await areAsked(1)
    await anna.sends('why is the sky blue?')
    await areAsked(2)
  })

  it('the list of presets, unless it is empty', async () => {
    await anna.asks('/presets', /no presets yet/)
    await anna.sends('what are presets?')
    await areAsked(1)
    await anna.opens('/image a cat', '⚙️ More', /📌 Presets/, /Save as a preset/)
    await anna.sees(/Name of the preset/)
    await anna.asks('cats', /Saved as/)
    await anna.asks('/presets', /Your presets/)
    await offered('what are presets?', /Tap a preset above/)
  })

  it('the uses of a picture', async () => {
    await anna.sendsFile({ ...(await png()), kind: 'photo' })
    await anna.seesButton(/Animate the photo/)
    await offered('make it anime', /Choose above what to make/)
  })

  it('a command, or a choice, leaves the menu: the words after it are a question', async () => {
    await anna.sends('/settings')
    await anna.asks('/help', /What I can do/)
    await anna.sends('why is the sky blue?')
    await areAsked(1)
    await anna.opens('/persona', /Translator/)
    await anna.sends('why is the sky blue?')
    await areAsked(2)
  })
})

it('a number typed beside the limits of a wallet is the limit, other words are not', async () => {
  const group = await groupWithWallet(sandbox)
  anna = group.anna.in(group.anna.id)
  await anna.tapsFor('Limit per member', /or write another number of roubles/)
  await offered('quite a lot', /I need a limit in roubles/)
  await anna.asks('250', /Each member: up to ₽250 a day/)
  await nothingIsAsked()
})
