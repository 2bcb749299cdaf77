// What is typed while something of the bot waits for its user: a value for the page of a setting or for a question, also after the model was
// switched and as a reply in a group; other words answer a menu, or are offered to a text model with a price, and never asked unpaid for.

import { and, eq, isNotNull } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { drafts } from '../../src/db/schema.ts'
import { groupWithWallet, newGroup } from '../support/users/group.ts'
import { handleLastAgain } from '../support/users/handled-again.ts'
import { requestOf, turnsIn } from '../support/users/order.ts'
import { jpeg, png } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

const answer = /the short answer/

const withButtons = async () => (await anna.chat()).filter(({ reply_markup }) => reply_markup !== undefined)

async function opens(setting: RegExp): Promise<void> {
  await anna.taps(setting)
  await anna.seesButton('‹ Back')
}
const pages = async () => (await withButtons()).filter((message) => labelsOf(message).includes('‹ Back'))

/** Types a value, and waits for the button that shows it on the card, and until the page of the setting has lost its buttons. */
async function types(value: string, button: string | RegExp): Promise<void> {
  await anna.sends(value)
  await anna.seesButton(button)
  await expect.poll(pages).toEqual([])
}
const nothingIsAsked = async () => expect(await turnsIn(sandbox, anna)).toEqual([])
describe('beside the card of a video:', () => {
  beforeEach(async () => {
    await anna.sends('/video a cat')
    await anna.seesButton(/^Generate/)
  })

  describe('on the page of a setting,', () => {
    it('a number is the value and leaves one card below it, also with a unit and after a refusal', async () => {
      await opens(/^Duration/)
      const refused = [
        ['1,00,0', 'I couldn’t read the number. Write it like 1500 or 1.5.'],
        ['1.000', 'It must be from 3 to 15, and this is 1,000.'],
        ['700', 'It must be from 3 to 15'],
      ] as const
      for (const [typed, why] of refused) {
        await anna.asks(typed, why)
      }
      await types('10 секунд', 'Duration: 10 s')
      await anna.seesButton('Generate · ₽184.90')
      await expect.poll(withButtons).toHaveLength(1)
      expect((await anna.chat()).at(-1)).toEqual((await withButtons())[0])
      await anna.sends('12')
      await anna.seesButton(/^💬 Ask/)
      await nothingIsAsked()
    })

    it('a number is the value an hour later', async () => {
      await opens(/^Duration/)
      await sandbox.app.db
        .update(drafts)
        .set({ updatedAt: new Date(Date.now() - 60 * 60_000) })
        .where(eq(drafts.chatId, anna.id))
      await types('10', 'Duration: 10 s')
      await nothingIsAsked()
    })

    it('a number that replies to it is the value although another card was sent later', async () => {
      await opens(/^Duration/)
      const { message_id } = await anna.seesButton('‹ Back')
      await anna.asks('/image a fox', /a fox/)
      await anna.asks('10', /What are these words for/)
      await anna.sends('10', { reply_to: message_id })
      await anna.seesButton('Duration: 10 s')
      await nothingIsAsked()
    })

    it('options are recognised in other spellings, and models by their names in both languages', async () => {
      await opens(/^Aspect ratio/)
      await types('9х16', 'Aspect ratio: 9:16')
      await opens(/^🎛 Model/)
      await types('ван', 'Generate · ₽99.05')
      await opens(/^🎛 Model/)
      await anna.taps(/^Dream/)
      await anna.seesButton('Generate · ₽264.10')
      await opens(/^Duration/)
      await types('9 c', 'Duration: 9 s')
      await opens(/^Quality/)
      await types('4 К', /^Quality: 4k/)
      await nothingIsAsked()
    })

    it('a name selects a voice, and an id selects a voice that is not in the list', async () => {
      await anna.sends('/speech hello')
      await opens(/^Voice/)
      const page = await anna.seesButton('‹ Back')
      const labels = page.reply_markup?.inline_keyboard?.flat().map(({ text }) => text) ?? []
      const voice = labels.find((label) => !label.startsWith('●'))?.replace(/^\P{L}+/u, '') ?? ''
      await types(voice.toUpperCase(), `Voice: ${voice}`)
      await opens(/^Voice/)
      await types('narrator-07', 'Voice: narrator-07')
      await nothingIsAsked()
    })

    it('several names are several options, and a name after “Other” is its option', async () => {
      await opens(/^🎛 Model/)
      await types('Dream', 'Generate · ₽264.10')
      await anna.taps('⚙️ More')
      await opens(/^Effects/)
      await types('zoom in, Pan left', 'Generate · ₽264.10')
      expect(await requestOf(sandbox, anna)).toMatchObject({
        concepts: [{ key: 'zoom_in' }, { key: 'pan_left' }],
      })
      await anna.sends('/speech hello')
      await opens(/^Voice/)
      await anna.taps('✏️ Other…')
      await anna.asks('boris', /Prompt|Text: hello/)
      expect(await requestOf(sandbox, anna)).toMatchObject({ voice_setting: { voice_id: 'Deep_Voice_Man' } })
    })
  })

  it('a size in pixels, typed on the page of shapes, is the exact size', async () => {
    await anna.asks('/image a cat', /Picture · Design/)
    await anna.taps(/^Aspect ratio: 1:1/)
    await anna.asks('1024 х 768', /Exact size: 1024 х 768/)
    expect(await requestOf(sandbox, anna)).toMatchObject({ size: '1024x768' })
  })

  it('words are for a newer card, which lacks its style, not for the page', async () => {
    await opens(/^Duration/)
    await anna.sends('/music a song')
    await anna.taps('My own lyrics: off')
    await anna.asks('Over the sea', /Still needed: Style/)
    await anna.sends('sea shanty')
    await anna.seesButton('Style: sea shanty')
  })

  it('on an open page, a text that is no value, also below a picture, is refused, and never asked', async () => {
    const option = /no such option on this card/
    for (const [page, wrong, refusal] of [
      [
        /^Duration/,
        ['ten', '100%', 'Tell me about frame rates. '.repeat(20)],
        /need a number\. From 3 to 15/,
      ],
      [/^Aspect ratio/, ['9', '7:2'], option],
      [/^🎛 Model/, ['Drean'], option],
    ] as const) {
      await opens(page)
      for (const typed of wrong) await anna.asks(typed, refusal)
      await anna.seesButton(/^💬 Ask · ≈ ₽/)
      if (page.test('Duration'))
        for (const caption of ['what is on it?', '10']) await anna.attaches(await jpeg(), caption, refusal)
      await anna.taps('‹ Back')
    }
    await nothingIsAsked()
  })

  it('a picture is the value of an open page that takes pictures', async () => {
    await anna.taps('📎 Frames')
    await anna.attaches(await png(), '', /Got it: 1/)
    await anna.taps('✅ That’s all')
    await opens(/^Frames/)
    await anna.sendsFile(await jpeg())
    await anna.seesButton('Frames: 2 × 🖼')
  })

  it('a number that replies to another message is a question to the text model', async () => {
    const [hello] = await anna.chat()
    await opens(/^Duration/)
    await anna.asks('10', answer, { reply_to: hello?.message_id ?? 0 })
  })

  describe('while both a page and a question are open, a number answers', () => {
    const asksPrompt = async () => {
      await anna.opens('/image a dog', /Prompt/)
      return { reply_to: (await anna.sees(/Write the answer/)).message_id }
    }
    const opensNewer = async () => {
      await anna.asks('/video a bird', /Prompt: a bird/)
      await opens(/^Duration/)
      return { reply_to: (await anna.seesButton('‹ Back')).message_id }
    }

    it('the page of a newer card, and the question still takes a text', async () => {
      await asksPrompt()
      await opensNewer()
      await types('10', 'Duration: 10 s')
      await anna.asks('a fox', /Prompt: a fox/)
      await nothingIsAsked()
    })

    it('the question that came after the page, unless it replies to the page', async () => {
      const page = await opensNewer()
      await asksPrompt()
      await anna.sends('7', page)
      await anna.seesButton('Duration: 7 s')
      await anna.asks('10', /Prompt: 10/)
    })
  })
})

describe('After the model was switched,', () => {
  /** Taps a button of a fresh card of this command, which asks for something. @returns the question */
  async function asks(command: string, ...buttons: (string | RegExp)[]): Promise<SandboxMessage> {
    anna = await sandbox.user('Anna')
    const sent = await anna.sends(command)
    const card = await anna.seesBelow(sent, ({ reply_markup }) => reply_markup !== undefined)
    await anna.tapsAll(...buttons)
    return anna.seesBelow(card, /./)
  }
  async function switches(to: RegExp): Promise<void> {
    await anna.tapsAll('🎛 Model', to)
    await anna.seesButton('⚙️ More')
  }
  const isGone = ({ message_id }: SandboxMessage) =>
    expect.poll(async () => (await anna.chat()).map((one) => one.message_id)).not.toContain(message_id)

  it('a typed prompt goes onto the card', async () => {
    for (const [command, button, models] of [
      ['/video a cat', /^✏️ Prompt/, [/^Dream/, /^Wan/]],
      ['/speech hello', /^✏️ Text/, [/^Dialogue/]],
    ] as const) {
      const question = await asks(command, button)
      for (const model of models) await switches(model)
      const card = await anna.asks('Bob: a dog', /: Bob: a dog/)
      expect(card.text).toContain(`${models.at(-1)?.source.slice(1)}`)
      await isGone(question)
    }
  })

  it('a picture goes onto the card', async () => {
    await asks('/video a cat', /^📎 Frames/)
    await switches(/^Dream/)
    await anna.sendsFile(await png())
    await anna.seesButton('First frame: 🖼')
  })

  it('the question for a setting stays open, and an answer that the other model lacks is not taken', async () => {
    const seed = ['⚙️ More', '✏️ Seed'] as const
    await asks('/video a cat', ...seed)
    await anna.taps('‹ Back')
    await switches(/^Wan/)
    await anna.asks('1234567', /Seed: 1234567/)
    const question = await asks('/video a cat', ...seed)
    await anna.taps('‹ Back')
    await switches(/^Dream/)
    await anna.asks('1234567', /card is now for Dream, which doesn’t take this answer[\s\S]*a cat/)
    await isGone(question)
  })
})

describe('A reply in a group', () => {
  let boris: SandboxUser
  beforeEach(async () => {
    ;({ anna, boris } = await newGroup(sandbox))
  })

  /** Opens a card at the page of its duration. @returns the place of a reply to it */
  async function opensDuration() {
    await anna.opens('/video a cat', '⚙️ More', /^Duration/)
    return { reply_to: (await anna.seesButton('‹ Back')).message_id }
  }

  it('a value of the owner is taken once, also when its update is handled again; other words cost nothing', async () => {
    const told = await anna.asks('ten or so', /need a number/, await opensDuration())
    const refused = await anna.asks('99', /from 3 to 15/, { reply_to: told.message_id })
    await anna.asks('10', /Duration: 10 s/, { reply_to: refused.message_id })
    await handleLastAgain(sandbox, anna.id)
    await anna.asks('/help', /\/video/)
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('a reply by another member changes and costs nothing', async () => {
    await boris.asks('10', /somebody else’s card/, await opensDuration())
    await anna.taps('‹ Back')
    await anna.seesButton('Duration: 5 s')
    expect(await turnsIn(sandbox, anna)).toEqual([])
  })

  it('a reply that mentions the bot is a question to the text model', async () => {
    await anna.asks('@sandbox_generation_bot how long is best?', answer, await opensDuration())
  })

  it('a reply to the own card without an open page is offered with a price, and other replies are questions', async () => {
    await anna.sends('/video a cat')
    const card = await anna.seesButton(/^Generate/)
    const { message_id } = await anna.asks('what is a frame rate?', /card is still open/, {
      reply_to: card.message_id,
    })
    await anna.asks('what is a frame rate?', answer, { reply_to: message_id })
  })
})

const asks = /^💬 (?:Ask|Answer) · ≈ ₽/
/** Waits until this many questions of the user are asked. */
const areAsked = (count: number) => expect.poll(() => turnsIn(sandbox, anna)).toHaveLength(count)

/** Sends words and sees them offered with a price, and asked of nobody. */
async function offered(words: string, told: RegExp): Promise<void> {
  const before = (await turnsIn(sandbox, anna)).length
  const { message_id } = await anna.sends(words)
  const offer = await anna.sees((one) => one.reply_to_message?.message_id === message_id)
  expect(offer.text).toMatch(told)
  expect(labelsOf(offer)).toContainEqual(expect.stringMatching(asks))
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

  it('below a picture that no model takes, are offered as a question, too', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const picture = { kind: 'document', name: 'a.svg', bytes: svg, mime: 'image/svg+xml' }
    const offer = await anna.attaches(picture, 'what is on it?', /card is still open/)
    expect(labelsOf(offer)).toContainEqual(expect.stringMatching(asks))
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
    // The id of the message is stored after the message is shown.
    const isShown = and(eq(drafts.chatId, anna.id), eq(drafts.state, 'open'), isNotNull(drafts.cardMessageId))
    await expect.poll(() => sandbox.app.db.$count(drafts, isShown)).toBe(1)
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

describe('words beside a menu say what is expected, and become what a tap on a price says:', () => {
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
    await offered('Ann: Hi!\nBob: Hello!', /Choose above what to make/)
    await anna.seesButton(/Dialogue/)
    await offered('draw me a red fox', /Choose above what to make/)
    await anna.tapsFor(/Picture/, /Prompt: draw me a red fox[\s\S]*Price/)
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
