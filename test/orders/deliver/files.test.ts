// In which form each file is sent, whatever it is, and which facts of it are recorded. What Telegram cannot show is sent as a document
// with a usable name.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { artifacts } from '../../../src/db/schema.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend, sendOriginals } from '../../../src/orders/deliver/resend.ts'
import { isAlbum } from '../../../src/orders/deliver/send.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { clip, colored, makeMp3, makeWav, sine } from '../../support/media/media-files.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made, type Order, status } from '../../support/worlds/delivery.ts'
import {
  glb,
  images,
  kindOf,
  large,
  lastWords,
  object3d,
  paidBy,
  pictures,
  refusal,
  shown,
  song,
  speech,
  track,
  video,
  videos,
} from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const [picture, green, blue] = pictures
const obj = 'mtllib chair.mtl\no chair\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
const archive = file('PK\x03\x04 and so on', 'application/zip')
const seeds = file('{"seed": 7}', 'application/json')
const srt = file('1\n00:00:00,000 --> 00:00:01,000\nGood morning\n', 'application/x-subrip')
const refused = refusal(400, 'Bad Request: wrong file')
const whole = { delivery: 'delivered', refunded: null }

const factsOf = async ({ generation }: Made) =>
  (await artifactsOf(delivery, generation.id)).map(({ facts }) => facts)

/** Requests to Telegram that name a document, or put it into the status message. */
const documents: unknown[] = []
const sentVideos: unknown[] = []
delivery.api.config.use((prev, method, payload, signal) => {
  if (method === 'sendVideo') sentVideos.push(payload)
  if (method === 'sendDocument') documents.push(payload)
  if (method === 'editMessageMedia' && 'media' in payload) documents.push(payload.media)
  return prev(method, payload, signal)
})

it('every file is sent in the best form that it has, for the whole price, whatever was ordered', async () => {
  const unknown = file('\0\x01\x02\x03', '')
  const wav = file(makeWav(0.5, sine(300)), '')
  const inWav = { text: 'Good morning', 'audio_setting.format': 'wav' }
  const lyrics = file('[00:01.00] The sea', 'text/plain')
  const three = ['photo', 'photo', 'photo']
  const rows: readonly (readonly [what: string, order: Order, shown: readonly string[]])[] = [
    ['an archive in place of speech', speech([archive]), ['.zip+']],
    ['a picture in place of a video', videos([picture]), ['.png+']],
    ['a sound in place of a video', videos([track]), ['audio+']],
    ['a video in place of a voice', speech([video]), ['video+']],
    ['a broken video', videos([file('\0\0\0\x18ftypisom and no more', 'video/mp4')]), ['.mp4+']],
    ['a picture under a wrong type', images([file('GIF89a....', 'text/plain')]), ['.gif+']],
    ['a drawing', images([file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')]), ['.svg+']],
    ['glTF as JSON', object3d([file('{"asset":{"version":"2.0"},"scenes":[]}', 'text/plain')]), ['.gltf+']],
    ['an OBJ as a page', object3d([file(obj, 'text/html')]), ['.obj+']],
    ['something unknown', object3d([unknown]), ['.bin+']],
    ['a format that its link names', { ...object3d([unknown]), names: ['chair.fbx'] }, ['.fbx+']],
    ['a song as M4A', song([file(await clip('sound.m4a'), 'audio/mp4')]), ['audio+']],
    ['a song as WAV, which Telegram does not play', song([file(makeWav(0.5, sine(300)), '')]), ['.wav+']],
    ['a song with its cover and lyrics', song([track, picture, lyrics]), ['audio', '.png', '.lrc+']],
    ['speech as WAV', speech([wav]), ['voice+']],
    ['speech for which WAV was chosen', { ...speech([wav]), answers: inWav }, ['.wav+']],
    ['speech with subtitles', speech([track, srt]), ['voice', '.srt+']],
    ['a picture alone', images([picture]), ['photo+']],
    ['pictures and another file', images([picture, green, seeds, blue], 3), [...three, 'text+', '.json']],
  ]
  const found = []
  for (const [what, order] of rows) {
    const one = await delivery.made(order)
    const { delivery: end, refunded } = await delivery.attempt(one)
    const price = (await paidBy(delivery, one)) === one.generation.amount
    found.push([what, await shown(one), { end, refunded, price }])
  }
  const paid = { end: 'delivered', refunded: null, price: true }
  expect(found).toEqual(rows.map(([what, , seen]) => [what, seen, paid]))
})

it('the facts of a file are recorded: those that Telegram gives, and its type by its bytes', async () => {
  const mp4 = await clip('480x848.mp4')
  const mp3 = await makeMp3(7)
  const wav = makeWav(0.5, sine(300))
  const jpegs = await Promise.all([64, 80].map((width) => colored(width, 48, [9, 99, 9]).jpeg().toBuffer()))
  const ofVideo = { mime: 'video/mp4', bytes: mp4.length, width: 480, height: 848, seconds: 4 }
  const served = (bytes: Buffer) => [file(bytes, '')]
  const raw = wav.subarray(44)
  const album = images(jpegs.map((bytes) => file(bytes, '')))
  const jpegFacts = (at: number) => ({ mime: 'image/jpeg', bytes: jpegs[at]?.length, height: 48 })
  const has = (facts: object) => [expect.objectContaining(facts)]
  const rows: readonly (readonly [string, Order, readonly unknown[], string?])[] = [
    ['a video', videos(served(mp4)), [ofVideo]],
    ['a video in place of its status message', { ...videos(served(mp4)), quick: true }, [ofVideo]],
    ['a video that Telegram refuses as a video', videos(served(mp4)), [ofVideo], 'sendVideo'],
    ['speech', speech(served(mp3)), [{ mime: 'audio/mpeg', bytes: mp3.length, seconds: 7 }]],
    ['a song that is refused as a track', song(served(mp3)), has({ mime: 'audio/mpeg' }), 'sendAudio'],
    ['converted speech', speech(served(wav)), has({ mime: 'audio/ogg', seconds: 1 })],
    ['raw sound', speech(served(raw)), [{ mime: 'application/octet-stream', bytes: raw.length }]],
    ['an album', album, [64, 80].map((width, at) => ({ ...jpegFacts(at), width }))],
    ['a link', videos([large]), [null]],
  ]
  for (const [what, order, facts, operation] of rows) {
    if (operation) delivery.fault(operation, refused)
    const one = await delivery.made(order)
    expect(await delivery.attempt(one), what).toMatchObject(whole)
    expect(await factsOf(one), what).toEqual(facts)
  }
})

describe('a file that Telegram refuses', () => {
  it.each<[number, string, string, Order, string, string]>([
    [400, 'Bad Request: VIDEO_CONTENT_TYPE_INVALID', 'sendVideo', videos([video]), '.mp4+', '92,45'],
    [413, 'Request Entity Too Large', 'sendPhoto', images([picture]), '.png+', '5,28'],
  ])('(%i) is sent as a document', async (code, description, operation, order, seen, price) => {
    for (const refusing of ['editMessageMedia', operation])
      delivery.fault(refusing, refusal(code, description))
    const one = await delivery.made({ ...order, quick: true })
    expect(await delivery.attempt(one)).toMatchObject(whole)
    expect(await shown(one)).toEqual([seen])
    expect(await lastWords(one)).toContain(price)
  })

  it('as a document, too, or for its size, is sent as a link', async () => {
    const big = await delivery.made(videos([large]))
    expect(await delivery.attempt(big)).toMatchObject(whole)
    expect(await lastWords(big)).toMatch(/больше, чем принимает Telegram[\s\S]*http:/)
    for (const operation of ['sendVideo', 'sendDocument']) delivery.fault(operation, refused)
    const one = await delivery.made(videos([video]))
    expect(await delivery.attempt(one)).toMatchObject(whole)
    expect(await lastWords(one)).toMatch(/a cat[\s\S]*92,45[\s\S]*http:\/\/\S+\/\d+/)
  })

  it('as a voice message of this user, or of more than five minutes, is a track', async () => {
    delivery.fault('sendVoice', refusal(400, 'Bad Request: VOICE_MESSAGES_FORBIDDEN'))
    const minute = await makeMp3(60)
    for (const served of [track, file(Buffer.concat(Array(6).fill(minute)), 'audio/mpeg')]) {
      const one = await delivery.made(speech([served]))
      await delivery.attempt(one)
      expect(await shown(one)).toEqual(['audio+'])
    }
  })
})

it('a video is sent with its size, and plays while it loads', async () => {
  sentVideos.length = 0
  await delivery.deliver(await delivery.made(videos([video])))
  expect(sentVideos).toMatchObject([{ width: 64, height: 64, supports_streaming: true }])
})

it('a song has its title, or its prompt, which variant it is if there are two, its length, and a file name', async () => {
  const own = { customMode: true, prompt: 'The sea is wide', style: 'folk', title: 'My sea' }
  const names = ['a.mp3', 'b.mp3']
  const prompt = 'a song about the sea that is wide as the sky and as deep as the longest night of all'
  const cut = 'a-song-about-the-sea-that-is-wide-as.mp3'
  const rows = [
    [{ ...song([track]), answers: { prompt }, names: ['song.mp3'] }, [`${prompt.slice(0, 60)}…`], [cut]],
    [{ ...song([track]), answers: own }, ['My sea'], ['The-sea-is-wide.mp3']],
    [
      { ...song([track, track]), names },
      ['1 из 2 · a song about the sea', '2 из 2 · a song about the sea'],
      ['a-song-about-the-sea-1.mp3', 'a-song-about-the-sea-2.mp3'],
    ],
  ] as const
  for (const [order, titles, files] of rows) {
    const one = await delivery.made(order)
    await delivery.attempt(one)
    const tracks = (await one.anna.chat()).flatMap(({ audio }) => audio ?? [])
    expect(tracks).toMatchObject(titles.map((title, at) => ({ title, duration: 1, file_name: files[at] })))
  }
})

it('one result of several files arrives complete, for one price, under the names by which its files refer to each other', async () => {
  const files = [glb, file(obj, ''), file('newmtl wood\nKd 1 1 1\n', ''), archive]
  const order = { ...object3d(files), names: ['a.glb', 'chair.obj', 'chair.mtl', 'all.zip'] }
  const one = await delivery.made(order)
  expect(await delivery.attempt(one)).toMatchObject(whole)
  expect(await shown(one)).toEqual(['photo', '.glb', '.obj', '.mtl', '.zip+'])
  const names = (await one.anna.chat()).flatMap(({ document }) => document?.file_name ?? [])
  expect(names).toEqual(order.names)
  expect(await paidBy(delivery, one)).toBe(one.generation.amount)
  const exported = JSON.parse(await exportData(delivery.db, one.user.id, delivery.clock.now()))
  expect(exported.artifacts).toEqual(Array(4).fill(expect.objectContaining({ fileId: expect.any(String) })))
  const many = await delivery.made(object3d(Array(23).fill(file('v 0 0 0', ''))))
  await delivery.attempt(many)
  expect(await shown(many), 'up to a limit').toHaveLength(20)
  const rowsOf = async ({ anna }: Made) =>
    (await anna.chat()).at(-1)?.reply_markup?.inline_keyboard?.map(({ length }) => length)
  expect(await rowsOf(many), 'a button for each').toEqual([5, 5, 5, 5, 2, 1])
  const alone = await delivery.made(object3d([archive]))
  await delivery.attempt(alone)
  expect(await rowsOf(alone)).toEqual([2, 1])
})

it('pictures are an album also when another file fails at first; that file arrives later', async () => {
  const drawing = file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')
  const one = await delivery.made(images([picture, green, drawing]))
  delivery.fault('sendDocument', refusal(500, 'no'))
  await delivery.attempt(one)
  expect(await shown(one)).toEqual(['photo', 'photo', 'text+'])
  expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
  expect(await shown(one)).toEqual(['photo', 'photo', 'text+', '.svg+'])
})

it('an album has from two to ten pictures', () => {
  const sizes = [0, 1, 2, 10, 11]
  expect(sizes.filter((length) => isAlbum(Array.from({ length })))).toEqual([2, 10])
})

it('a picture that is sent as a document is not turned into a sticker', async () => {
  const texture = file(await colored(64, 64, [9, 99, 9]).webp().toBuffer(), 'image/webp')
  const narrow = file(await colored(4, 400, [9, 99, 9]).png().toBuffer(), 'image/png')
  for (const order of [{ ...object3d([texture]), quick: true }, object3d([texture]), images([narrow])]) {
    documents.length = 0
    await delivery.attempt(await delivery.made(order))
    expect(documents).toEqual([expect.objectContaining({ disable_content_type_detection: true })])
  }
})

it('the original of a picture that is too large, unavailable or gone at its server is counted as such', async () => {
  for (const [reason, counted] of [
    ['too-large', { sent: 1, gone: 0, away: 0 }],
    ['unavailable', { sent: 0, gone: 0, away: 1 }],
    ['gone', { sent: 0, gone: 1, away: 0 }],
  ] as const) {
    const one = await delivery.made(images([picture]))
    await delivery.attempt(one)
    const before = (await one.anna.chat()).length
    const ofIt = eq(artifacts.generationId, one.generation.id)
    await delivery.db.update(artifacts).set({ originalFileId: null }).where(ofIt)
    const downloads = { get: async () => ({ ok: false, reason }) as const, close: async () => undefined }
    const sent = await sendOriginals({ ...delivery.deps, downloads }, one.generation, one.generation)
    expect(sent).toEqual(counted)
    const told = (await one.anna.chat()).slice(before).map(({ text }) => text)
    const link = expect.stringMatching(/больше, чем принимает Telegram[\s\S]*http:/)
    expect(told).toEqual(reason === 'too-large' ? [link] : [])
  }
})

describe('results that are sent again', () => {
  const again = async (one: Made) => {
    const before = (await one.anna.chat()).length
    const place = { chatId: one.anna.id, topicId: null }
    const resent = await resend(delivery.deps, one.generation, place, delivery.deps.texts('ru'))
    return { ...resent, shown: (await one.anna.chat()).slice(before).map(kindOf) }
  }

  it('include all files, pictures as an album, and are not fetched from the gateway again', async () => {
    for (const [order, seen] of [
      [object3d([glb, file(obj, 'text/plain'), picture]), ['.glb', '.obj', '.png']],
      [images([picture, green, seeds], 2), ['photo', 'photo', 'text', '.json']],
    ] as const) {
      const one = await delivery.made(order)
      await delivery.deliver(one)
      const asked = () => [0, 1, 2].map((at) => one.asked(at))
      const before = asked()
      expect(await again(one)).toEqual({ sent: 3, gone: 0, away: 0, shown: seen })
      expect(asked()).toEqual(before)
    }
  })

  it('have their facts when they are sent for the first time, and are not gone while their server is only unavailable', async () => {
    let code = 503
    const one = await delivery.made(speech([(req, res) => (code ? status(code) : track)(req, res)]))
    await delivery.deliver(one)
    expect(await again(one)).toMatchObject({ sent: 0, gone: 0, away: 1 })
    expect(await factsOf(one)).toEqual([null])
    code = 0
    expect(await again(one)).toMatchObject({ sent: 1 })
    expect(await factsOf(one)).toMatchObject([{ mime: 'audio/mpeg' }])
  })
})
