// “Send again” in /history: results are sent again free, by Telegram's file ids, into the chat and topic of the tap.

import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

/** A picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2000' })
})
afterAll(async () => {
  expect(await audit(sandbox.app.db)).toEqual([])
  await sandbox.stop()
})

const fileOf = ({ photo, video, voice, audio, document }: SandboxMessage) =>
  (photo?.at(-1) ?? video ?? voice ?? audio ?? document)?.file_unique_id

/** Taps “Send again” on the receipt of the newest order. @returns the files that the bot sent, in their order */
async function sendAgain(user: SandboxUser, count = 1): Promise<SandboxMessage[]> {
  const receipt = await openReceipt(user)
  const below = new Map<number, SandboxMessage>()
  await user.taps(/Send again/)
  await user.sees((message) => {
    if (message.message_id > receipt.message_id && fileOf(message)) below.set(message.message_id, message)
    return below.size >= count
  })
  return [...below.values()].toSorted((a, b) => a.message_id - b.message_id)
}

const artifactsOf = (id: string) =>
  sandbox.app.db.select().from(artifacts).where(eq(artifacts.generationId, id)).orderBy(artifacts.position)
const change = (id: string, to: Partial<typeof artifacts.$inferInsert>) =>
  sandbox.app.db.update(artifacts).set(to).where(eq(artifacts.generationId, id))

async function balanceOf(user: SandboxUser): Promise<string | undefined> {
  await user.sends('/balance')
  return (await user.sees(/^Balance/)).text
}

describe('“Send again”', () => {
  it.each([
    ['a photo', '/image a fox', 'photo'],
    ['a video', '/video a cat', 'video'],
    ['a voice message', '/speech Good morning! The weather is fine.', 'voice'],
  ] as const)('sends %s as the same file, free of charge', async (_, command, kind) => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, command)
    const first = (await anna.chat()).find((message) => message[kind])
    const before = await balanceOf(anna)
    const [again] = await sendAgain(anna)
    expect(again?.[kind]).toBeDefined()
    expect(first && fileOf(first)).toBe(again && fileOf(again))
    expect(again?.caption).toBe(first?.caption)
    expect(again?.reply_markup).toEqual(first?.reply_markup)
    expect(await balanceOf(anna)).toBe(before)
  })

  it('sends an album as an album, with the buttons in a message below', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/image a fox', [/^Pictures/, '3'])
    const album = await sendAgain(anna, 3)
    expect(new Set(album.map(({ media_group_id }) => media_group_id)).size).toBe(1)
    expect(album.map(fileOf)).toHaveLength(3)
    const last = album.at(-1)?.message_id ?? 0
    const words = await anna.sees(({ message_id, text = '' }) => message_id > last && /a fox/.test(text))
    expect(words.text).toMatch(/₽15.84/)
  })

  it('sends a file as a document when it was delivered as a document', async () => {
    const anna = await sandbox.user('Anna')
    const refused = { kind: 'error', status: 400, description: 'Bad Request: no' }
    // The delivery tries to put the result into the status message, and then to send it as a message of its own; both fail once.
    for (const method of ['editMessageMedia', 'sendVideo']) await sandbox.breaks('telegram', method, refused)
    await order(sandbox, anna, '/video a cat')
    const [again] = await sendAgain(anna)
    expect(again?.document).toBeDefined()
  })

  it('sends two photos as an album and the third picture as a document when it is stored as a document', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/image a fox', [/^Pictures/, '3'])
    const { document } = await anna.sendsFile({ kind: 'document', name: 'fox.png', bytes: png })
    const [first] = await artifactsOf(id)
    const own = { fileId: document?.file_id ?? '', originalFileId: document?.file_id ?? '' }
    await sandbox.app.db
      .update(artifacts)
      .set(own)
      .where(and(eq(artifacts.generationId, id), eq(artifacts.position, first?.position ?? -1)))
    const again = await sendAgain(anna, 3)
    const albums = again.map(({ media_group_id }) => media_group_id).filter((album) => album !== undefined)
    expect(albums).toHaveLength(2)
    expect(again.filter((one) => one.document)).toHaveLength(1)
  })

  it('sends a track when a track was delivered in place of a voice message', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/speech Good morning! The weather is fine.')
    const track = { kind: 'audio', name: 'track.mp3', bytes: Buffer.from('ID3 and a song') }
    const { audio } = await anna.sendsFile(track)
    await change(id, { fileId: audio?.file_id ?? '', originalFileId: null })
    const [again] = await sendAgain(anna)
    expect(again?.audio).toBeDefined()
  })
})

describe('a file that Telegram no longer has', () => {
  it('is downloaded from the gateway again when no file id is stored, and its new file id is stored', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/video a cat')
    await change(id, { fileId: null, originalFileId: null })
    const [again] = await sendAgain(anna)
    expect(again?.video).toBeDefined()
    await expect.poll(async () => (await artifactsOf(id))[0]?.fileId).toBe(again?.video?.file_id)
  })

  it('is downloaded from the gateway again when Telegram refuses its file id', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/video a cat')
    await change(id, { fileId: 'of-another-bot' })
    const [again] = await sendAgain(anna)
    expect(again?.video).toBeDefined()
  })

  it('cannot be sent again when the gateway has lost it too, and the user is told', async () => {
    const anna = await sandbox.user('Анна', 'ru')
    const id = await order(sandbox, anna, '/image лиса', [/^Картинок/, '2'])
    await change(id, { fileId: null, originalFileId: null, url: `${sandbox.url}/nowhere.png` })
    await openReceipt(anna)
    await anna.taps(/Прислать ещё раз/)
    await anna.sees(/2 файла больше нигде не хранятся/)
  })
})

describe('a failure of Telegram after the tap was answered', () => {
  it('is reported to the user in a message', async () => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, '/video a cat')
    await openReceipt(anna)
    const failure = { kind: 'error', status: 500, description: 'Internal Server Error' }
    await sandbox.breaks('telegram', 'sendVideo', failure, 100)
    await anna.taps(/Send again/)
    await anna.sees(/Something went wrong on our side/)
    sandbox.faults.clear()
  })
})

describe('a result that was not delivered', () => {
  it('can be sent from the history; only its own order then counts as delivered', async () => {
    const [anna, ivan] = [await sandbox.user('Anna'), await sandbox.user('Ivan')]
    const other = await order(sandbox, ivan, '/image a dog')
    const isOther = eq(generations.id, other)
    await sandbox.app.db.update(generations).set({ delivery: 'undeliverable' }).where(isOther)
    await anna.sends('/video a cat')
    await sandbox.breaks('telegram', 'editMessageMedia', {
      kind: 'error',
      status: 403,
      description: 'Forbidden: no',
    })
    await anna.taps(/^Generate/)
    await anna.sees(/could not be delivered to this chat[\s\S]*\/history/)
    const receipt = await openReceipt(anna)
    expect(receipt.text).toMatch(/not delivered: you can get it/)
    await anna.taps(/Send again/)
    await anna.sees((message) => message.video !== undefined)
    const isDelivered = async () => {
      const [last] = await sandbox.app.db.select().from(generations).where(eq(generations.chatId, anna.id))
      return last?.delivery
    }
    await anna.sends('/balance')
    await anna.sees(/^Balance/)
    expect(await isDelivered()).toBe('delivered')
    const [untouched] = await sandbox.app.db.select().from(generations).where(isOther)
    expect(untouched?.delivery).toBe('undeliverable')
  })
})

describe('“Send again” in a topic', () => {
  it('sends the result into this topic', async () => {
    const anna = await sandbox.user('Anna')
    const { id } = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'We',
      members: [anna.id],
      forum: true,
    })
    await order(sandbox, anna.in(id), '/image a fox')
    const { message_thread_id: thread_id } = await sandbox.post<{ message_thread_id: number }>(
      `/api/chats/${id}/topics`,
      { from: anna.id, name: 'Foxes' },
    )
    await anna.in(id).sends('/history', { thread_id })
    await anna.in(id).taps('1')
    await anna.in(id).taps(/Send again/)
    await anna
      .in(id)
      .sees((message) => message.photo !== undefined && message.message_thread_id === thread_id)
  })
})

it('originals come where the button was tapped', async () => {
  const anna = await sandbox.user('Anna')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  await order(sandbox, anna.in(id), '/image a fox')
  const before = await anna.in(id).chat()
  await sendAgain(anna)
  await anna.taps(/What next/)
  await anna.taps(/Originals/)
  await anna.sees((message) => message.document !== undefined)
  expect(await anna.in(id).chat()).toEqual(before)
})
