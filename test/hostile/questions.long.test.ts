// Hostile answers to the bot's requests for an e-mail address or a name, hostile names of files, and hostile inline queries.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shownName } from '../../src/users/user.ts'
import { order } from '../support/users/order.ts'
import { jpeg, ordered } from '../support/users/pictures.ts'
import { type SandboxUser, textOf } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { names } from './tables/names.ts'
import { emails, queries } from './tables/questions.ts'

let chat: HostileChat
beforeAll(async () => {
  chat = await openHostileChat({ RECEIPT_VAT_CODE: '1' })
})
afterAll(async () => {
  await chat.isWell(true)
  await chat.close()
})

/** Sends a text. @returns the bot's first answer */
async function answerTo(user: SandboxUser, text: string): Promise<string> {
  const { message_id: sent } = await user.sends(text)
  return textOf(await user.sees(({ from, message_id }) => from?.is_bot === true && message_id > sent))
}

describe('an e-mail address', () => {
  /** Every third refused address, since each takes an update and an answer in the chat. */
  const refused = emails.filter(([, address]) => address === undefined).filter((_, at) => at % 3 === 0)
  const answers = new Map<string, string>()
  beforeAll(async () => {
    await inPortions(refused, 20, async (portion) => {
      const user = await chat.sandbox.user('Anna')
      await user.sends('/topup 500')
      await user.taps(/YooKassa/)
      await user.sees('receipt')
      for (const [typed] of portion) answers.set(typed, await answerTo(user, typed))
      expect(await answerTo(user, 'anna@example.ru')).toContain('anna@example.ru')
    })
  })

  it.each(refused)('%j is refused in the chat', (typed) => {
    expect(answers.get(typed)).toContain('That does not look like an e-mail address')
  })
})

/** The names that can be sent as a text: Telegram drops texts of spaces alone and removes direction overrides. */
const sendable = names.filter(([given]) => !/^[ \0\u202e]*$/.test(given))
/** Every eighth name, since each costs several updates. */
const some = sendable.filter((_, at) => at % 8 === 1)
const blank = sendable.filter(([, shown]) => shown === '')

/** Splits the rows, one portion for each person, since the bot accepts thirty updates of one person at once. */
const inPortions = <T>(rows: readonly T[], size: number, play: (portion: readonly T[]) => Promise<void>) =>
  Promise.all(
    Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
      play(rows.slice(at * size, at * size + size)),
    ),
  )

describe('the name of a preset', () => {
  const answers = new Map<string, string>()
  beforeAll(async () => {
    await inPortions(some, 6, async (portion) => {
      const user = await chat.sandbox.user('Anna')
      for (const [given] of portion) {
        const { message_id: sent } = await user.sends('/image a fox')
        await user.sees(({ message_id, text = '' }) => message_id > sent && text.includes('Price'))
        await user.taps('⭐ Presets')
        await user.taps(/Save these settings/)
        await user.sees('What shall these settings be called?')
        answers.set(given, await answerTo(user, given))
      }
    })
  })

  it.each(some)('%j is shown as its visible part, or refused', (given, shown) => {
    const { length } = [...shown]
    const refused =
      length === 0 ? 'I’m waiting for words here' : `Too long: ${length.toLocaleString('en')} characters`
    expect(answers.get(given)).toContain(length > 30 || length === 0 ? refused : `Saved as “${shown}”`)
  })
})

describe('the name of a style', () => {
  let user: SandboxUser
  beforeAll(async () => {
    user = await chat.sandbox.user('Anna')
    await user.sends('/image a fox')
    await user.taps('⚙️ More settings')
    await user.taps(/(Own|My) style/)
    await user.taps('➕ New style')
    await user.sees(/What should the style be called/)
  })

  it.each(blank)('%j is refused as empty', async (given) => {
    expect(await answerTo(user, given)).toContain('I need a few words first')
  })

  it('is passed to the gateway as it is shown', async () => {
    expect(await answerTo(user, '\u2067<b>Sea</b>\r\n of { $name }\u2069')).toContain(
      'Send one to 5 pictures',
    )
    await user.sendsFile(await jpeg())
    await user.taps('✅ That’s all')
    await user.sees('“<b>Sea</b> of { $name }” is ready')
    expect(await ordered(chat.sandbox, /styles$/)).toMatchObject([{ name: '<b>Sea</b> of { $name }' }])
  })
})

describe('the name of a file sent with a question', () => {
  const long = `${'x'.repeat(4000)}.txt`
  const rows = [...some, [long, shownName(long)] as const]
  beforeAll(async () => {
    const send = async (user: SandboxUser, { name }: { name: string }) => {
      const bytes = Buffer.from('hello')
      const { message_id: sent } = await user.sendsFile(
        { kind: 'document', name, mime: 'text/plain', bytes },
        'What is it?',
      )
      await user.sees(({ message_id, text = '' }) => message_id > sent && text.includes('What is it?'))
    }
    await chat.answersTo(
      rows.map(([name]) => ({ name })),
      send,
    )
  })

  it.each(rows)(
    '%j is passed to the text model as its visible part, at most 100 characters',
    async (given, shown) => {
      const asked = JSON.stringify(await ordered(chat.sandbox, /completions$/))
      const name = [...shown].slice(0, 100).join('')
      expect(asked, given).toContain(JSON.stringify(`${name || 'file'}:\n\`\`\`\nhello`).slice(1, -1))
    },
  )
})

describe('an inline query', () => {
  const found = new Map<number, unknown>()
  beforeAll(async () => {
    const boris = await chat.sandbox.user('Boris')
    await order(chat.sandbox, boris, '/image a red fox of Boris')
    await inPortions([...queries.entries()], 20, async (portion) => {
      const anna = await chat.sandbox.user('Anna')
      await order(chat.sandbox, anna, '/image a red fox')
      for (const [at, [query, offset]] of portion) {
        const { results, button } = await anna.asksInline(query, offset)
        found.set(at, [results.map(({ title }) => title), button?.text])
      }
    })
  })

  it.each(queries.map((row, at) => [...row, at] as const))(
    '%j with the offset %j finds a result: %j',
    (_, offset, isFound, at) => {
      const isPastEnd = !isFound && offset !== ''
      const nothing = [[], isPastEnd ? undefined : expect.any(String)]
      expect(found.get(at)).toEqual(isFound ? [['a red fox'], undefined] : nothing)
    },
  )
})
