// Hostile texts in all places where people type: prompts, questions to text models, captions, personas, codes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jpeg } from '../support/users/pictures.ts'
import { type SandboxUser, textOf } from '../support/users/user.ts'
import { type HostileChat, isMarker, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { typed } from './tables/texts.ts'

/** A text as Telegram passes it on and as the app stores it. */
const passedOn = (text: string) =>
  text
    .replaceAll(/[\r\u2028-\u202e]|\u0333|\u033f|\u030a/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram turns exactly these into spaces.
    .replaceAll(/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/g, ' ')
    .toWellFormed()
    .trim()

const beginningOf = (text: string) => [...passedOn(text)].slice(0, 40).join('').trim()

let chat: HostileChat
let picture: Awaited<ReturnType<typeof jpeg>>
beforeAll(async () => {
  chat = await openHostileChat()
  picture = await jpeg()
})
afterAll(async () => {
  await chat.isWell(true)
  await chat.close()
})

/** Sends all rows before the tests. @returns a function that gives the bot's answer to a row */
function told(send: (user: SandboxUser, text: string) => Promise<unknown>, rows = typed) {
  let answers: ReadonlyMap<string, string>
  beforeAll(async () => {
    answers = await chat.answersTo(rows, (user, { text }) => send(user, text))
  })
  return (name: string) => answers.get(name)
}

/** Waits for an answer other than the one to the marking command, since the answer of a text model comes later than those to commands. */
const sendsAndReads = async (user: SandboxUser, { message_id: sent }: { message_id: number }) =>
  user.sees(({ from, text, message_id }) => from?.is_bot === true && !isMarker(text) && message_id > sent)

/** A third of the rows, for tests in which each row costs several updates. */
const some = typed.filter((_, at) => at % 3 === 0)

describe('the prompt of a card', () => {
  const answerTo = told((user, text) => user.sends(`/image ${text}`))
  it.each(typed)(
    'is shown on the card, or refused if it is not visible: $name',
    ({ name, text, isBlank }) => {
      const answer = answerTo(name)
      if (isBlank) return expect(answer).toMatch(/Prompt\nDescribe|Write the answer/)
      if (text.includes('media.invalid')) return expect(answer).toMatch(/cannot|format|Write/)
      expect(answer).toContain(`Prompt: ${beginningOf(text)}`)
      expect(answer).toContain('[Generate · ₽')
    },
  )
})

describe('the persona of text models', () => {
  const answerTo = told((user, text) => user.sends(`/persona ${text}`), some)
  it.each(some)(
    'is shown in the settings, or refused if it is not visible: $name',
    ({ name, text, isBlank }) => {
      const answer = answerTo(name)
      expect(answer).toContain('Persona')
      if (isBlank) expect(answer).not.toContain('[● ')
      else expect(answer).toContain(beginningOf(text))
    },
  )
})

describe('a promo code', () => {
  /** The answers, each read at once, since the next code deletes the bot's question for another code. */
  const answers = new Map<string, string>()
  told(async (user, text) => {
    const answer = await sendsAndReads(user, await user.sends(`/promo ${text}`))
    answers.set(text, textOf(answer))
  }, some)
  it.each(some)('is refused if it is $name', ({ text }) => {
    expect(answers.get(text)).toMatch(/There is no such promo code|wrong codes in a row|Which promo code/)
  })
})

describe('a question to a text model', () => {
  const answerTo = told(async (user, text) => sendsAndReads(user, await user.sends(text)), some)
  it.each(some)('is answered, or refused if it is not visible: $name', ({ name, isBlank }) => {
    const answer = answerTo(name)
    if (isBlank) expect(answer).toContain('I can read pictures, text files and PDF')
    else expect(answer).toMatch(/About “|Про «/)
  })
})

describe('the caption of a picture', () => {
  const answerTo = told(async (user, text) => sendsAndReads(user, await user.sendsFile(picture, text)), some)
  it.each(some)('is taken as a question, or ignored if it is not visible: $name', ({ name, isBlank }) => {
    const answer = answerTo(name)
    if (isBlank) expect(answer).toContain('What shall I do with this picture?')
    else expect(answer).toMatch(/About “|Про «/)
  })
})

describe('the caption of a picture for a card', () => {
  const answerTo = told((user, text) => user.sendsFile(picture, `/video ${text}`), some)
  it.each(some)('is the prompt of the card, or ignored if it is not visible: $name', ({ name, isBlank }) => {
    expect(answerTo(name)).toMatch(isBlank ? /Prompt\nDescribe/ : /Generate/)
  })
})
