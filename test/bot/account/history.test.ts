// The history of orders: the list page by page, receipts, filters, favourites and removed orders; “Send again”, which sends results free, by
// the file ids of Telegram, into the chat and topic of the tap; and inline mode, which sends own results into any chat.

import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { artifacts, generations, transfers, users } from '../../../src/db/schema.ts'
import { lanesOf } from '../../../src/updates/inbox.ts'
import { alone, groupOf, newGroup, newTopic } from '../../support/users/group.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const isList = ({ text = '' }: SandboxMessage) => /^🗂 Your orders/.test(text)
const isOpened = (message: SandboxMessage) => textOf(message).includes('\nDetails\n')
const ofOrder = async (id: string) =>
  (await sandbox.app.db.select().from(generations).where(eq(generations.id, id)))[0]

describe('the list of orders', () => {
  it('has the newest orders first, page by page, with a button for each and one for the filter', async () => {
    const anna = await sandbox.user('Anna')
    await anna.asks('/history', /Nothing here yet/)
    for (const at of [1, 2, 3, 4, 5, 6]) await order(sandbox, anna, `/image лиса ${at}`)
    const first = /1–5 of 6[\s\S]*1\. .*· ₽5.28\nлиса 6\n.*✅ done/
    const second = /6 of 6[\s\S]*6\. [\s\S]*лиса 1/
    expect(labelsOf(await anna.asks('/history', first))).toEqual(
      '1|2|3|4|5|›|🖼 Show as an album|🔎 Filter'.split('|'),
    )
    expect(labelsOf(await anna.tapsFor('›', second)).slice(0, 2)).toEqual(['6', '‹'])
    await anna.tapsFor('6', /Picture · [\s\S]*лиса 1/)
    await anna.tapsFor(/^‹ /, second)
    await anna.tapsFor('‹', first)
  })

  it('does not show removed orders, which can be put back; no money moves', async () => {
    const clara = await sandbox.user('Clara')
    for (const animal of ['fox', 'cat']) await order(sandbox, clara, `/image a ${animal}`)
    await clara.asks('/history', /1–2 of 2/)
    const money = await sandbox.app.db.$count(transfers)
    await clara.tapsAll('1', '🗑 Hide')
    await clara.isTold(/Hidden from the list/)
    expect((await clara.sees(/, 1 of 1/)).text).not.toContain('a cat')
    expect((await clara.asksInline('')).results.map(({ title }) => title)).toEqual(['a fox'])
    await clara.tapsFor(['1', '🗑 Hide'], /You’ve hidden all your orders/)
    await clara.tapsFor(['🔎 Filter', 'Hidden'], /, 1–2 of 2[\s\S]*a cat/)
    await clara.tapsAll('1', '↩️ Show it again')
    await clara.isTold(/Back on the list/)
    await clara.tapsFor(['🔎 Filter: Hidden', 'All'], /, 1 of 1[\s\S]*a cat/)
    expect(await sandbox.app.db.$count(transfers)).toBe(money)
  })
})

describe('a receipt', () => {
  it('says what was paid for what', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/video a cat surfing')
    const text = textOf(await openReceipt(anna))
    expect(text).toMatch(/^🎬 Video · [\s\S]*Charged: ₽92.45 \(5 s × ₽18.49\)\n/)
    expect(text).toMatch(
      /Details\nOrdered: .* Moscow time\nDone: .*\n(Delivered: .*\n)?Order: \S+\nTask: \S+\n🎲 Seed: \d+/,
    )
    for (const part of [id, String((await ofOrder(id))?.taskId), 'a cat surfing'])
      expect(text).toContain(part)
  })

  it('gives the reason of a failure and the returned money, and has no button to send a result', async () => {
    const anna = await sandbox.user('Anna')
    await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'the cat is wet' })
    await anna.opens('/video a wet cat', /^Generate/)
    await anna.sees(/Something went wrong/)
    const receipt = await openReceipt(anna)
    expect(receipt.text).toMatch(/❌ failed[\s\S]*Charged: ₽0\nCame back: ₽92.45/)
    const [again, ...others] = labelsOf(receipt)
    expect(again).toMatch(/^🔁 Again · /)
    expect(others).toEqual(['✏️ Change', '🤍 Favourite', '🗑 Hide', '‹ To the list'])
  })

  it('is a text in place of a picture or a voice message that Telegram has lost', async () => {
    for (const command of ['/image a fox', '/speech Good morning! The weather is fine.']) {
      const anna = await sandbox.user('Anna')
      const id = await order(sandbox, anna, command)
      await sandbox.app.db.update(artifacts).set({ fileId: 'gone' }).where(eq(artifacts.generationId, id))
      expect((await openReceipt(anna)).text).toMatch(/\nDetails\n/)
      await anna.tapsFor('‹ To the list', isList)
      await expect
        .poll(async () => (await anna.chat()).filter((one) => isList(one) || isOpened(one)))
        .toHaveLength(1)
    }
  })
})

it('in a group everybody sees the orders made there, and only the owner of an order can open its receipt', async () => {
  const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
  const id = await groupOf(sandbox, anna, boris)
  await order(sandbox, anna, '/image something private')
  await order(sandbox, anna.in(id), '/image something for all')
  const list = await anna.in(id).asks('/history', /Your orders, 1 of 1[\s\S]*something for all/)
  await boris.in(id).hears('1', /not yours/)
  await anna.in(id).tapsFor('1', (message) => message.message_id === list.message_id && isOpened(message))
})

describe('Send again:', () => {
  const fileOf = ({ photo, video, voice, audio, document }: SandboxMessage) =>
    (photo?.at(-1) ?? video ?? voice ?? audio ?? document)?.file_unique_id

  /** Taps “Send again” on the receipt of the newest order. @returns the receipt, and the files that the bot sent, in their order */
  async function sendAgain(user: SandboxUser, count = 1) {
    const receipt = await openReceipt(user)
    const below = new Map<number, SandboxMessage>()
    await user.taps(/Send again/)
    await user.sees((message) => {
      if (message.message_id > receipt.message_id && fileOf(message)) below.set(message.message_id, message)
      return below.size >= count
    })
    return { receipt, files: [...below.values()].toSorted((a, b) => a.message_id - b.message_id) }
  }

  const artifactsOf = (id: string) =>
    sandbox.app.db.select().from(artifacts).where(eq(artifacts.generationId, id)).orderBy(artifacts.position)
  const change = (id: string, to: Partial<typeof artifacts.$inferInsert>) =>
    sandbox.app.db.update(artifacts).set(to).where(eq(artifacts.generationId, id))

  describe('an opened order', () => {
    it.each([
      ['a picture', '/image a fox', 'photo'],
      ['a video', '/video a cat', 'video'],
      ['a voice message', '/speech Good morning! The weather is fine.', 'voice'],
      ['a song', '/music a calm song about the sea', 'audio'],
    ] as const)('shows %s with its receipt, and sends it again free of charge', async (_, command, kind) => {
      const anna = await sandbox.user('Anna')
      await order(sandbox, anna, command)
      const first = (await anna.chat()).findLast((message) => message[kind])
      const before = await anna.balance()
      const { receipt } = await sendAgain(anna)
      const again = await anna.sees((one) => one.message_id > receipt.message_id && one[kind] !== undefined)
      expect(receipt[kind]).toBeDefined()
      expect(receipt.caption).toMatch(/\nDetails\n/)
      expect(first && fileOf(first)).toBe(fileOf(again))
      expect([again.caption, again.reply_markup]).toEqual([first?.caption, first?.reply_markup])
      expect(await anna.balance()).toBe(before)
    })

    it('of an album sends an album, also with a document, and says when the gateway has lost the pictures too', async () => {
      const anna = await sandbox.user('Anna')
      const id = await order(sandbox, anna, '/image a fox', [/^How many/, '3'])
      const delivered = (await anna.chat()).find(({ media_group_id }) => media_group_id)
      const { receipt, files: album } = await sendAgain(anna, 3)
      expect(receipt.photo?.at(-1)?.file_unique_id).toBe(delivered?.photo?.at(-1)?.file_unique_id)
      expect(new Set(album.map(({ media_group_id }) => media_group_id)).size).toBe(1)
      const last = album.at(-1)?.message_id ?? 0
      const words = await anna.sees(({ message_id, text = '' }) => message_id > last && /a fox/.test(text))
      expect(words.text).toMatch(/₽15.84/)
      const { document } = await anna.sendsFile(await png())
      const [first] = await artifactsOf(id)
      await sandbox.app.db
        .update(artifacts)
        .set({ fileId: document?.file_id ?? '', originalFileId: document?.file_id ?? '' })
        .where(and(eq(artifacts.generationId, id), eq(artifacts.position, first?.position ?? -1)))
      const { files: mixed } = await sendAgain(anna, 3)
      expect(mixed.filter(({ media_group_id }) => media_group_id !== undefined)).toHaveLength(2)
      expect(mixed.filter((one) => one.document)).toHaveLength(1)
      await change(id, { fileId: null, originalFileId: null, url: `${sandbox.url}/nowhere.png` })
      await openReceipt(anna)
      await anna.tapsFor(/Send again/, /3 files are no longer kept anywhere/)
    })

    it('sends a document when a document was delivered, and downloads it again when Telegram has lost it', async () => {
      const anna = await sandbox.user('Anna')
      const refused = { kind: 'error', status: 400, description: 'Bad Request: no' }
      // The delivery tries to put the result into the status message, and then to send it as a message of its own; both fail once.
      for (const method of ['editMessageMedia', 'sendPhoto'])
        await sandbox.breaks('telegram', method, refused)
      const id = await order(sandbox, anna, '/image a cat')
      expect((await sendAgain(anna)).files[0]?.document).toBeDefined()
      await change(id, { fileId: null, originalFileId: null })
      const again = (await sendAgain(anna)).files[0]?.photo?.at(-1)
      expect(again).toBeDefined()
      await expect.poll(async () => (await artifactsOf(id))[0]?.fileId).toBe(again?.file_id)
      await change(id, { fileId: 'of-another-bot' })
      expect((await sendAgain(anna)).files[0]?.photo).toBeDefined()
    })
  })

  it('a result that was not delivered can be sent from the history, after a failure too; only its own order then counts as delivered', async () => {
    const [anna, ivan] = [await sandbox.user('Anna'), await sandbox.user('Ivan')]
    const other = await order(sandbox, ivan, '/image a dog')
    const isOther = eq(generations.id, other)
    await sandbox.app.db.update(generations).set({ delivery: 'undeliverable' }).where(isOther)
    await anna.sends('/image a cat')
    const forbidden = { kind: 'error', status: 403, description: 'Forbidden: no' }
    await sandbox.breaks('telegram', 'editMessageMedia', forbidden)
    await anna.tapsFor(/^Generate/, /couldn’t deliver the result to this chat[\s\S]*\/history/)
    const receipt = await openReceipt(anna)
    expect(receipt.text).toMatch(/not delivered: you can get it/)
    await sandbox.breaks('telegram', 'sendPhoto', { kind: 'error', status: 500 }, 100)
    await anna.tapsFor(/Send again/, /Something went wrong on our side/)
    sandbox.faults.clear()
    await anna.tapsFor(/Send again/, (message) => message.photo !== undefined)
    await anna.balance()
    const deliveryOf = async (isIt: ReturnType<typeof eq>) =>
      (await sandbox.app.db.select().from(generations).where(isIt))[0]?.delivery
    expect(await deliveryOf(eq(generations.chatId, anna.id))).toBe('delivered')
    expect(await deliveryOf(isOther)).toBe('undeliverable')
  })

  it('a result comes into the topic of the tap, and originals come into the chat of the tap', async () => {
    const { anna } = await newGroup(sandbox, { forum: true })
    await order(sandbox, anna, '/image a fox')
    const { thread_id } = await newTopic(sandbox, anna)
    await anna.sends('/history', { thread_id })
    await anna.tapsFor(
      ['1', /Send again/],
      ({ caption = '', message_thread_id: topicId }) => /Done in/.test(caption) && topicId === thread_id,
    )
    const before = await anna.chat()
    await sendAgain(alone(anna))
    await alone(anna).tapsFor([/^⋯/, /Originals/], (message) => message.document !== undefined)
    expect(await anna.chat()).toEqual(before)
  })
})

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
