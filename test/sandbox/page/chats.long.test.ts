// The list of chats, and the input: commands, inline queries, and what cannot be sent.

import { InlineKeyboard } from 'grammy'
import type { InlineQueryResult } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executablePath, interrupt } from '../../support/users/browser.ts'
import { openPageStage, type PageStage } from '../../support/users/page-stage.ts'
import type { SandboxUser } from '../../support/users/user.ts'

describe.skipIf(!executablePath)('chats on the chat page', () => {
  let stage: PageStage
  let anna: SandboxUser
  beforeAll(async () => {
    stage = await openPageStage()
  })
  afterAll(() => stage?.close())
  beforeEach(async () => {
    anna = await stage.arrive()
  })

  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(stage.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return JSON.parse(await answer.text())
  }
  const group = (title: string) => post<{ id: number }>('/api/chats', { title, members: [anna.id] })

  it('show the newest message of every chat, whether or not it is open', async () => {
    const { id, bot } = stage
    const { id: groupId } = await group('Studio')
    await bot.api.sendMessage(groupId, 'in the group')
    await id(`chat-${groupId}`).filter({ hasText: 'in the group' }).waitFor()
    await id(`chat-${groupId}`).click()
    await stage.texts('in the group').waitFor()
    expect(await id(`chat-${anna.id}`).textContent()).toContain('hello')
    await bot.api.sendMessage(anna.id, 'in private')
    await id(`chat-${anna.id}`).filter({ hasText: 'in private' }).waitFor()
    await bot.api.sendMessage(groupId, 'again in the group')
    await id(`chat-${groupId}`).filter({ hasText: 'again in the group' }).waitFor()
    await id(`chat-${anna.id}`).click()
    await stage.texts('in private').waitFor()
    expect(await id(`chat-${groupId}`).textContent()).toContain('again in the group')
  })

  it('open the reply field for a selective question only for the person who is mentioned or replied to', async () => {
    const { id, bot } = stage
    const boris = await stage.user('Boris')
    const { id: chatId } = await post<{ id: number }>('/api/chats', {
      title: 'Questions',
      members: [anna.id, boris.id],
    })
    const isAsked = () => id('context-bar').isVisible()
    const ask = (html: string, more = {}) =>
      bot.api.sendMessage(chatId, html, {
        parse_mode: 'HTML',
        reply_markup: { force_reply: true, selective: true },
        ...more,
      })
    await stage.open(anna, chatId)
    await ask(`<a href="tg://user?id=${boris.id}">Boris</a>, how long?`)
    await stage.texts('how long?').waitFor()
    expect(await isAsked()).toBe(false)
    await stage.open(boris, chatId)
    await id('context-bar').filter({ hasText: 'how long?' }).waitFor()
    const { message_id } = await anna.in(chatId).sends('/video@sandbox_bot')
    await ask('which video?', { reply_parameters: { message_id } })
    await stage.texts('which video?').waitFor()
    expect(await id('context-bar').textContent()).toContain('how long?')
    await stage.open(anna, chatId)
    await id('context-bar').filter({ hasText: 'which video?' }).waitFor()
  })

  it('show a message that arrives while an older list of messages is on its way', async () => {
    const { bot, page } = stage
    const { id: chatId } = await group('In between')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const eventSeen = new Promise((resolve) => devtools.once('Network.eventSourceMessageReceived', resolve))
    await page.route(
      `**/api/chats/${chatId}/messages`,
      async (route) => {
        const response = await route.fetch()
        await bot.api.sendMessage(chatId, 'newer than the list')
        await eventSeen
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await stage.open(anna, chatId)
    await stage.texts('newer than the list').waitFor()
  })

  it('show the answer to a tap only to the person who tapped', async () => {
    const { bot, id } = stage
    const boris = await stage.user('Boris')
    const members = [anna.id, boris.id]
    const { id: chatId } = await post<{ id: number }>('/api/chats', { title: 'Taps', members })
    await stage.open(boris, chatId)
    const keyboard = { inline_keyboard: [[{ text: 'Press', callback_data: 'p' }]] }
    await bot.api.sendMessage(chatId, 'a button', { reply_markup: keyboard })
    const answers = async (who: SandboxUser, text: string) => {
      const { callback_query_id = '' } = await who.in(chatId).taps('Press')
      await bot.api.answerCallbackQuery(callback_query_id, { text, show_alert: true })
    }
    await answers(anna, 'for Anna')
    await answers(boris, 'for Boris')
    await id('alert').waitFor()
    expect(await id('alert').allTextContents()).toEqual([expect.stringContaining('for Boris')])
  })

  it('show users and groups that were created in another tab', async () => {
    const { id } = stage
    const boris = await stage.user('Boris')
    const { id: groupId } = await group('Made elsewhere')
    await id(`chat-${groupId}`).waitFor()
    await id('user-switch').click()
    await id(`user-${boris.id}`).click()
    await id('user-switch').filter({ hasText: 'Boris' }).waitFor()
  })

  it('list the commands: Enter sends the typed text, Tab completes it, a click sends a command', async () => {
    const { id, bot } = stage
    await bot.api.setMyCommands([
      { command: 'video', description: 'Make a video' },
      { command: 'voices', description: 'List the voices' },
    ])
    await stage.open(anna)
    const types = async (key: string) => {
      await id('input').pressSequentially('/v')
      await id('command-video').waitFor()
      await id('input').press(key)
    }
    await types('Enter')
    await anna.sees((one) => one.text === '/v')
    expect(await id('input').inputValue()).toBe('')
    await types('Tab')
    expect(await id('input').inputValue()).toBe('/video ')
    await id('input').fill('')
    await id('commands-button').click()
    await id('command-voices').click()
    await anna.sees((one) => one.text === '/voices')
  })

  it('list the results of an inline query, which a button can type, and send the one that is chosen', async () => {
    const { id, bot } = stage
    const asks = (words: string) => id('input').fill(`@sandbox_generation_bot ${words}`)
    const article = (words: string): InlineQueryResult => ({
      type: 'article',
      id: words,
      title: `Result ${words}`,
      description: 'One of yours',
      input_message_content: { message_text: `Here is ${words}` },
    })
    async function answer(wanted: string, results: InlineQueryResult[]) {
      const asked = async () => (await bot.api.getUpdates({ offset: -1 }))[0]?.inline_query
      await expect.poll(async () => (await asked())?.query).toBe(wanted)
      await bot.api.answerInlineQuery((await asked())?.id ?? '', results, { cache_time: 0 })
    }
    await asks('red')
    await answer('red', [article('a cat'), article('a dog')])
    const dog = id('inline-result').filter({ hasText: 'a dog' })
    await dog.waitFor()
    // An inline query is not sent as a message: Enter moves the focus to the results.
    await id('input').press('Enter')
    expect((await anna.chat()).length).toBe(1)
    await dog.click()
    await stage.texts('Here is a dog').waitFor()
    expect(await id('via').textContent()).toBe('via @sandbox_generation_bot')
    expect([await id('input').inputValue(), await id('inline-panel').isVisible()]).toEqual(['', false])
    await asks('none')
    await answer('none', [])
    await id('inline-note').filter({ hasText: 'Nothing found' }).waitFor()
    await id('input').fill('@somebody else')
    expect(await id('inline-panel').isVisible()).toBe(false)
    await id('input').fill('')
    const keyboard = new InlineKeyboard().switchInlineCurrent('Mine', 'cats')
    await bot.api.sendMessage(anna.id, 'Done', { reply_markup: keyboard })
    await id('inline-button').filter({ hasText: 'Mine' }).click()
    expect(await id('input').inputValue()).toBe('@sandbox_generation_bot cats')
    await id('inline-panel').waitFor()
  })

  it('keep the written text when it cannot be sent', async () => {
    const { id, page } = stage
    const connect = await interrupt(page, '**/messages', 'POST')
    await id('input').fill('in vain')
    await id('input').press('Enter')
    await id('toast').waitFor()
    expect(await id('input').inputValue()).toBe('in vain')
    connect()
    await id('input').press('Enter')
    await anna.sees((one) => one.text === 'in vain')
  })

  it('throw no errors', () => {
    expect(stage.errors).toEqual([])
  })
})
