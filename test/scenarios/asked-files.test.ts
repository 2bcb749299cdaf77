// Documents, pictures and videos in questions to text models, and what becomes of them in the questions after.

import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { contentOf } from '../../src/chat/question-files.ts'
import { turns, users } from '../../src/db/schema.ts'
import { colored } from '../support/media/media-files.ts'
import { pdfOf } from '../support/media/pdf.ts'
import { film, jpeg, lastAsked, ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

describe('A document without a caption:', async () => {
  let anna: SandboxUser
  beforeEach(async () => {
    anna = await sandbox.user('Anna')
  })

  const notes = { kind: 'document', name: 'notes.txt', bytes: Buffer.from('The tide comes twice a day.') }
  const spent = async () => (await sandbox.get<{ charged: number }>('/api/gateway/account')).charged

  it('a text file without a caption gets an offer of uses with their prices, and costs nothing', async () => {
    const before = await spent()
    const offer = await anna.attaches(notes, '', '📄 27 characters. What should I do with this file?')
    expect(labelsOf(offer)).toEqual([
      expect.stringMatching(/^📝 Summarise · ≈ ₽\d/),
      expect.stringMatching(/^💬 Ask about it · ≈ ₽\d/),
      '🗣 Read aloud',
    ])
    expect(await spent()).toBe(before)
  })

  it('a tap on Summarise asks for a summary; further taps ask nothing, also at the same moment', async () => {
    const offer = await anna.attaches(notes, '', 'What should I do with this file?')
    const tap = () => anna.tapsData(offer.message_id, 'cd:summary')
    await Promise.all([tap(), tap()])
    await anna.sees((message) => labelsOf(message).includes('🔁 Again'))
    await tap()
    await anna.isTold(/no longer works/)
    await expect.poll(() => anna.answers()).toHaveLength(3)
    const asked = await sandbox.app.db
      .select({ state: turns.state, question: turns.question })
      .from(turns)
      .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, anna.id)))
    expect(asked).toEqual([{ state: 'done', question: expect.stringContaining('The tide comes') }])
  })

  it('/speech as the caption of a text file opens a card with the text of the file as the prompt', async () => {
    const before = await spent()
    await anna.attaches(notes, '/speech', /The tide comes twice a day\.[\s\S]*Price/)
    expect(await spent()).toBe(before)
  })
})

describe('A picture without a caption:', () => {
  const ask = /^💬 Ask about it · ≈ ₽\d\.\d\d$/
  const answersTo = ({ id }: SandboxUser) =>
    sandbox.app.db
      .select({ question: turns.question, files: turns.files })
      .from(turns)
      .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, id)))

  it('a question about a picture is sent once with the picture, however often the button is tapped', async () => {
    const boris = await sandbox.newcomer('Boris')
    await boris.sendsFile(await jpeg())
    const offer = await boris.seesButton(ask)
    await Promise.all([1, 2].map(() => boris.tapsData(offer.message_id, 'ua').catch(() => undefined)))
    await boris.sees('What would you like to know about the picture?')
    await boris.sends('What is on it?')
    await boris.seesButton(/^ℹ️ ₽0\.\d\d$/)
    await boris.tapsData(offer.message_id, 'ua').catch(() => undefined)
    expect(await answersTo(boris)).toMatchObject([
      { question: 'What is on it?', files: [{ medium: 'image' }] },
    ])
    const [body] = (await ordered(sandbox, /completions$|messages$/)).slice(-1)
    expect(JSON.stringify(body)).toMatch(/image/)
  })

  it("when the conversation's model sees no pictures, one tap has another model answer", async () => {
    const clara = await sandbox.user('Clara')
    await clara.opens('/model', /Model: /, /^Grok · /)
    await clara.attaches(await jpeg(), '', /Grok can’t see pictures\. The models below can/)
    await clara.tapsFor(/^💬 GPT · ≈ ₽\d\.\d\d$/, 'What would you like to know about the picture?')
    await clara.asks('What is on it? [short]', /looked at what you attached/)
    await clara.asks('/model', /^💬 GPT/)
  })

  it('a large picture or a TIFF that is sent as a file with a question reaches the model as a JPEG', async () => {
    const quinn = await sandbox.user('Quinn')
    const large = await colored(3000, 1000, [0, 0, 200]).png().toBuffer()
    const tiff = await colored(300, 100, [0, 0, 200]).tiff().toBuffer()
    for (const [name, bytes] of [
      ['sea.png', large],
      ['sea.tiff', tiff],
    ] as const) {
      const question = `What is on ${name}?`
      await quinn.attaches(
        { kind: 'document', name, bytes },
        question,
        ({ from, text = '' }) => from?.is_bot === true && text.includes(question),
      )
      const [body] = (await ordered(sandbox, /completions$|messages$/)).slice(-1)
      expect(JSON.stringify(body)).toMatch(/data:image\/jpeg;base64,/)
    }
  })
})

const askedBy = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select({ files: turns.files, inputTokens: turns.inputTokens })
    .from(turns)
    .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, id)))
    .orderBy(turns.createdAt)

async function choose(user: SandboxUser, label: string) {
  await user.opens('/model', /Model: /, new RegExp(`^(● )?${label} · `))
}

it('a picture stays in the conversation, is paid with each question, and the bot says when it is no longer seen', async () => {
  const anna = await sandbox.user('Anna')
  await anna.attaches(await jpeg(), 'What is it? [short]', /What is it/)
  await anna.asks('Which colour? [short]', /Which colour/)
  expect(await lastAsked(sandbox)).toMatch(/What is it\?.*"image_url".*Which colour\?/)
  const [first, second] = await askedBy(anna)
  expect(second?.inputTokens).toBeGreaterThan(256)
  expect(second?.files).toMatchObject([{ file: first?.files[0]?.file, note: 'earlier' }])
  await anna.hears(/^ℹ️ ₽/, /\nThe picture or file from before was sent along; \/new drops it\.$/)

  await choose(anna, 'DeepSeek')
  await anna.asks('And its size? [short]', 'I no longer see the picture or file from before')
  await anna.sees(/And its size/)
  expect(await lastAsked(sandbox)).not.toContain('image_url')
  expect(await lastAsked(sandbox)).toContain('The file of this message is not attached any more.')
  await anna.asks('And its age? [short]', /And its age/)
  expect((await anna.transcript()).match(/no longer see/g)).toHaveLength(1)
})

const pdf = (...pages: string[]) => ({ kind: 'document', name: 'tides.pdf', bytes: pdfOf(...pages) })

it('a PDF goes to a model that takes it as it is, at a price by its pages, and stays; to another model goes its text', async () => {
  const boris = await sandbox.user('Boris')
  await boris.attaches(pdf('The tide comes twice a day.'), 'How often? [short]', /How often/)
  expect(await lastAsked(sandbox)).toContain('The tide comes twice')
  await choose(boris, 'Gemini')
  const priceOf = async (pages: number) => {
    const offer = await boris.attaches(
      pdf(...Array.from({ length: pages }, () => 'x')),
      '',
      new RegExp(`^📄 ${pages} pages?\\. What should I do with this file`),
    )
    return Number(/₽(.*)$/.exec(labelsOf(offer)[0] ?? '')?.[1])
  }
  // 40 pages of 258 tokens at 165 roubles a million.
  expect((await priceOf(41)) - (await priceOf(1))).toBeCloseTo(1.7, 1)
  await boris.tapsFor(/^📝 Summarise/, /looked at what you attached/)
  expect(await lastAsked(sandbox)).toMatch(
    /generateContent.*"inlineData":\{"mimeType":"application\/pdf","data":"JVBER/,
  )
  await boris.asks('And at night? [short]', /And at night/)
  expect(await lastAsked(sandbox)).toMatch(/application\/pdf.*And at night/)
})

it('a video is asked about with a model that watches, by its caption or by one tap', async () => {
  const clara = await sandbox.user('Clara')
  await clara.attaches(await film(), '', /Assistant can’t watch videos\. The models below can/)
  await clara.tapsFor(/^💬 Gemini · ≈ ₽\d+\.\d\d$/, 'What would you like to know about the video?')
  await clara.asks('Who swims? [short]', /looked at what you attached.*Who swims/)
  expect(await lastAsked(sandbox)).toContain('"inlineData":{"mimeType":"video/mp4"')
  await clara.attaches(await film(), 'Is it deep? [short]', /looked at what you attached.*Is it deep/)
})

it('files are links to our server where the operator says so, and inline data without a public address', async () => {
  const [model] = textModelList.parse([{ id: 'M', family: 'gemini', abilities: ['pdf'], fileData: 'link' }])
  if (!model) return expect.unreachable('the list has one model')
  const file = { file: 'F', medium: 'pdf', mime: 'application/pdf', pages: 3 } as const
  const read = async () => ({ ok: true as const, bytes: Buffer.from('%PDF-') })
  const link = () => 'https://bot.example/f'
  const files = async (media: Parameters<typeof contentOf>[0]) => contentOf(media, model, noModes, [file])
  const facts = { mime: 'application/pdf', tokens: 774 }
  expect(await files({ read, link })).toMatchObject({ files: [{ ...facts, uri: 'https://bot.example/f' }] })
  expect(await files({ read })).toMatchObject({ files: [{ ...facts, data: 'JVBERi0=' }] })
})
