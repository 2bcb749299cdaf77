// Every file is delivered, whatever it is: what Telegram cannot show is sent as a document with a usable name. The price covers the
// results that were ordered: extra files are neither charged nor refunded.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { music } from '../../../src/catalog/music.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend, sendOriginals } from '../../../src/orders/deliver/resend.ts'
import { isAlbum } from '../../../src/orders/deliver/send.ts'
import { hasResults } from '../../../src/orders/generation.ts'
import { shownStateOf } from '../../../src/orders/history.ts'
import { exportData } from '../../../src/privacy/export.ts'
import { loadTexts } from '../../../src/texts.ts'
import { addShape, clip, colored, cube, glbOf, makeMp3, newModel } from '../../support/media/media-files.ts'
import { labelsOf, type SandboxMessage } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made, type Serve, status } from '../../support/worlds/delivery.ts'
import { taskIs } from '../../support/worlds/generations.ts'

const delivery = await auditedDelivery()

const start = 2000_00n
const chair = newModel()
addShape(chair, cube())
const glb = file(await glbOf(chair), 'model/gltf-binary')
const video = file(await clip('640x640.mp4'), 'video/mp4')
const [red, green, blue] = await Promise.all(
  [0, 120, 240].map(async (red) => file(await colored(64, 64, [red, 99, 9]).png().toBuffer(), 'image/png')),
)
const picture = red as Serve
const track = file(await makeMp3(1), 'audio/mpeg')
const obj = 'mtllib chair.mtl\no chair\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
const subtitles = '1\n00:00:00,000 --> 00:00:01,000\nGood morning\n'

/** What the user sees in the chat after the order: documents by name, `+` for buttons. */
async function shown({ anna, generation }: Made): Promise<string[]> {
  const later = (await anna.chat()).filter(
    ({ message_id }) => message_id > Number(generation.statusMessageId),
  )
  return later.map((message) => `${nameOf(message)}${labelsOf(message).length > 0 ? '+' : ''}`)
}
function nameOf({ document, text, ...message }: SandboxMessage): string {
  if (document) return `document .${document.file_name?.split('.').at(-1)}`
  return (['photo', 'video', 'voice', 'audio'] as const).find((kind) => message[kind]) ?? String(text)
}
const available = async ({ user }: Made) => (await readBalance(delivery.db, user.id)).available
const toldOf = async (one: Made) => (await shown(one)).find((text) => text.startsWith('⚠️'))

const object3d = (files: readonly Serve[], names: readonly string[] = []) =>
  delivery.made({ model: model3d, answers: { prompt: 'a chair' }, files, names })
const speech = (...files: Serve[]) =>
  delivery.made({ model: speechTurbo, answers: { text: 'Good morning' }, files })
const images = (n: number, ...files: Serve[]) =>
  delivery.made({ model: imageDesign, answers: { prompt: 'a fox', n }, files })
const videos = (n: number, ...files: Serve[]) =>
  delivery.made({ model: videoReel, answers: { positivePrompt: 'a cat', numberResults: n }, files })

const priceOf = async (one: Made) => start - (await available(one))

describe('an archive of unknown content', () => {
  const archive = file('PK\x03\x04 and so on', 'application/zip')

  it.each<[string, () => Promise<Made>]>([
    ['pictures', () => images(2, archive)],
    ['a video', () => videos(1, archive)],
    ['speech', () => speech(archive)],
    ['a model', () => object3d([archive])],
  ])('in place of %s is sent as a document, and nothing is refunded', async (_, make) => {
    const one = await make()
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await shown(one)).toEqual(['document .zip+'])
  })
})

describe('a result that came after the refund', () => {
  /** An order that failed because its time was over, as the chat was told; then its task completes. */
  async function late(...files: Serve[]): Promise<Made> {
    const one = await delivery.made({ ...video1, files, error: 'slow' })
    await delivery.db
      .update(generations)
      .set({ reason: 'late', said: null })
      .where(eq(generations.id, one.generation.id))
    await delivery.attempt(one)
    expect((await shown(one)).at(-1)).toMatch(/в течение суток, вы получите его бесплатно/)
    delivery.clock.advance(13 * 60_000)
    delivery.world.gatewayAnswers(taskIs('completed', { data: one.data }))
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'pending' })
    return one
  }
  const video1 = { model: videoReel, answers: { positivePrompt: 'a cat' } }

  it('is delivered with the words that it is free, and is in the history', async () => {
    const one = await late(video)
    const ended = await delivery.attempt(one)
    expect(ended).toMatchObject({ state: 'failed', delivery: 'delivered', refunded: null })
    expect((await shown(one)).at(-1)).toBe('video+')
    const chat = await one.anna.chat()
    expect(chat.at(-1)?.caption).toMatch(/после возврата денег, поэтому он бесплатный/)
    const card = chat.find(({ message_id }) => message_id === one.generation.statusMessageId)
    expect(card?.text).toMatch(/после возврата денег · бесплатно/)
    expect(shownStateOf(ended)).toBe('late')
    expect(hasResults(ended)).toBe(true)
    expect(await priceOf(one)).toBe(0n)
  })

  it('is explained when it cannot be downloaded, and nothing is refunded twice', async () => {
    const one = await late(status(404))
    delivery.fault('sendMessage', { kind: 'error', status: 500, description: 'Internal Server Error' })
    expect(await delivery.deliver(one)).toMatchObject({ state: 'failed', delivery: 'undeliverable' })
    expect(one.asked(0), 'the file is not downloaded again when the message about it failed').toBe(6)
    expect(await toldOf(one)).toMatch(/Файл получить не удалось[\s\S]*возвращены раньше, ничего не списано/)
    expect(await priceOf(one)).toBe(0n)
  })
})

it('a video is sent with its size, and plays while it loads', async () => {
  const sent: object[] = []
  delivery.api.config.use((prev, method, payload, signal) => {
    if (method === 'sendVideo') sent.push(payload)
    return prev(method, payload, signal)
  })
  const answers = { positivePrompt: 'a cat surfing' }
  await delivery.deliver(await delivery.made({ model: videoReel, answers, files: [video] }))
  expect(sent).toMatchObject([{ width: 640, height: 640, supports_streaming: true }])
})

it('two variants of a song say first which one they are', async () => {
  const answers = { prompt: 'a song about the sea' }
  const one = await delivery.made({ model: music, answers, files: [track, track], names: ['a.mp3', 'b.mp3'] })
  await delivery.attempt(one)
  const titles = (await one.anna.chat()).flatMap(({ audio }) => audio?.title ?? [])
  expect(titles).toEqual(['1 из 2 · a song about the sea', '2 из 2 · a song about the sea'])
})

describe('one result of several files', () => {
  const formats = [
    glb,
    file('; FBX 7.4.0 project file\n', 'application/octet-stream'),
    file(obj, 'text/plain'),
    file('newmtl wood\nKd 1 1 1\n', 'text/plain'),
    file('PK\x03\x04 and so on', 'application/zip'),
  ]

  it('arrives complete, for one price', async () => {
    const one = await object3d(formats)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await shown(one)).toEqual([
      'photo',
      ...['document .glb', 'document .fbx', 'document .obj', 'document .mtl', 'document .zip+'],
    ])
    expect(await priceOf(one)).toBe(one.generation.amount)
  })

  it('keeps the names by which its files refer to each other', async () => {
    const one = await object3d(
      [glb, file(obj, ''), file('newmtl wood', '')],
      ['a.glb', 'chair.obj', 'chair.mtl'],
    )
    await delivery.attempt(one)
    const names = (await one.anna.chat()).flatMap(({ document }) => document?.file_name ?? [])
    expect(names).toEqual(['a.glb', 'chair.obj', 'chair.mtl'])
  })

  it('is kept up to a limit of twenty files', async () => {
    const one = await object3d(Array.from({ length: 23 }, () => file('v 0 0 0', '')))
    expect(await artifactsOf(delivery, one.generation.id)).toHaveLength(20)
    await delivery.attempt(one)
    expect(await shown(one)).toHaveLength(20)
  })

  it('is not refunded when an extra file is missing, and the chat is told', async () => {
    const one = await object3d([glb, status(404)])
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await toldOf(one)).toMatch(
      /1 из 2[\s\S]*№ 2: файла нет по выданной нам ссылке[\s\S]*Списано только за то, что пришло/,
    )
    expect(await priceOf(one)).toBe(one.generation.amount)
  })

  it('is refunded when only extra files arrived', async () => {
    const one = await speech(status(404), file(subtitles, 'text/plain'))
    expect(await delivery.deliver(one)).toMatchObject({
      delivery: 'delivered',
      refunded: one.generation.amount,
    })
    expect((await shown(one))[0]).toBe('document .srt+')
    expect(await priceOf(one)).toBe(0n)
  })

  it('is not refunded when it arrived in another format of its kind', async () => {
    const one = await object3d([status(404), file(obj, 'text/plain')])
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
  })

  it('arrives as a voice message and a subtitle file when it is speech', async () => {
    const one = await speech(track, file(subtitles, 'application/x-subrip'))
    await delivery.attempt(one)
    expect(await shown(one)).toEqual(['voice', 'document .srt+'])
  })

  it('arrives as audio, cover and lyrics when it is a song', async () => {
    const one = await delivery.made({
      model: music,
      answers: { prompt: 'a song about the sea' },
      files: [track, picture, file('[00:01.00] The sea', 'text/plain')],
    })
    await delivery.attempt(one)
    expect(await shown(one)).toEqual(['audio', 'document .png', 'document .lrc+'])
    expect(await priceOf(one)).toBe(6_60n)
  })

  it('is listed file by file in the export of the user’s data', async () => {
    const one = await object3d(formats)
    await delivery.attempt(one)
    const { artifacts } = JSON.parse(await exportData(delivery.db, one.user.id, delivery.clock.now()))
    expect(artifacts).toHaveLength(5)
    expect(artifacts.every(({ fileId }: { fileId: string | null }) => fileId !== null)).toBe(true)
  })
})

it('a result that cannot be fetched yet is said to be fetched again, and its caption then tells no time', async () => {
  let fetched = 0
  const once: Serve = (req, res) => (fetched++ === 0 ? status(503) : video)(req, res)
  const one = await videos(1, once)
  expect(await delivery.attempt(one)).toMatchObject({ delivery: 'pending', attempts: 1 })
  expect((await one.anna.chat()).at(-1)?.text).toMatch(/Готово, но получить или отправить результат пока не/)
  expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
  const captions = (await one.anna.chat()).map(({ caption = '' }) => caption).join()
  expect(captions).toMatch(/✅ Готово · списано 92,45/)
})

describe('several results with extra files', () => {
  it('are charged per result: a missing result is refunded', async () => {
    const one = await videos(2, video, picture, status(404), picture)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: 92_45n })
    expect(await toldOf(one)).toMatch(/1 из 4[\s\S]*№ 3: [\s\S]*92,45 ₽/)
    expect(await priceOf(one)).toBe(92_45n)
  })

  it('are charged per result: a missing extra file is not refunded', async () => {
    const one = await videos(2, video, status(404), video, picture)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await priceOf(one)).toBe(184_90n)
  })

  it('lead to a refund of the missing result also when the extra files were sent by an earlier attempt', async () => {
    const one = await images(3, picture, status(404), picture, file('{"seed": 7}', 'application/json'))
    await delivery.attempt(one)
    expect((await shown(one)).filter((name) => name === 'photo')).toHaveLength(2)
    expect((await shown(one)).at(-1)).toBe('document .json')
    expect(await delivery.deliver(one)).toMatchObject({ attempts: 6, refunded: 5_28n })
    expect(await priceOf(one)).toBe(10_56n)
  })

  it('are sent as an album, followed by the other files', async () => {
    const one = await images(
      3,
      picture,
      green as Serve,
      file('{"seed": 7}', 'application/json'),
      blue as Serve,
    )
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    const [, , , words, ...rest] = await shown(one)
    expect((await shown(one)).slice(0, 3)).toEqual(['photo', 'photo', 'photo'])
    expect(words).toMatch(/a fox[\s\S]*\+$/)
    expect(rest).toEqual(['document .json'])
  })

  it('are sent as an album when another file fails at first, and that file arrives later', async () => {
    const drawing = file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')
    const one = await images(3, picture, green as Serve, drawing)
    delivery.fault('sendDocument', { kind: 'error', status: 500, description: 'no' })
    await delivery.attempt(one)
    expect(await shown(one)).toHaveLength(3)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', attempts: 2 })
    expect((await shown(one)).filter((name) => name === 'photo')).toHaveLength(2)
    expect((await shown(one)).at(-1)).toMatch(/^document \.svg/)
  })
})

describe('a picture that is sent as a document', () => {
  const sent: unknown[] = []
  delivery.api.config.use((prev, method, payload, signal) => {
    if (method === 'sendDocument') sent.push(payload)
    if (method === 'editMessageMedia' && 'media' in payload) sent.push(payload.media)
    return prev(method, payload, signal)
  })
  const textureOf = async () => file(await colored(64, 64, [9, 99, 9]).webp().toBuffer(), 'image/webp')
  const narrowOf = async () => file(await colored(4, 400, [9, 99, 9]).png().toBuffer(), 'image/png')

  it.each([
    ['a texture', model3d, { prompt: 'a chair' }, textureOf, false],
    ['a texture that takes the place of the status', model3d, { prompt: 'a chair' }, textureOf, true],
    ['a picture that is too narrow for a photo', imageDesign, { prompt: 'a fox' }, narrowOf, false],
  ])('is not turned into a sticker: %s', async (_, model, answers, fileOf, quick) => {
    sent.length = 0
    const one = await delivery.made({ model, answers, files: [await fileOf()], quick })
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(sent).toEqual([expect.objectContaining({ disable_content_type_detection: true })])
  })
})

describe('a file of another kind than was ordered', () => {
  it.each([
    ['a picture where a video was ordered', () => videos(1, picture), 'document .png+'],
    ['a sound where a video was ordered', () => videos(1, track), 'audio+'],
    [
      'a packed 3D model',
      () => object3d([file('PK\x03\x04....', 'application/octet-stream')]),
      'document .zip+',
    ],
    [
      'glTF as JSON',
      () => object3d([file('{"asset":{"version":"2.0"},"scenes":[]}', 'application/json')]),
      'document .gltf+',
    ],
    ['an OBJ as text', () => object3d([file(obj, 'text/plain; charset=utf-8')]), 'document .obj+'],
    ['an OBJ as a page', () => object3d([file(obj, 'text/html')]), 'document .obj+'],
    ['something unknown', () => object3d([file('\0\x01\x02\x03', '')]), 'document .bin+'],
    [
      'a format that only its link names',
      () => object3d([file('\0\x01\x02\x03', '')], ['chair.fbx']),
      'document .fbx+',
    ],
    [
      'a video in an unknown container',
      () => videos(1, file('RIFF....AVI LIST....', 'video/x-msvideo')),
      'document .avi+',
    ],
    [
      'a broken video',
      () => videos(1, file('\0\0\0\x18ftypisom and no more', 'video/mp4')),
      'document .mp4+',
    ],
    ['a video where a voice was ordered', () => speech(video), 'video+'],
    ['a picture where a voice was ordered', () => speech(picture), 'document .png+'],
    [
      'a picture under a wrong type',
      () => images(1, file(Buffer.from('GIF89a....'), 'text/plain')),
      'document .gif+',
    ],
  ])('%s is delivered', async (_, made, as) => {
    const one = await made()
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect((await shown(one)).at(-1)).toBe(as)
    expect(await priceOf(one)).toBe(one.generation.amount)
  })

  it.each([
    ['an error as JSON', file('{"error": {"message": "expired"}}', 'application/json')],
    ['an error under the type of a video', file('{"error": "expired"}', 'video/mp4')],
    [
      'an error as XML',
      file('<?xml version="1.0"?>\n<Error><Code>NoSuchKey</Code></Error>', 'application/xml'),
    ],
    ['a page', file('<!-- x --><!DOCTYPE HTML><title>502</title>', 'application/octet-stream')],
    ['a page with a drawing in it', file('<!-- x --><html><svg></svg></html>', 'text/html')],
    ['a part of a page', file('Bad gateway', 'text/html; charset=utf-8')],
    ['plain words', file('Please try again later', 'text/plain')],
    ['an empty body', file('', 'video/mp4')],
  ])('%s does not count as a file: its price is refunded', async (_, serve) => {
    const one = await videos(1, serve)
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', attempts: 6 })
    expect(await toldOf(one)).toMatch(/по выданной нам ссылке не файл/)
    expect(await priceOf(one)).toBe(0n)
  })
})

describe('the message about a missing file', () => {
  it.each([
    ['is gone', status(410), 6, /файла нет по выданной нам ссылке/],
    [
      'exists but is refused by its server',
      status(403),
      6,
      /сервер, на котором лежит файл, отказался его отдать/,
    ],
    ['cannot be reached', status(503), 12, /сервер.*не отдал/],
    [
      'is at an address of our own network',
      redirect('http://10.0.0.1/a.mp4'),
      6,
      /адрес, который мы не открываем/,
    ],
  ])('says that the file %s', async (_, serve, attempts, why) => {
    const one = await videos(1, serve)
    expect(await delivery.deliver(one)).toMatchObject({ attempts, refunded: 92_45n })
    expect(await toldOf(one)).toMatch(why)
    expect(await toldOf(one)).not.toContain('№')
    expect(await toldOf(one)).toMatch(/92,45 ₽ возвращены на баланс/)
  })

  it('names each missing file by its number, and says how many arrived', async () => {
    const one = await videos(4, status(404), video, file('<html>', 'text/html'), status(404))
    await delivery.deliver(one)
    const told = await toldOf(one)
    expect(told).toMatch(/3 из 4/)
    expect(told).toMatch(/№ 1, 4: файла нет/)
    expect(told).toMatch(/№ 3: по выданной нам ссылке не файл/)
    expect(told).toMatch(/277,35 ₽/)
    expect(told).toMatch(/пришло: 1/)
  })

  it('is not sent for a file that is only too large: that file is sent as a link', async () => {
    const one = await videos(1, (_, res) => {
      res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 51 * 1024 * 1024 }).write('x')
    })
    await delivery.attempt(one)
    expect((await shown(one)).at(-1)).toMatch(/больше, чем принимает Telegram[\s\S]*http:/)
  })
})

describe('the original of a picture', () => {
  type Reason = 'too-large' | 'unavailable' | 'gone'
  const originalWithout = async (reason: Reason) => {
    const one = await images(1, picture)
    await delivery.attempt(one)
    const before = (await one.anna.chat()).length
    await delivery.db
      .update(artifacts)
      .set({ originalFileId: null })
      .where(eq(artifacts.generationId, one.generation.id))
    const downloads = { get: async () => ({ ok: false, reason }) as const, close: async () => undefined }
    const { world, statuses, api } = delivery
    const deps = { ...world.deps, ...statuses, api, texts: loadTexts(), downloads }
    const sent = await sendOriginals(deps, one.generation, one.generation)
    return { sent, told: (await one.anna.chat()).slice(before).map(({ text }) => text) }
  }

  it('that is too large for Telegram is sent as a link, and does not count as gone', async () => {
    const { sent, told } = await originalWithout('too-large')
    expect(sent).toEqual({ sent: 1, gone: 0, away: 0 })
    expect(told).toEqual([expect.stringMatching(/больше, чем принимает Telegram[\s\S]*http:/)])
  })

  it('whose server is only unavailable does not count as gone', async () => {
    expect((await originalWithout('unavailable')).sent).toEqual({ sent: 0, gone: 0, away: 1 })
  })

  it('that its server does not have any more counts as gone', async () => {
    expect((await originalWithout('gone')).sent).toEqual({ sent: 0, gone: 1, away: 0 })
  })
})

function redirect(location: string): Serve {
  return (_, res) => void res.writeHead(302, { location }).end()
}

describe('results that are sent again', () => {
  const again = async (one: Made) => {
    const before = (await one.anna.chat()).length
    const { anna, generation } = one
    const place = { chatId: anna.id, topicId: null }
    const { db, catalog } = delivery.world.deps
    const deps = {
      ...delivery.world.deps,
      ...delivery.statuses,
      api: delivery.api,
      db,
      catalog,
      downloads: delivery.downloads,
      texts: loadTexts(),
    }
    const resent = await resend(deps, generation, place, loadTexts()('ru'))
    return { ...resent, shown: (await anna.chat()).slice(before).map(nameOf) }
  }

  it('include all files of one result', async () => {
    const one = await object3d([glb, file(obj, 'text/plain'), picture])
    await delivery.deliver(one)
    expect(await again(one)).toMatchObject({
      sent: 3,
      gone: 0,
      shown: ['document .glb', 'document .obj', 'document .png'],
    })
    expect([one.asked(0), one.asked(1), one.asked(2)]).toEqual([1, 1, 1])
  })

  it('are an album, followed by the files that are not pictures', async () => {
    const one = await images(2, picture, green as Serve, file('{"seed": 7}', 'application/json'))
    await delivery.deliver(one)
    const { shown: names, sent } = await again(one)
    expect(sent).toBe(3)
    expect(names.filter((name) => name === 'photo')).toHaveLength(2)
    expect(names.at(-1)).toBe('document .json')
  })

  it('are not reported as gone while their server is only unavailable', async () => {
    const one = await videos(1, status(503))
    await delivery.deliver(one)
    expect(await again(one)).toMatchObject({ sent: 0, gone: 0, away: 1 })
  })
})

it('an order of an earlier version, whose files have no kind, is refunded by the number of files', async () => {
  const one = await videos(2, video, status(404))
  await delivery.attempt(one)
  await delivery.db.update(artifacts).set({ kind: null }).where(eq(artifacts.generationId, one.generation.id))
  expect(await delivery.deliver(one)).toMatchObject({ refunded: 92_45n })
})

it('an album has from two to ten pictures', () => {
  const sizes = Array.from({ length: 12 }, (_, count) => count)
  expect(sizes.filter((count) => isAlbum(Array.from({ length: count })))).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
})
