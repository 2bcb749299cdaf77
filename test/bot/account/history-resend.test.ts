// An order that is opened in /history shows its result, and “Send again” sends the results free, by Telegram's file ids, into the chat and
// topic of the tap.

import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { openReceipt, order } from '../../support/users/order.ts'
import { png } from '../../support/users/pictures.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

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

async function balanceOf(user: SandboxUser): Promise<string | undefined> {
  const { message_id: asked } = await user.sends('/balance')
  return (await user.sees(({ message_id, text = '' }) => message_id > asked && /^Balance/.test(text))).text
}

describe('an opened order', () => {
  it.each([
    ['a picture', '/image a fox', 'photo'],
    ['a video', '/video a cat', 'video'],
    ['a voice message', '/speech Good morning! The weather is fine.', 'voice'],
    ['a song', '/music a calm song about the sea', 'audio'],
    ['a 3D model', '/model3d an old armchair', 'document'],
  ] as const)('shows %s with its receipt, and sends it again free of charge', async (_, command, kind) => {
    const anna = await sandbox.user('Anna')
    await order(sandbox, anna, command)
    const first = (await anna.chat()).findLast((message) => message[kind])
    const before = await balanceOf(anna)
    const { receipt } = await sendAgain(anna)
    const again = await anna.sees((one) => one.message_id > receipt.message_id && one[kind] !== undefined)
    expect(receipt[kind]).toBeDefined()
    expect(receipt.caption).toMatch(/\nDetails\n/)
    expect(first && fileOf(first)).toBe(fileOf(again))
    expect([again.caption, again.reply_markup]).toEqual([first?.caption, first?.reply_markup])
    expect(await balanceOf(anna)).toBe(before)
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
    await anna.taps(/Send again/)
    await anna.sees(/3 files are no longer kept anywhere/)
  })

  it('sends a document when a document was delivered, and downloads it again when Telegram has lost it', async () => {
    const anna = await sandbox.user('Anna')
    const refused = { kind: 'error', status: 400, description: 'Bad Request: no' }
    // The delivery tries to put the result into the status message, and then to send it as a message of its own; both fail once.
    for (const method of ['editMessageMedia', 'sendVideo']) await sandbox.breaks('telegram', method, refused)
    const id = await order(sandbox, anna, '/video a cat')
    expect((await sendAgain(anna)).files[0]?.document).toBeDefined()
    await change(id, { fileId: null, originalFileId: null })
    const again = (await sendAgain(anna)).files[0]?.video
    expect(again).toBeDefined()
    await expect.poll(async () => (await artifactsOf(id))[0]?.fileId).toBe(again?.file_id)
    await change(id, { fileId: 'of-another-bot' })
    expect((await sendAgain(anna)).files[0]?.video).toBeDefined()
  })

  it('sends a track when a track was delivered in place of a voice message', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/speech Good morning! The weather is fine.')
    const track = { kind: 'audio', name: 'track.mp3', bytes: Buffer.from('ID3 and a song') }
    const { audio } = await anna.sendsFile(track)
    await change(id, { fileId: audio?.file_id ?? '', originalFileId: null })
    expect((await sendAgain(anna)).files[0]?.audio).toBeDefined()
  })
})

it('a failure of Telegram after the tap was answered is reported to the user in a message', async () => {
  const anna = await sandbox.user('Anna')
  await order(sandbox, anna, '/video a cat')
  await openReceipt(anna)
  const failure = { kind: 'error', status: 500, description: 'Internal Server Error' }
  await sandbox.breaks('telegram', 'sendVideo', failure, 100)
  await anna.taps(/Send again/)
  await anna.sees(/Something went wrong on our side/)
  sandbox.faults.clear()
})

it('a result that was not delivered can be sent from the history; only its own order then counts as delivered', async () => {
  const [anna, ivan] = [await sandbox.user('Anna'), await sandbox.user('Ivan')]
  const other = await order(sandbox, ivan, '/image a dog')
  const isOther = eq(generations.id, other)
  await sandbox.app.db.update(generations).set({ delivery: 'undeliverable' }).where(isOther)
  await anna.sends('/video a cat')
  const forbidden = { kind: 'error', status: 403, description: 'Forbidden: no' }
  await sandbox.breaks('telegram', 'editMessageMedia', forbidden)
  await anna.taps(/^Generate/)
  await anna.sees(/couldn’t deliver the result to this chat[\s\S]*\/history/)
  const receipt = await openReceipt(anna)
  expect(receipt.text).toMatch(/not delivered: you can get it/)
  await anna.taps(/Send again/)
  await anna.sees((message) => message.video !== undefined)
  await balanceOf(anna)
  const deliveryOf = async (isIt: ReturnType<typeof eq>) =>
    (await sandbox.app.db.select().from(generations).where(isIt))[0]?.delivery
  expect(await deliveryOf(eq(generations.chatId, anna.id))).toBe('delivered')
  expect(await deliveryOf(isOther)).toBe('undeliverable')
})

it('a result comes into the topic of the tap, and originals come into the chat of the tap', async () => {
  const person = await sandbox.user('Anna')
  const group = { title: 'We', members: [person.id], forum: true }
  const { id } = await sandbox.post<{ id: number }>('/api/chats', group)
  const anna = person.in(id)
  await order(sandbox, anna, '/image a fox')
  const topic = { from: anna.id, name: 'Foxes' }
  const { message_thread_id: thread_id } = await sandbox.post<{ message_thread_id: number }>(
    `/api/chats/${id}/topics`,
    topic,
  )
  await anna.sends('/history', { thread_id })
  await anna.taps('1')
  await anna.taps(/Send again/)
  await anna.sees(
    ({ caption = '', message_thread_id: topicId }) => /Done in/.test(caption) && topicId === thread_id,
  )
  const before = await anna.chat()
  await sendAgain(person)
  await person.taps(/^⋯/)
  await person.taps(/Originals/)
  await person.sees((message) => message.document !== undefined)
  expect(await anna.chat()).toEqual(before)
})
