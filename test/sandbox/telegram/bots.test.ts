// Several bots on one local Telegram share the users and nothing else.

import { Bot } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

interface Access {
  id: number
  first_name: string
  username: string
  token: string
}

let local: LocalTelegram
let first: Bot
let anna: SandboxUser

beforeEach(async () => {
  local = await startTelegram()
  first = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
})
afterEach(() => local.discard())

async function ask(path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {}
  const response = await fetch(`${local.url}${path}`, init)
  return JSON.parse(await response.text())
}
const make = (wanted: object = {}): Promise<Access> => ask('/api/bots', wanted)
const botOf = (access: Access) => new Bot(access.token, { client: { apiRoot: local.url } })

describe('a bot made by POST /api/bots', () => {
  it('has a name, a username and a token of its own', async () => {
    const access = await make({ name: 'Second', username: 'second_bot' })
    expect(await botOf(access).api.getMe()).toMatchObject({
      id: access.id,
      first_name: 'Second',
      username: 'second_bot',
    })
    expect((await first.api.getMe()).id).not.toBe(access.id)
    const unnamed = await make()
    expect(unnamed.id).not.toBe(access.id)
    expect(await ask('/api/bots')).toMatchObject([{ token }, access, unnamed])
  })

  it('gets only messages that users write to it, and has its own chats with them', async () => {
    const access = await make()
    const second = botOf(access)
    const boris = await createUser(local.url, { first_name: 'Boris', id: 12 })
    await anna.sends('to the first')
    await anna.with(access.id).sends('to the second')
    await boris.with(access.id).sends('also to the second')
    const texts = async (bot: Bot) => (await bot.api.getUpdates()).map((one) => one.message?.text)
    expect(await texts(first)).toEqual(['to the first'])
    expect(await texts(second)).toEqual(['to the second', 'also to the second'])
    await second.api.sendMessage(anna.id, 'hello from the second')
    expect(await anna.with(access.id).transcript()).toContain('hello from the second')
    expect(await anna.transcript()).toBe('Anna: to the first')
  })

  it('cannot use a file of another bot', async () => {
    await anna.sends('hi')
    const access = await make()
    await anna.with(access.id).sends('hi')
    const sent = await anna.sendsFile({ name: 'a.txt', bytes: Buffer.from('hello') })
    const fileId = sent.document?.file_id ?? ''
    expect(await first.api.getFile(fileId)).toMatchObject({ file_size: 5 })
    await expect(botOf(access).api.getFile(fileId)).rejects.toThrow('invalid file_id')
  })

  it('can have a given token', async () => {
    const wanted = '123456:ABC-def_1'
    expect(await make({ token: wanted })).toMatchObject({ id: 123456, token: wanted })
    expect(await make({ token: wanted })).toMatchObject({ id: 123456 })
    expect(await ask('/api/bots')).toHaveLength(2)
    expect(await make({ token: '123456:other' })).toEqual({
      error: 'a user or another bot has the id of this token',
    })
    expect(await make({ token: 'nonsense' })).toEqual({
      error: 'a bot token has the form 123456:some-secret',
    })
  })

  it('exists after a restart, with its chats', async () => {
    const access = await make({ name: 'Second' })
    await anna.with(access.id).sends('remember me')
    await local.stop()
    local = await startTelegram({ folder: local.folder })
    const second = botOf(access)
    expect(await second.api.getMe()).toMatchObject({ first_name: 'Second' })
    expect((await second.api.getUpdates())[0]?.message?.text).toBe('remember me')
  })

  it('is not found by the id of a bot that does not exist', async () => {
    expect(await ask('/api/bots/5/chats')).toMatchObject({ error: expect.stringContaining('nothing is at') })
  })
})
