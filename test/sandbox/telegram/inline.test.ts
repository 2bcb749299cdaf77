// Inline mode of the local Telegram: queries, their answers, chosen results and the resulting messages.

import type { InlineKeyboard } from 'grammy'
import type { InlineQueryResult } from 'grammy/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'

describe('inline mode', () => {
  let local: LocalTelegram
  let bot: ReturnType<LocalTelegram['bot']>
  beforeEach(async () => {
    local = await startTelegram()
    bot = local.bot()
    for (const id of [11, 12]) await post('/api/users', { id, first_name: `User ${id}` })
    await post('/api/chats/11/messages', { from: 11, text: '/start' })
    seen = 0
    await fresh()
  })
  afterEach(() => local.discard())

  async function post<T>(path: string, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(local.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return JSON.parse(await answer.text())
  }
  let seen = 0
  /** The updates since the last call; waits for at least one. */
  async function fresh() {
    const updates = await bot.api.getUpdates({ offset: seen + 1, timeout: 5 })
    seen = updates.at(-1)?.update_id ?? seen
    return updates
  }
  const next = async () => (await fresh()).at(-1)
  const article = (id: string, reply_markup?: InlineKeyboard): InlineQueryResult => ({
    type: 'article',
    id,
    title: `Title ${id}`,
    input_message_content: { message_text: `<b>Text ${id}</b>`, parse_mode: 'HTML' },
    ...(reply_markup && { reply_markup }),
  })

  interface Asked {
    query_id: string
    results: { id: string; title: string }[]
    next_offset: string
  }
  /** Sends an inline query as the user in the chat, and answers it as the bot. */
  async function ask(
    from: number,
    results: InlineQueryResult[],
    other: object = {},
    chat = from,
    query = 'cat',
  ) {
    const answered = post<Asked>(`/api/chats/${chat}/inline`, { from, query })
    const update = await next()
    await bot.api.answerInlineQuery(update?.inline_query?.id ?? '', results, other)
    return { asked: await answered, inline_query: update?.inline_query }
  }

  it('sends the chosen result with via_bot, also into a group', async () => {
    const group = await post<{ id: number }>('/api/chats', { title: 'Studio', members: [11, 12] })
    await fresh()
    const { asked } = await ask(11, [article('a')], {}, group.id)
    const choice = { from: 11, query_id: asked.query_id, result_id: 'a' }
    const sent = await post<object>(`/api/chats/${group.id}/choices`, choice)
    expect(sent).toMatchObject({ from: { id: 11 }, via_bot: { id: 700000001 }, text: 'Text a' })
    expect((await next())?.message).toMatchObject({ chat: { id: group.id }, text: 'Text a' })
    const stranger = { ...choice, from: 12 }
    expect(await post(`/api/chats/${group.id}/choices`, stranger)).toHaveProperty('error')
  })

  it.each([
    ['of one id', [article('a'), article('a')], 'RESULT_ID_DUPLICATE'],
    ['of more than fifty', Array.from({ length: 51 }, (_, n) => article(String(n))), 'RESULTS_TOO_MUCH'],
    [
      'with an unknown file',
      [{ type: 'photo', id: 'p', photo_file_id: 'x' } as const],
      'wrong file identifier',
    ],
    [
      'with the address of a file',
      [{ type: 'photo', id: 'p', photo_url: 'http://a.b/c', thumbnail_url: '' } as const],
      'photo_file_id',
    ],
  ])('refuses results %s', async (_, results, words) => {
    const asked = post('/api/chats/11/inline', { from: 11, query: 'cat' })
    const id = (await next())?.inline_query?.id ?? ''
    await expect(bot.api.answerInlineQuery(id, results)).rejects.toThrow(words)
    await bot.api.answerInlineQuery(id, [])
    await asked
    await expect(bot.api.answerInlineQuery(id, [])).rejects.toThrow('query is too old')
  })
})
