// Replies to a card in a group while it shows the page of a setting: the owner's reply is a value, and no reply is a paid question.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { turns } from '../../../src/db/schema.ts'
import { handleLastAgain } from '../../support/users/handled-again.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
let boris: SandboxUser

beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '500' })
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  const [one, other] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
  const group = { title: 'Surfers', members: [one.id, other.id] }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  anna = one.in(id)
  boris = other.in(id)
})

const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged
const answer = /the short answer/

async function opensDuration(): Promise<number> {
  await anna.sends('/video a cat')
  await anna.taps(/^Duration/)
  return (await anna.seesButton('‹ Back')).message_id
}

describe('a reply to the page of a setting', () => {
  it('by its owner is the value', async () => {
    const before = await spent()
    await anna.sends('10', { reply_to: await opensDuration() })
    await anna.seesButton('Duration: 10 s')
    expect(await spent()).toBe(before)
  })

  it('is not asked as a question when its update is handled again', async () => {
    const before = await spent()
    await anna.sends('10', { reply_to: await opensDuration() })
    await anna.seesButton('Duration: 10 s')
    await handleLastAgain(sandbox, anna.id)
    await anna.sends('/help')
    await anna.sees(/\/video/)
    expect(await spent()).toBe(before)
    expect(await sandbox.app.db.$count(turns)).toBe(0)
  })

  it('that is not a value costs nothing', async () => {
    const before = await spent()
    await anna.sends('ten or so', { reply_to: await opensDuration() })
    await anna.sees(/no such option on this card/)
    expect(await spent()).toBe(before)
  })

  it('by another member changes and costs nothing', async () => {
    const page = await opensDuration()
    const before = await spent()
    await boris.sends('10', { reply_to: page })
    await boris.sees(/somebody else’s card/)
    await anna.taps('‹ Back')
    await anna.seesButton('Duration: 5 s')
    expect(await spent()).toBe(before)
  })

  it('that mentions the bot is a question to the text model', async () => {
    await anna.sends('@sandbox_generation_bot how long is best?', { reply_to: await opensDuration() })
    await anna.sees(answer)
  })
})

it('a reply to the own card without an open page is offered with a price, and other replies are questions', async () => {
  await anna.sends('/video a cat')
  const card = await anna.seesButton(/^Generate/)
  await anna.sends('what is a frame rate?', { reply_to: card.message_id })
  const { message_id } = await anna.sees(/card is still open/)
  await anna.sends('what is a frame rate?', { reply_to: message_id })
  await anna.sees(answer)
})
