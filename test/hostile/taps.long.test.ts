// Hostile callback data in the chat: data about rows that do not exist, and data that no button has.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wire } from '../support/telegram/tap-data.ts'
import type { SandboxUser } from '../support/users/user.ts'
import { type HostileChat, openHostileChat } from '../support/worlds/hostile-chat.ts'
import { junk } from './tables/taps.ts'

describe('a tap in the chat', () => {
  /** Data about rows that do not exist, and data that no button has. */
  const tapped = [...junk, ...Object.values<string>(wire)].filter((data) => data !== wire.deleteDataNow)
  const data = tapped.map((name) => ({ name }))
  const notices = new Map<string, string | undefined>()
  let chat: HostileChat
  beforeAll(async () => {
    chat = await openHostileChat()
    const queries = new Map<string, string>()
    const people = new Set<SandboxUser>()
    await chat.answersTo(data, async (user, { name }) => {
      people.add(user)
      const { callback_query_id: id = '' } = await user.tapsData(1, name)
      queries.set(id, name)
    })
    for (const answers of await Promise.all([...people].map((user) => user.answers()))) {
      for (const { callback_query_id: id, text } of answers) notices.set(queries.get(id) ?? '', text ?? '')
    }
  })
  afterAll(async () => {
    await chat.isWell()
    await chat.close()
  })

  it.each(junk)('with the data %j is answered as an outdated button', (name) => {
    expect(notices.get(name)).toMatch(/no longer works|outdated/)
  })

  it.each(data)('with the data $name is answered without an error', ({ name }) => {
    expect(notices.has(name)).toBe(true)
    expect(notices.get(name)).not.toMatch(/went wrong/)
  })
})
