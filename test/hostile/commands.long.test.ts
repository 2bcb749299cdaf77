// Commands in odd spellings, links to the bot with odd payloads, and updates of unexpected shapes.

import { isNotNull } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../src/db/schema.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { commands, links } from './tables/commands.ts'
import { oddUpdates } from './tables/updates.ts'

const bot = 'sandbox_generation_bot'
const rows = commands.map(([name, reads]) => ({ name, reads }))

let chat: HostileChat
beforeAll(async () => {
  chat = await openHostileChat()
})
afterAll(() => chat.close())

describe('a command', () => {
  let answers: ReadonlyMap<string, string>
  beforeAll(async () => {
    answers = await chat.answersTo(rows, (user, { name }) => user.sends(name.replace('{bot}', bot)))
  })
  afterAll(() => chat.isWell())

  it.each(rows)('is answered as expected in the spelling $name', ({ name, reads }) => {
    expect(answers.get(name)).toMatch(reads)
  })
})

describe('a link to the bot', () => {
  const greetings = new Map<string, string | undefined>()
  const invited: string[] = []
  beforeAll(async () => {
    const names = new Map<number, string>()
    for (const link of links) {
      const user = await chat.sandbox.user('Anna')
      names.set(user.id, link)
      const { message_id: sent } = await user.sends(`/start ${link}`)
      const { text } = await user.sees(({ from, message_id }) => from?.is_bot === true && message_id > sent)
      greetings.set(link, text)
    }
    const found = await chat.sandbox.app.db.select().from(users).where(isNotNull(users.referrerId))
    invited.push(...found.map(({ telegramId }) => names.get(telegramId ?? 0) ?? 'unknown'))
  })
  afterAll(() => chat.isWell())

  it.each(links)(
    'with the payload %s greets the user or asks for an amount, and sets an inviter only if the payload is valid',
    (link) => {
      expect(greetings.get(link)).toMatch(link === 'topup' ? /^How much\?/ : /^👋 Hello, Anna!|^👛/)
      expect(invited.includes(link)).toBe(link === 'ref_1' || link === 'ref_01')
    },
  )
})

describe('an update', () => {
  const perUser = 10

  /** Has a new user send the updates in the places `from` to `from + perUser`; more at once would be refused as too fast. */
  async function sendOdd(from: number): Promise<number> {
    const user = await chat.sandbox.user('Anna')
    const group = { title: 'We', members: [user.id] }
    const { id: groupId } = await chat.sandbox.post<{ id: number }>('/api/chats', group)
    await user.sends('/start')
    await user.sees('Hello, Anna')
    const odd = Object.values(oddUpdates(user.id, groupId))
    const numbered = odd.map((one, at) => ({ update_id: 900_000_000 + at, ...one }) as unknown as Update)
    await storeUpdates({ db: chat.sandbox.app.db, clock: systemClock }, numbered.slice(from, from + perUser))
    return odd.length
  }

  it('of an unexpected shape is handled without an error', async () => {
    let count = perUser
    for (let from = 0; from < count; from += perUser) count = await sendOdd(from)
    // Some of the texts are questions, whose answers are charged.
    await chat.isWell(true)
  })
})
