// Voice messages, video notes and sound files as questions, and answers that are read aloud.

import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { turns, users } from '../../src/db/schema.ts'
import { encodeVoice } from '../../src/media/opus.ts'
import { readWav } from '../../src/media/wav.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { storeUpdates } from '../../src/updates/inbox.ts'
import { clip, fixture, makeWav, sine } from '../support/media/media-files.ts'
import { groupOf } from '../support/users/group.ts'
import { ordered, song } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { type FileToSend, labelsOf, type SandboxUser, textOf } from '../support/users/user.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
})
afterAll(async () => {
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true, findings: [] })
  await sandbox.stop()
})

async function encoded(): Promise<Uint8Array> {
  const wav = readWav(makeWav(2, sine(440)))
  if (!wav) throw new Error('no WAV')
  return encodeVoice(wav)
}
const voice = await encoded()
const speech = (): FileToSend => ({ kind: 'voice', name: 'voice.ogg', mime: 'audio/ogg', bytes: voice })

/** Half a minute of speech, eleven times: an MP3 file is a row of frames. */
async function longSpeech(): Promise<FileToSend> {
  const half = await fixture('speech-30.mp3')
  return { kind: 'voice', name: 'voice.mp3', bytes: Buffer.concat(Array<Buffer>(11).fill(half)) }
}

const asked = ({ id }: SandboxUser) =>
  sandbox.app.db
    .select({ question: turns.question, files: turns.files, captured: turns.captured })
    .from(turns)
    .innerJoin(users, and(eq(users.id, turns.userId), eq(users.telegramId, id)))
    .orderBy(turns.createdAt)

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
  expect(await asked(anna)).toMatchObject([{ question: '🎤 Voice message', files: [{ note: 'spoken' }] }, {}])
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
  expect(await asked(boris)).toHaveLength(1)
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
  expect(await asked(clara)).toEqual([])
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
  expect(await asked(dora)).toMatchObject([
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
  expect(await asked(eva)).toEqual([])
})

it('a voice message that replies to the bot is asked in a group', async () => {
  const fred = await sandbox.user('Fred')
  const id = await groupOf(sandbox, fred)
  const there = fred.in(id)
  await choose(there, 'GPT')
  const card = await there.sees(/^💬 GPT/)
  await there.sendsFile(speech())
  await there.attaches(speech(), '', /^🎤 Where do I begin\?/, { reply_to: card.message_id })
  expect(await asked(fred)).toHaveLength(1)
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

it('when no model hears, the bot says what it can do with a voice message instead', async () => {
  const catalog = z.looseObject({ textModels: z.array(z.looseObject({ abilities: z.array(z.string()) })) })
  const sold = catalog.parse(JSON.parse(await readFile('src/sandbox/catalog.json', 'utf8')))
  for (const model of sold.textModels) model.abilities = model.abilities.filter((one) => one !== 'audio')
  const file = join(await mkdtemp(join(tmpdir(), 'deaf-')), 'catalog.json')
  await writeFile(file, JSON.stringify(sold))
  const deaf = await openSandbox('postgres', { CATALOG_FILE: file })
  const hanna = await deaf.user('Hanna')
  await hanna.attaches(speech(), '', 'No model here can listen to voice messages: please write instead.')
  const { message_id } = await hanna.sendsFile(await song(), '/chat what is it?')
  await hanna.sees((one) => one.message_id > message_id && textOf(one).startsWith('I can’t listen to sounds'))
  await deaf.stop()
})
