// Inline mode: a user sends their own results into any chat by typing `@bot words` there.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { artifacts, users } from '../../../src/db/schema.ts'
import { lanesOf } from '../../../src/updates/inbox.ts'
import { order } from '../../support/users/order.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const fileOf = ({ photo, video, voice, audio, document }: SandboxMessage) =>
  (photo?.at(-1) ?? video ?? voice ?? audio ?? document)?.file_unique_id
const titles = async (user: SandboxUser, query: string) =>
  (await user.asksInline(query)).results.map(({ title }) => title)

describe('inline mode', () => {
  it('offers users their own results, the newest first, and sends one into any chat without its prompt', async () => {
    const anna = await sandbox.user('Anna')
    const boris = await sandbox.user('Boris')
    await order(sandbox, anna, '/image a red fox')
    await order(sandbox, anna, '/video a cat surfing')
    await order(sandbox, boris, '/image something of Boris')
    const group = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'Friends',
      members: [anna.id, boris.id],
    })
    const asked = await anna.in(group.id).asksInline('')
    expect(asked.results.map(({ type }) => type)).toEqual(['video', 'photo'])
    expect(asked.results[0]).toMatchObject({
      title: 'a cat surfing',
      description: expect.stringMatching(/^Reel · \d\d\/\d\d\/\d{4}$/),
    })
    expect(asked.button).toBeUndefined()
    const sent = await anna.in(group.id).chooses(asked, asked.results[1]?.id ?? '')
    const made = await anna.sees((message) => message.photo !== undefined)
    expect(fileOf(sent)).toBe(fileOf(made))
    expect(sent).toMatchObject({ from: { id: anna.id }, via_bot: { is_bot: true } })
    expect(sent.caption).toBeUndefined()
  })

  it('finds results by words of their prompts, in any case and order', async () => {
    const anna = await sandbox.user('Анна', 'ru')
    await order(sandbox, anna, '/image Рыжая ЛИСА в снегу')
    await order(sandbox, anna, '/image кот в снегу')
    expect(await titles(anna, 'снегу лиса')).toEqual(['Рыжая ЛИСА в снегу'])
    expect(await titles(anna, 'СНЕГ')).toHaveLength(2)
    const nothing = await anna.asksInline('собака')
    expect(nothing).toMatchObject({ results: [], button: { text: expect.stringMatching(/ничего нет/) } })
  })

  it('offers the results page by page, each once', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/image a fox')
    const [file] = await sandbox.app.db.select().from(artifacts).where(eq(artifacts.generationId, id))
    if (!file) throw new Error('the picture is stored')
    const more = Array.from({ length: 29 }, (_, at) => ({ ...file, position: at + 1 }))
    await sandbox.app.db.insert(artifacts).values(more)
    const first = await anna.asksInline('fox')
    expect(first.results).toHaveLength(20)
    const second = await anna.asksInline('fox', first.next_offset)
    const ids = [...first.results, ...second.results].map((one) => one.id)
    expect([ids.length, new Set(ids).size, second.next_offset]).toEqual([30, 30, ''])
  })

  it('leaves out a file that Telegram refuses, and offers the others', async () => {
    const anna = await sandbox.user('Anna')
    for (const at of [3, 4]) await order(sandbox, anna, `/image fox ${at}`)
    const id = await order(sandbox, anna, '/image a lost fox')
    await sandbox.app.db
      .update(artifacts)
      .set({ fileId: 'of-another-bot' })
      .where(eq(artifacts.generationId, id))
    const first = await anna.asksInline('')
    const second = first.next_offset ? await anna.asksInline('', first.next_offset) : undefined
    expect(first.results[0]?.title).toBe('fox 4')
    expect(first.results.length + (second?.results.length ?? 0)).toBeGreaterThan(1)
  })

  it('leads a stranger to the private chat, in their language, without making them a user', async () => {
    const stranger = await sandbox.user('Незнакомка', 'ru', {})
    const asked = await stranger.asksInline('лиса')
    expect(asked).toMatchObject({
      results: [],
      button: { text: expect.stringMatching(/Результатов пока нет/), start_parameter: 'inline' },
    })
    const known = await sandbox.app.db.select().from(users).where(eq(users.telegramId, stranger.id))
    expect(known).toEqual([])
    await stranger.asks(`/start ${asked.button?.start_parameter}`, /Незнакомка/)
  })

  it('offers a banned user nothing', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox')
    await sandbox.app.db.update(users).set({ bannedAt: new Date() }).where(eq(users.telegramId, anna.id))
    const asked = await anna.asksInline('')
    expect([asked.results, asked.button]).toEqual([[], undefined])
  })

  it('does not wait for other updates of the user', () => {
    const from = { id: 11, is_bot: false, first_name: 'Anna' }
    const inline_query = { id: '1', from, query: '', offset: '' }
    expect(lanesOf({ update_id: 1, inline_query })).toEqual({ chatId: undefined, personId: undefined })
  })
})
