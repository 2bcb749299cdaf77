// Groups of the local Telegram: members, administrators and what a bot among them receives.

import type { Bot } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser
let boris: SandboxUser

beforeEach(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  boris = await createUser(local.url, { first_name: 'Boris', id: 12 })
})
afterEach(() => local.discard())

async function group(admin: boolean): Promise<number> {
  const response = await fetch(`${local.url}/api/chats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Cats', members: [11, 12], admin }),
  })
  const chat: { id: number } = JSON.parse(await response.text())
  return chat.id
}

describe('a bot in a group', () => {
  it('can list the administrators, and is told that it was removed', async () => {
    const id = await group(false)
    expect(await bot.api.getChatAdministrators(id)).toMatchObject([{ status: 'creator', user: { id: 11 } }])
    await anna.in(id).removesBot()
    expect((await bot.api.getUpdates()).at(-1)?.my_chat_member).toMatchObject({
      from: { id: 11 },
      old_chat_member: { status: 'member' },
      new_chat_member: { status: 'left' },
    })
    await expect(bot.api.sendMessage(id, 'hi')).rejects.toThrow(
      'Forbidden: bot is not a member of the supergroup chat',
    )
  })

  it('reads the status of a member, who cannot write after having left', async () => {
    const id = await group(false)
    const status = async () => (await bot.api.getChatMember(id, 12)).status
    expect(await status()).toBe('member')
    await anna.in(id).setsMember(12, { status: 'administrator' })
    expect(await status()).toBe('administrator')
    await anna.in(id).setsMember(12, { status: 'left' })
    expect(await status()).toBe('left')
    await expect(boris.in(id).sends('hi')).rejects.toThrow('not in chat')
  })

  it('receives, as an administrator, every message, and reactions when it requests them', async () => {
    const id = await group(true)
    const said = await anna.in(id).sends('not for a bot')
    expect((await bot.api.getUpdates()).map((one) => one.message?.text)).toContain('not for a bot')
    await boris.in(id).reacts(said, '👍')
    const has = async () => (await bot.api.getUpdates()).flatMap((one) => one.message_reaction ?? [])
    expect(await has()).toEqual([])
    await bot.api.getUpdates({ allowed_updates: ['message_reaction'] })
    await boris.in(id).reacts(said, '🔥')
    expect(await has()).toMatchObject([
      { user: { id: 12 }, old_reaction: [{ emoji: '👍' }], new_reaction: [{ emoji: '🔥' }] },
    ])
    expect((await anna.in(id).chat())[0]).toMatchObject({ reactions: [{ emoji: '🔥' }] })
  })
})
