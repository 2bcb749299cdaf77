// The facts of a sent file are recorded with it: those that Telegram gives, and its type by its bytes.

import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../../../src/catalog/field.ts'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { music } from '../../../src/catalog/music.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend } from '../../../src/orders/deliver/resend.ts'
import { clip, colored, makeMp3, makeWav, sine } from '../../support/media/media-files.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { type Delivery, file, type Made, type Serve, status } from '../../support/worlds/delivery.ts'

const delivery = await auditedDelivery()

const mp4 = await clip('480x848.mp4')
const mp3 = await makeMp3(7)
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const wav = makeWav(0.5, sine(300))
const pictures = await Promise.all([64, 80].map((width) => colored(width, 48, [9, 99, 9]).jpeg().toBuffer()))

const video = { model: videoReel, answers: { positivePrompt: 'a cat' } }
const image = { model: imageDesign, answers: { prompt: 'a fox' } }
const speech = { model: speechTurbo, answers: { text: 'Good morning' } }
const song = { model: music, answers: { prompt: 'a song about the sea' } }
const refused = { kind: 'error', status: 400, description: 'Bad Request: wrong file' } as const

const factsOf = async ({ generation }: Made) =>
  (await artifactsOf(delivery, generation.id)).map(({ facts }) => facts)

describe('the facts are recorded', () => {
  type Order = Parameters<Delivery['made']>[0]
  it.each<[string, Omit<Order, 'files'>, Serve, FileFacts]>([
    [
      'of a video',
      video,
      file(mp4, ''),
      { mime: 'video/mp4', bytes: mp4.length, width: 480, height: 848, seconds: 4 },
    ],
    [
      'of a video in place of its status message',
      { ...video, quick: true },
      file(mp4, ''),
      { mime: 'video/mp4', bytes: mp4.length, width: 480, height: 848, seconds: 4 },
    ],
    [
      'of a photo',
      image,
      file(pictures[0] ?? '', ''),
      { mime: 'image/jpeg', bytes: pictures[0]?.length ?? 0, width: 64, height: 48 },
    ],
    ['of a drawing in SVG', image, file(svg, 'image/png'), { mime: 'image/svg+xml', bytes: svg.length }],
    ['of speech in MP3', speech, file(mp3, ''), { mime: 'audio/mpeg', bytes: mp3.length, seconds: 7 }],
    ['of a song', song, file(mp3, ''), { mime: 'audio/mpeg', bytes: mp3.length, seconds: 7 }],
    [
      'of raw sound, which no model recognises',
      speech,
      file(wav.subarray(44), ''),
      { mime: 'application/octet-stream', bytes: wav.length - 44 },
    ],
  ])('%s', async (_, order, serve, facts) => {
    const one = await delivery.made({ ...order, files: [serve] })
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await factsOf(one)).toEqual([facts])
  })

  it('of speech that was converted', async () => {
    const one = await delivery.made({ ...speech, files: [file(wav, '')] })
    await delivery.attempt(one)
    expect(await factsOf(one)).toMatchObject([{ mime: 'audio/ogg', seconds: 1 }])
  })

  it('of a video that Telegram refused as a video, with the sizes that it does not give for documents', async () => {
    delivery.fault('sendVideo', refused)
    const one = await delivery.made({ ...video, files: [file(mp4, '')] })
    await delivery.attempt(one)
    expect(await factsOf(one)).toEqual([
      { mime: 'video/mp4', bytes: mp4.length, width: 480, height: 848, seconds: 4 },
    ])
  })

  it('of the pictures of an album', async () => {
    const answers = { ...image.answers, n: 2 }
    const one = await delivery.made({ ...image, answers, files: pictures.map((bytes) => file(bytes, '')) })
    await delivery.attempt(one)
    expect(await factsOf(one)).toEqual(
      pictures.map(({ length }, at) => ({
        mime: 'image/jpeg',
        bytes: length,
        width: [64, 80][at],
        height: 48,
      })),
    )
  })

  it('when a file is sent for the first time from the history', async () => {
    let isBack = false
    const serve: Serve = (req, res) => (isBack ? file(mp3, '') : status(404))(req, res)
    const one = await delivery.made({ ...speech, files: [serve] })
    const ended = await delivery.deliver(one)
    expect(await factsOf(one)).toEqual([null])
    isBack = true
    await resend(delivery.deps, ended, { chatId: one.anna.id, topicId: null }, delivery.deps.texts('ru'))
    expect(await factsOf(one)).toMatchObject([{ mime: 'audio/mpeg' }])
  })
})

it('a result that was sent as a link has no facts', async () => {
  const large: Serve = (_, res) =>
    res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 51 * 1024 * 1024 }).write('x')
  const one = await delivery.made({ ...video, files: [large] })
  expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
  expect(await factsOf(one)).toEqual([null])
})
