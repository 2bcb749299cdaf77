// Deliveries seen from the user's side of the sandbox: whatever fails, results arrive or are kept, and what the chat shows agrees
// with the money.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { generations } from '../../../src/db/schema.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { findFfmpeg } from '../../../src/media/decoders.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { prepareEmbedded } from '../../support/database/embedded.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.stop())
afterEach(async () => {
  sandbox.faults.clear()
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
})

const isVideo = (message: SandboxMessage) => message.video !== undefined
const isDocument = (message: SandboxMessage) => message.document !== undefined
const threadGone = { kind: 'error', status: 400, description: 'Bad Request: message thread not found' }
const refusal = (status: number, description: string) => ({ kind: 'error', status, description })

async function opens(text = '/video a cat', ...buttons: (string | RegExp)[]): Promise<SandboxUser> {
  const anna = await sandbox.user('Anna')
  await anna.sends(text)
  for (const button of buttons) await anna.taps(button)
  return anna
}
const orders = (text = '/video a cat', ...buttons: (string | RegExp)[]) =>
  opens(text, ...buttons, /^Generate · /)

async function balanceOf(anna: SandboxUser) {
  await anna.sends('/balance')
  return (await anna.sees(/^Balance: /)).text
}

/** Resolves when Telegram has refused these methods to this chat, in this order. */
function refused(chatId: number, ...methods: RegExp[]): Promise<void> {
  const awaited = [...methods]
  return new Promise((resolve) => {
    const stop = sandbox.telegram.on(({ type, chat_id, data }) => {
      const isNext = type === 'error' && chat_id === chatId && awaited[0]?.test(Object(data).method)
      if (isNext) awaited.shift()
      if (awaited.length > 0) return
      stop()
      resolve()
    })
  })
}

const newestGeneration = async () =>
  (await sandbox.app.db.select().from(generations).orderBy(desc(generations.createdAt)).limit(1))[0]

describe('a format', () => {
  const asksFor = (format: string) => orders('/video a cat', '⚙️ More settings', /^File format/, format)

  it('MOV, which Telegram does not play, arrives as MP4', async () => {
    const anna = await asksFor('MOV')
    const result = await anna.sees(isVideo)
    expect(result.video).toMatchObject({ mime_type: 'video/mp4', width: 480, height: 270, duration: 5 })
    expect(result.caption).toMatch(/Reel[\s\S]*a cat[\s\S]*₽92.45/)
    expect(result.caption).toMatch(/🎲 Seed: \d+$/)
    expect(labelsOf(result)).toEqual(['🔁 Again · ₽92.45', '✨ What next', '⚠️ Problem'])
    await anna.sees(/Done in .* · ₽92.45 charged/)
  })

  // Without ffmpeg VP9 cannot be converted to H.264.
  it('WEBM arrives as MP4 where ffmpeg is installed, else as a document', async () => {
    const anna = await asksFor('WEBM')
    const isResult = (await findFfmpeg()) ? isVideo : isDocument
    const { video, document } = await anna.sees(isResult, 60_000)
    expect(video?.mime_type ?? document?.mime_type).toBe(video ? 'video/mp4' : 'video/webm')
  }, 60_000)
})

describe('several results', () => {
  it('arrive one by one, the last with the caption and the buttons', async () => {
    const anna = await orders('/video a cat', '⚙️ More settings', /^Variants/, '4')
    await anna.sees(/Done in .* · ₽369.80 charged/)
    const videos = (await anna.chat()).filter(isVideo)
    expect(new Set(videos.map(({ video }) => video?.file_id)).size).toBe(4)
    expect(videos.map(({ caption }) => caption !== undefined)).toEqual([false, false, false, true])
    expect(videos.map((video) => labelsOf(video).length)).toEqual([0, 0, 0, 3])
  })

  it('of which one is missing are charged without it', async () => {
    const anna = await orders('/video [partial] a cat', '⚙️ More settings', /^Variants/, '2')
    await anna.sees(/Partly done in .* · ₽92.45 charged, ₽92.45 returned/)
    expect((await anna.chat()).filter(isVideo)).toHaveLength(1)
    expect(await balanceOf(anna)).toContain('₽407.55')
  })
})

describe('a topic of a group', () => {
  const inTopic = async () => {
    const anna = await sandbox.user('Anna')
    const { id } = await sandbox.post<{ id: number }>('/api/chats', {
      title: 'We',
      members: [anna.id],
      forum: true,
    })
    const { message_thread_id } = await sandbox.post<{ message_thread_id: number }>(
      `/api/chats/${id}/topics`,
      { from: anna.id, name: 'Cats' },
    )
    const there = anna.in(id)
    await there.sends('/video a cat', { thread_id: message_thread_id })
    return { anna: there, message_thread_id }
  }

  it('gets the results that were ordered in it', async () => {
    const { anna, message_thread_id } = await inTopic()
    await anna.taps(/^Generate/)
    expect(await anna.sees(isVideo)).toMatchObject({ message_thread_id })
    await anna.sees(/Done in/)
    for (const message of (await anna.chat()).slice(1)) expect(message).toMatchObject({ message_thread_id })
  })

  it('that is gone: the results are sent to the group itself', async () => {
    await sandbox.breaks('telegram', 'sendVideo', threadGone)
    const { anna } = await inTopic()
    await anna.taps(/^⚙️/)
    await anna.taps(/^Variants/)
    await anna.taps('2')
    await anna.taps(/^Generate/)
    await anna.sees(isVideo)
    await anna.sees(/Done in/)
    expect(sandbox.faults.list()).toEqual([])
  })
})

describe('a refusal by Telegram', () => {
  it.each([
    [400, 'Bad Request: VIDEO_CONTENT_TYPE_INVALID'],
    [413, 'Request Entity Too Large'],
  ])('of a video (%i) makes it a document', async (status, description) => {
    for (const operation of ['editMessageMedia', 'sendVideo'])
      await sandbox.breaks('telegram', operation, refusal(status, description))
    const anna = await orders()
    expect(await anna.sees(isDocument)).toMatchObject({ caption: expect.stringContaining('₽92.45') })
    await anna.sees(/Done in/)
  })

  it('of the video and of the document makes it a link', async () => {
    for (const operation of ['editMessageMedia', 'sendVideo', 'sendDocument'])
      await sandbox.breaks('telegram', operation, refusal(400, 'Bad Request: no'))
    const anna = await orders()
    await anna.sees(
      /a cat\n✅ Done in .* · ₽92.45 charged[\s\S]*could not be sent through Telegram[\s\S]*http:\S+\.mp4/,
    )
  })

  it('that is temporary (an error, a flood limit, a cut connection) delays the result', async () => {
    await sandbox.breaks('telegram', 'editMessageMedia', refusal(500, 'Internal Server Error'))
    await sandbox.breaks('telegram', 'editMessageMedia', { kind: 'error', status: 429, retryAfter: 0.02 }, 2)
    await sandbox.breaks('telegram', 'editMessageMedia', { kind: 'cut' })
    const anna = await orders()
    await anna.sees(/✅ Done/)
    expect((await anna.chat()).filter(isVideo)).toHaveLength(1)
    expect(sandbox.faults.list()).toEqual([])
  })

  it('of a chat action is ignored', async () => {
    await sandbox.breaks('telegram', 'sendChatAction', refusal(400, 'Bad Request: not enough rights'), 9)
    const anna = await orders()
    await anna.sees(isVideo)
  })
})

describe('a file', () => {
  it.each([
    ['an HTML page', { kind: 'garbage' }],
    ['not found', { kind: 'error', status: 404 }],
  ])('that is %s is retried, then its price is refunded', async (_, fault) => {
    await sandbox.breaks('gateway', 'cdn', fault, 99)
    const anna = await orders()
    const told = await anna.sees(/The file could not be fetched[\s\S]*₽92.45 is back/)
    expect(labelsOf(told)).toEqual(['🔁 Again · ₽92.45', '✏️ Change'])
    expect(99 - Number(sandbox.faults.list()[0]?.times)).toBe(6)
    await anna.sees(/returned to your balance/)
    expect(await balanceOf(anna)).toContain('₽500.00')
  })

  it.each([
    ['an HTML page', { kind: 'garbage' }],
    ['an error', { kind: 'error', status: 503 }],
    ['a cut connection', { kind: 'cut' }],
  ])('that is %s at first still arrives as a video', async (_, fault) => {
    await sandbox.breaks('gateway', 'cdn', fault, 2)
    const anna = await orders()
    await anna.sees(isVideo)
  })
})

describe('a result of several files', () => {
  const namesOf = async (anna: SandboxUser) =>
    (await anna.chat()).flatMap(({ document }) => document?.file_name?.split('.').at(-1) ?? [])

  it('arrives complete for one price when it is a 3D model behind redirects and without file types', async () => {
    await sandbox.breaks('gateway', 'create', { kind: 'files', formats: ['fbx', 'obj', 'usdz', 'zip'] })
    await sandbox.breaks('gateway', 'cdn', { kind: 'redirect' }, 3)
    await sandbox.breaks('gateway', 'cdn', { kind: 'type', type: 'text/plain' }, 5)
    const anna = await orders('/model3d a chair')
    await anna.sees(/Your result/)
    expect(await namesOf(anna)).toEqual(['glb', 'fbx', 'obj', 'usdz', 'zip'])
    expect(sandbox.faults.list()).toEqual([])
    expect(await balanceOf(anna)).toContain('₽308.00')
  })

  it('is charged also when it has no file of the ordered kind', async () => {
    await sandbox.breaks('gateway', 'create', { kind: 'files', formats: ['usdz'], instead: true })
    const anna = await orders('/model3d a chair')
    await anna.sees(/Done in .* · ₽192.00 charged/)
    expect(await namesOf(anna)).toEqual(['usdz'])
  })

  it('arrives as one voice message and a subtitle file when it is speech', async () => {
    const anna = await orders('/speech Good morning! [extra]')
    await anna.sees(/Your result/)
    const voices = (await anna.chat()).filter(({ voice }) => voice)
    expect(voices).toHaveLength(1)
    // The model has no seeds.
    expect((await anna.chat()).map(({ caption, text }) => caption ?? text ?? '').join()).not.toContain('🎲')
    expect(await namesOf(anna)).toEqual(['srt'])
  })

  it('arrives as an album and a document when it has pictures and another file', async () => {
    const anna = await orders('/image a fox [extra]', /^Pictures/, '3')
    await anna.sees(/Your result/)
    const pictures = (await anna.chat()).filter(({ photo }) => photo)
    expect(new Set(pictures.map(({ media_group_id }) => media_group_id)).size).toBe(1)
    expect(pictures).toHaveLength(3)
    expect(await namesOf(anna)).toEqual(['json'])
  })
})

describe('a user who', () => {
  it('has blocked the bot keeps the result in the history, and is charged once', async () => {
    const anna = await orders('/video a cat', /^Duration/, '15 s')
    await anna.sees(/In the queue/)
    const ended = refused(anna.id, /^editMessageMedia$/, /^editMessageText$/)
    await anna.blocks()
    await ended
    expect(await newestGeneration()).toMatchObject({
      state: 'succeeded',
      captured: 277_35n,
      delivery: 'undeliverable',
      nextCheckAt: null,
    })
    await anna.blocks(false)
    expect(await balanceOf(anna)).toContain('₽222.65')
  })

  it('has deleted the status message gets the result without a reply to it', async () => {
    const anna = await orders('/video a cat', /^Duration/, '10 s')
    const { message_id } = await anna.sees(/In the queue/)
    await sandbox.post('/bot4242:sandbox-bot-token/deleteMessage', { chat_id: anna.id, message_id })
    const result = await anna.sees(isVideo)
    expect(result.reply_to_message).toBeUndefined()
    expect(result.caption).toContain('₽184.90')
  })
})

describe('a question of the form', () => {
  const slowDown = { kind: 'error', status: 429, retryAfter: 0.02 }

  it('is asked and answered despite a flood limit', async () => {
    await sandbox.breaks('telegram', 'sendMessage', slowDown, 2)
    const anna = await opens('/video')
    await anna.sees(/step 1 of/)
    await sandbox.breaks('telegram', 'sendMessage', slowDown, 2)
    await anna.sends('a cat')
    await anna.sees(/step 2 of[\s\S]*₽92.45/)
    expect((await anna.chat()).filter(({ text }) => text?.includes('step 2 of'))).toHaveLength(1)
    expect(sandbox.faults.list()).toEqual([])
  })

  it.each([
    ['an endless flood limit', slowDown, 4],
    ['an error of Telegram', refusal(500, 'Internal Server Error'), 1],
    ['a cut connection', { kind: 'cut' }, 1],
    ['an HTML page', { kind: 'garbage' }, 1],
  ])('whose next step meets %s asks it a moment later, once', async (_, fault, times) => {
    const anna = await opens('/video')
    await anna.sees(/step 1 of/)
    await sandbox.breaks('telegram', 'sendMessage', fault, times)
    await anna.sends('a cat')
    await anna.sees(/step 2 of[\s\S]*₽92.45/)
    expect((await anna.chat()).filter(({ text }) => text?.includes('step 2 of'))).toHaveLength(1)
  })

  it.each([
    ['a cut connection', { kind: 'cut' }],
    ['an HTML page', { kind: 'garbage' }],
    ['a refusal', refusal(400, "Bad Request: message can't be deleted")],
  ])('leaves the old card when deleting it meets %s, and nothing hangs', async (_, fault) => {
    await sandbox.breaks('telegram', 'deleteMessage', fault)
    const anna = await opens('/video a cat', /^Duration/, '✏️ Other…')
    await anna.sees(/Write the answer/)
    await anna.sends('7')
    await anna.sees(/₽129.43/)
    expect(await balanceOf(anna)).toContain('₽500.00')
    expect(sandbox.faults.list()).toEqual([])
  })
})

describe('a restart', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'bot-restart-'))
    await prepareEmbedded(join(dataDir, 'database'))
  })
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  // Each start has a port of its own, so the callback of the task is lost: only the table says what is due.
  async function running<T>(use: (anna: SandboxUser) => Promise<T>): Promise<T> {
    const one = await startSandbox({ port: 0, dataDir, speed: 8, log: silentLog })
    try {
      const used = await use(await createUser(one.url, { first_name: 'Anna', language_code: 'en', id: 11 }))
      expect(await audit(one.app.db)).toEqual([])
      return used
    } finally {
      await one.stop()
    }
  }

  it('while a question is open: the answer is accepted afterwards', async () => {
    await running(async (anna) => {
      await anna.sends('/video')
      await anna.sees(/step 1 of/)
    })
    await running(async (anna) => {
      await anna.sends('a cat')
      await anna.sees(/step 2 of/)
      await anna.taps('✅ Show the card')
      await anna.sees(/Prompt: a cat[\s\S]*₽92.45/)
    })
  })

  it('while a task runs: the video arrives afterwards, once', async () => {
    await running(async (anna) => {
      await anna.taps(/^Generate/)
      await anna.sees(/In the queue|In progress/)
      expect((await anna.chat()).some(isVideo)).toBe(false)
    })
    const videos = await running(async (anna) => {
      expect(await balanceOf(anna)).toContain('₽407.55')
      await anna.sees(/Done in .* · ₽92.45 charged/)
      return (await anna.chat()).filter(isVideo)
    })
    expect(videos).toHaveLength(1)
  })
})
