// Documents, pictures, videos, voice messages and sounds in questions to text models, what becomes of them in the questions after, and
// answers that are read aloud.

import { readFile } from 'node:fs/promises'
import type { Update } from 'grammy/types'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { clip, colored, fixture, makeOgg, makeWav, sine } from '../support/media/media-files.ts'
import { pdfOf } from '../support/media/pdf.ts'
import { groupOf } from '../support/users/group.ts'
import { turnsIn } from '../support/users/order.ts'
import { film, jpeg, lastAsked, ordered, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { type FileToSend, labelsOf, type SandboxUser } from '../support/users/user.ts'

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
    const asked = { state: 'done', question: expect.stringContaining('The tide comes') }
    expect(await turnsIn(sandbox, anna)).toMatchObject([asked])
  })

  it('/speech as the caption of a text file opens a card with the text of the file as the prompt', async () => {
    const before = await spent()
    await anna.attaches(notes, '/speech', /The tide comes twice a day\.[\s\S]*Price/)
    expect(await spent()).toBe(before)
  })
})

describe('A picture without a caption:', () => {
  const ask = /^💬 Ask about it · ≈ ₽\d\.\d\d$/

  it('a question about a picture is sent once with the picture, however often the button is tapped', async () => {
    const boris = await sandbox.newcomer('Boris')
    await boris.sendsFile(await jpeg())
    const offer = await boris.seesButton(ask)
    await Promise.all([1, 2].map(() => boris.tapsData(offer.message_id, 'ua').catch(() => undefined)))
    await boris.sees('What would you like to know about the picture?')
    await boris.sends('What is on it?')
    await boris.seesButton(/^ℹ️ ₽0\.\d\d$/)
    await boris.tapsData(offer.message_id, 'ua').catch(() => undefined)
    expect(await turnsIn(sandbox, boris)).toMatchObject([
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

it('a picture stays in the conversation, is paid with each question, and the bot says when it is no longer seen', async () => {
  const anna = await sandbox.user('Anna')
  await anna.attaches(await jpeg(), 'What is it? [short]', /What is it/)
  await anna.asks('Which colour? [short]', /Which colour/)
  expect(await lastAsked(sandbox)).toMatch(/What is it\?.*"image_url".*Which colour\?/)
  const [first, second] = await turnsIn(sandbox, anna)
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

it('the text of a PDF is read aloud: by a button below it, and by its caption', async () => {
  const pavel = await sandbox.user('Pavel')
  await pavel.attaches(pdf('The tide comes twice a day.'), '', /What should I do with this file/)
  await pavel.tapsFor('🗣 Read aloud', /Speech[\s\S]*Text: The tide comes twice a day/)
  await pavel.attaches(pdf('And at night.'), '/speech', /Speech[\s\S]*Text: And at night/)
})

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

const voice = await makeOgg(makeWav(2, sine(440)))
const speech = (): FileToSend => ({ kind: 'voice', name: 'voice.ogg', mime: 'audio/ogg', bytes: voice })

/** Half a minute of speech, eleven times: an MP3 file is a row of frames. */
async function longSpeech(): Promise<FileToSend> {
  const half = await fixture('speech-30.mp3')
  return { kind: 'voice', name: 'voice.mp3', bytes: Buffer.concat(Array<Buffer>(11).fill(half)) }
}

async function choose(user: SandboxUser, label: string) {
  await user.opens('/model', /Model: /, new RegExp(`^(● )?${label} · `))
  await user.sees(new RegExp(`^💬 ${label}\\n`))
}

const lastBody = async (path: RegExp) => JSON.stringify((await ordered(sandbox, path)).at(-1))

it('a voice message is asked at once, its understood words begin the answer, and later questions know them', async () => {
  const anna = await sandbox.user('Anna')
  await choose(anna, 'GPT')
  const answer = await anna.attaches(speech(), '', /^🎤 Where do I begin\?\n/)
  expect(answer.entities).toMatchObject([{ type: 'blockquote' }, ...(answer.entities ?? []).slice(1)])
  expect(await lastBody(/completions$/)).toMatch(/"type":"input_audio","input_audio":\{"data":"UklGR/)
  expect(await lastBody(/completions$/)).toContain('"format":"wav"')
  await anna.asks('And then?', /And then/)
  expect(await lastBody(/completions$/)).toMatch(/🎤 Voice message.*> 🎤 Where do I begin\?/)
  expect(await lastBody(/completions$/)).not.toContain('input_audio')
  expect(await turnsIn(sandbox, anna)).toMatchObject([
    { question: '🎤 Voice message', files: [{ note: 'spoken' }] },
    {},
  ])
})

it('when the model does not hear, one tap has another model answer, at the shown price, and it stays chosen', async () => {
  const boris = await sandbox.newcomer('Boris')
  const offer = await boris.attaches(
    speech(),
    '',
    /^💬 Assistant can’t listen to sounds\. The models below can/,
  )
  expect(labelsOf(offer).slice(0, 2)).toEqual([
    expect.stringMatching(/^💬 GPT · ≈ ₽\d\.\d\d$/),
    expect.stringMatching(/^💬 Gemini · ≈ ₽\d\.\d\d$/),
  ])
  await boris.tapsFor(/^💬 Gemini/, /^🎤 Where do I begin\?/)
  expect(await lastBody(/generateContent$/)).toContain('"mimeType":"audio/wav"')
  await boris.tapsData(offer.message_id, 'uh:TEXT-GPT').catch(() => undefined)
  await boris.asks('/model', /^💬 Gemini/)
  expect(await turnsIn(sandbox, boris)).toHaveLength(1)
})

/** Sends a round video, which the page of the sandbox has no button for. */
async function sendsNote(user: SandboxUser, bytes: Buffer) {
  const sent = await user.sendsFile({ kind: 'video', name: 'note.mp4', bytes })
  const { width: length = 1, duration = 1, file_id, file_unique_id } = sent.video ?? {}
  const from = { id: user.id, is_bot: false, first_name: 'Clara' }
  const chat = { id: user.id, type: 'private', first_name: 'Clara' }
  const video_note = { file_id, file_unique_id, length, duration }
  const message = { message_id: sent.message_id + 900, date: sent.date, chat, from, video_note }
  const update = { update_id: 910_000_000 + sent.message_id, message } as unknown as Update
  await storeUpdates({ db: sandbox.app.db, clock: systemClock }, [update])
}

it('only the sound of a video note is sent, and one without sound is not asked', async () => {
  const clara = await sandbox.user('Clara')
  await choose(clara, 'Gemini')
  await sendsNote(clara, await clip('640x640.mp4'))
  await clara.sees('There’s no sound in this file that models could hear')
  expect(await turnsIn(sandbox, clara)).toEqual([])
  await sendsNote(clara, await readFile('src/sandbox/gateway/files/video-0-square-5-sound.mp4'))
  await clara.sees(/^🎤 Where do I begin\?/)
  expect(await lastBody(/generateContent$/)).toContain('"mimeType":"audio/aac"')
})

it('a sound file is asked about by its caption, or by a button with the price', async () => {
  const dora = await sandbox.user('Dora')
  await choose(dora, 'GPT')
  await dora.attaches(await song(), 'Which instrument is it?', /^I have listened to what you sent\./)
  expect(await lastBody(/completions$/)).toContain('"format":"mp3"')
  await dora.sendsFile(await song())
  await dora.tapsFor(/^💬 Ask about it · ≈ ₽\d\.\d\d$/, 'What would you like to know about the recording?')
  await dora.asks('How fast is it? [short]', /listened.*How fast is it/)
  expect(await turnsIn(sandbox, dora)).toMatchObject([
    { files: [{ medium: 'audio' }] },
    { files: [{ medium: 'audio' }] },
  ])
})

it('a long recording, and any while a mode goes another way, is refused before money is held', async () => {
  const eva = await sandbox.user('Eva')
  await choose(eva, 'GPT')
  await eva.attaches(
    await longSpeech(),
    '',
    'A question can have up to 300 seconds of sound: that’s the limit of this bot',
  )
  await eva.opens('/model', /Web search: off/)
  await eva.attaches(speech(), '', /^💬 GPT can’t listen to sounds while this is on: 🌐 Web search/)
  expect(await turnsIn(sandbox, eva)).toEqual([])
})

it('a voice message that replies to the bot is asked in a group', async () => {
  const fred = await sandbox.user('Fred')
  const id = await groupOf(sandbox, fred)
  const there = fred.in(id)
  await choose(there, 'GPT')
  const card = await there.sees(/^💬 GPT/)
  await there.sendsFile(speech())
  await there.attaches(speech(), '', /^🎤 Where do I begin\?/, { reply_to: card.message_id })
  expect(await turnsIn(sandbox, there)).toHaveLength(1)
})

it('one tap reads an answer aloud at the price on the button, once', async () => {
  const gleb = await sandbox.user('Gleb')
  await gleb.sends('How deep is the sea? [short]')
  const answer = await gleb.seesButton(/^🔊 Read aloud · ₽0\.01$/)
  const data = answer.reply_markup?.inline_keyboard?.at(-1)?.[0]?.callback_data ?? ''
  await Promise.all([1, 2].map(() => gleb.tapsData(answer.message_id, data).catch(() => undefined)))
  await gleb.sees(({ voice }) => voice !== undefined)
  const bodies = (await ordered(sandbox, /speech$/)).filter(({ text }) => String(text).includes('How deep'))
  expect(bodies).toHaveLength(1)
  expect(bodies[0]?.text).not.toContain('*')
})
