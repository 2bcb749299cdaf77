// Hostile names of people and groups, as they are shown to the people themselves, to members of their groups and to operators.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type SandboxUser, textOf } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { names } from './tables/names.ts'

/** Replaces the number that is shown for a person without a visible name. */
const number = '#…'
const numbered = (text = '') => text.replace(/#\d+(?=!| · —)/, number)
/** Every second name, since the test of one name takes half a dozen updates. */
const some = names.filter((_, at) => at % 2 === 0).map(([name, shown]) => ({ name, shown }))
const bossId = 9000

interface Seen {
  readonly greeting: string
  readonly inGroup: string
  readonly ofWallet: string
  readonly byOperator: string
}

let chat: HostileChat
let boss: SandboxUser
const seen = new Map<string, Seen>()

/** Sends a text. @returns the bot's first answer */
const answerTo = async (user: SandboxUser, text: string) => {
  const { message_id: sent } = await user.sends(text)
  return textOf(await user.sees(({ from, message_id }) => from?.is_bot === true && message_id > sent))
}

async function look(name: string): Promise<Seen> {
  const user = await chat.sandbox.user(name)
  const greeting = await answerTo(user, '/start')
  const title = name
  const { id } = await chat.sandbox.post<{ id: number }>('/api/chats', { title, members: [user.id] })
  const group = user.in(id)
  await answerTo(group, '/wallet')
  await group.taps('Open a wallet')
  const inGroup = textOf(await group.sees('The group wallet is open'))
  const ofWallet = await answerTo(user, '/wallet')
  return { greeting, inGroup, ofWallet, byOperator: await answerTo(boss, `/user ${user.id}`) }
}

beforeAll(async () => {
  chat = await openHostileChat({ ADMIN_IDS: String(bossId) })
  boss = await createUser(chat.sandbox.url, { first_name: 'Boss', language_code: 'en', id: bossId })
  for (const { name } of some) seen.set(name, await look(name))
})
afterAll(async () => {
  await chat.isWell()
  await chat.close()
})

describe('the visible part of a name', () => {
  it.each(some)('is shown in the greeting, in the group and to an operator: $name', ({ name, shown }) => {
    const read = seen.get(name)
    expect(numbered(read?.greeting)).toContain(`Hello, ${shown.replace('#1', number) || number}!`)
    expect(read?.inGroup).toContain(`is open, ${shown || '—'} pays.`)
    expect(read?.ofWallet).toContain(`👛 ${shown || '—'} · on`)
    expect(numbered(read?.byOperator)).toContain(`👤 ${shown.replace('#1', number) || number} · —`)
  })
})
