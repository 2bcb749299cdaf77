// The actions of a bot in a group as a member and as an administrator: bans, rights, titles, pins, reactions.

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

async function group(admin: boolean, forum = false): Promise<number> {
  const response = await fetch(`${local.url}/api/chats`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Cats', members: [11, 12], admin, forum }),
  })
  const chat: { id: number } = JSON.parse(await response.text())
  return chat.id
}

describe('a bot that is a member', () => {
  it('may not ban, promote, pin or rename', async () => {
    const id = await group(false)
    const said = await anna.in(id).sends('hi')
    const refusals = [
      [bot.api.banChatMember(id, 12), 'not enough rights to restrict/unrestrict chat member'],
      [bot.api.promoteChatMember(id, 12, { can_manage_chat: true }), 'not enough rights'],
      [
        bot.api.pinChatMessage(id, said.message_id),
        'not enough rights to manage pinned messages in the chat',
      ],
      [bot.api.setChatTitle(id, 'Dogs'), 'not enough rights to change chat info'],
    ] as const
    for (const [done, text] of refusals) await expect(done).rejects.toThrow(`Bad Request: ${text}`)
  })

  it('can count the members, list the administrators, and leave', async () => {
    const id = await group(false)
    expect(await bot.api.getChatMemberCount(id)).toBe(3)
    expect(await bot.api.getChatAdministrators(id)).toMatchObject([{ status: 'creator', user: { id: 11 } }])
    await bot.api.leaveChat(id)
    await expect(bot.api.sendMessage(id, 'hi')).rejects.toThrow(
      'Forbidden: bot is not a member of the supergroup chat',
    )
  })

  it('finds no administrators in a private chat', async () => {
    await anna.sends('hi')
    await expect(bot.api.getChatAdministrators(11)).rejects.toThrow(
      'there are no administrators in the private',
    )
  })
})

describe('a bot that is an administrator', () => {
  it('can ban and unban a member, and gets updates about it when it requests them', async () => {
    const id = await group(true)
    await bot.api.getUpdates({ allowed_updates: ['chat_member'] })
    await bot.api.banChatMember(id, 12, { until_date: 5 })
    expect(await bot.api.getChatMember(id, 12)).toMatchObject({ status: 'kicked', until_date: 5 })
    await expect(boris.in(id).sends('hi')).rejects.toThrow('not in chat')
    await bot.api.unbanChatMember(id, 12)
    expect(await bot.api.getChatMember(id, 12)).toMatchObject({ status: 'left' })
    const changes = (await bot.api.getUpdates()).map((one) => one.chat_member?.new_chat_member.status)
    expect(changes.filter(Boolean)).toEqual(['kicked', 'left'])
  })

  it('cannot ban the owner or itself', async () => {
    const id = await group(true)
    await expect(bot.api.banChatMember(id, 11)).rejects.toThrow("can't remove chat owner")
    await expect(bot.api.banChatMember(id, 700000001)).rejects.toThrow("can't restrict self")
  })

  it('can take the right to write and give it back', async () => {
    const id = await group(true)
    await bot.api.restrictChatMember(id, 12, { can_send_messages: false })
    expect(await bot.api.getChatMember(id, 12)).toMatchObject({
      status: 'restricted',
      can_send_messages: false,
    })
    await expect(boris.in(id).sends('hi')).rejects.toThrow('may not write here')
    await bot.api.promoteChatMember(id, 12, { can_manage_chat: true })
    await bot.api.setChatAdministratorCustomTitle(id, 12, 'Cat lover')
    expect(await bot.api.getChatMember(id, 12)).toMatchObject({
      status: 'administrator',
      can_manage_chat: true,
      can_pin_messages: false,
      custom_title: 'Cat lover',
    })
    await bot.api.promoteChatMember(id, 12, {})
    await boris.in(id).sends('hi')
  })

  it('can change the title and the description, which getChat returns', async () => {
    const id = await group(true)
    await bot.api.setChatTitle(id, 'Dogs')
    await bot.api.setChatDescription(id, 'Only dogs')
    expect(await bot.api.getChat(id)).toMatchObject({ title: 'Dogs', description: 'Only dogs' })
    await expect(bot.api.setChatDescription(id, 'Only dogs')).rejects.toThrow('description is not modified')
    expect((await anna.in(id).chat()).map((one) => one.new_chat_title)).toEqual(['Dogs'])
  })

  it('can pin messages; getChat returns the last pinned one', async () => {
    const id = await group(true)
    const [one, two] = [await anna.in(id).sends('one'), await anna.in(id).sends('two')]
    await bot.api.pinChatMessage(id, one.message_id)
    await bot.api.pinChatMessage(id, two.message_id)
    expect(await bot.api.getChat(id)).toMatchObject({ pinned_message: { text: 'two' } })
    await bot.api.unpinChatMessage(id)
    expect(await bot.api.getChat(id)).toMatchObject({ pinned_message: { text: 'one' } })
    await bot.api.unpinAllChatMessages(id)
    expect(await bot.api.getChat(id)).not.toHaveProperty('pinned_message')
  })

  it('receives every message, and reactions when it requests them', async () => {
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
  })

  it('can make topics and invite links', async () => {
    const id = await group(true, true)
    const { message_thread_id } = await bot.api.createForumTopic(id, 'Cats')
    expect(await bot.api.sendMessage(id, 'hi', { message_thread_id })).toMatchObject({
      message_thread_id,
      is_topic_message: true,
    })
    await bot.api.closeForumTopic(id, message_thread_id)
    await bot.api.deleteForumTopic(id, message_thread_id)
    await expect(bot.api.sendMessage(id, 'hi', { message_thread_id })).rejects.toThrow('thread not found')
    const { invite_link } = await bot.api.createChatInviteLink(id, { name: 'Friends' })
    expect(await bot.api.revokeChatInviteLink(id, invite_link)).toMatchObject({
      name: 'Friends',
      is_revoked: true,
    })
  })
})
