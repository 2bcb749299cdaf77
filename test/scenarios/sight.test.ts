// Pictures, documents and videos in questions to text models, and what becomes of them in the questions after.

import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { textModelList } from '../../src/catalog/text-models.ts'
import { noModes } from '../../src/catalog/text-modes.ts'
import { contentOf } from '../../src/chat/question-files.ts'
import { turns, users } from '../../src/db/schema.ts'
import { pdfOf } from '../support/media/pdf.ts'
import { film, jpeg, lastAsked } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '100' })

const askedBy = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select({ files: turns.files, inputTokens: turns.inputTokens })
    .from(turns)
    .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, id)))
    .orderBy(turns.createdAt)

async function choose(user: SandboxUser, label: string) {
  await user.sends('/model')
  await user.taps(/Model: /)
  await user.taps(new RegExp(`^(● )?${label} · `))
}

it('a picture stays in the conversation, is paid with each question, and the bot says when it is no longer seen', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sendsFile(await jpeg(), 'What is it? [short]')
  await anna.sees(/What is it/)
  await anna.sends('Which colour? [short]')
  await anna.sees(/Which colour/)
  expect(await lastAsked(sandbox)).toMatch(/What is it\?.*"image_url".*Which colour\?/)
  const [first, second] = await askedBy(anna)
  expect(second?.inputTokens).toBeGreaterThan(256)
  expect(second?.files).toMatchObject([{ file: first?.files[0]?.file, note: 'earlier' }])
  await anna.taps(/^₽/)
  await anna.isTold(/\nThe picture or file from before was sent along; \/new drops it\.$/)

  await choose(anna, 'DeepSeek')
  await anna.sends('And its size? [short]')
  await anna.sees('I no longer see the picture or file from before')
  await anna.sees(/And its size/)
  expect(await lastAsked(sandbox)).not.toContain('image_url')
  expect(await lastAsked(sandbox)).toContain('The file of this message is not attached any more.')
  await anna.sends('And its age? [short]')
  await anna.sees(/And its age/)
  expect((await anna.transcript()).match(/no longer see/g)).toHaveLength(1)
})

const pdf = (...pages: string[]) => ({ kind: 'document', name: 'tides.pdf', bytes: pdfOf(...pages) })

it('a PDF goes to a model that takes it as it is, at a price by its pages, and stays; to another model goes its text', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sendsFile(pdf('The tide comes twice a day.'), 'How often? [short]')
  await boris.sees(/How often/)
  expect(await lastAsked(sandbox)).toContain('The tide comes twice')
  await choose(boris, 'Gemini')
  const priceOf = async (pages: number) => {
    await boris.sendsFile(pdf(...Array.from({ length: pages }, () => 'x')))
    const offer = await boris.sees(new RegExp(`^📄 ${pages} pages?\\. What should I do with this file`))
    return Number(/₽(.*)$/.exec(labelsOf(offer)[0] ?? '')?.[1])
  }
  // 40 pages of 258 tokens at 165 roubles a million.
  expect((await priceOf(41)) - (await priceOf(1))).toBeCloseTo(1.7, 1)
  await boris.taps(/^📝 Summarise/)
  await boris.sees(/looked at what you attached/)
  expect(await lastAsked(sandbox)).toMatch(
    /generateContent.*"inlineData":\{"mimeType":"application\/pdf","data":"JVBER/,
  )
  await boris.sends('And at night? [short]')
  await boris.sees(/And at night/)
  expect(await lastAsked(sandbox)).toMatch(/application\/pdf.*And at night/)
})

it('a video is asked about with a model that watches, by its caption or by one tap', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sendsFile(await film())
  await clara.sees(/Assistant can’t watch videos\. The models below can/)
  await clara.taps(/^💬 Gemini · ≈ ₽\d+\.\d\d$/)
  await clara.sees('What would you like to know about the video?')
  await clara.sends('Who swims? [short]')
  await clara.sees(/looked at what you attached.*Who swims/)
  expect(await lastAsked(sandbox)).toContain('"inlineData":{"mimeType":"video/mp4"')
  await clara.sendsFile(await film(), 'Is it deep? [short]')
  await clara.sees(/looked at what you attached.*Is it deep/)
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
