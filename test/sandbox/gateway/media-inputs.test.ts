// Objects that a request to the local gateway refers to must exist: styles, earlier videos, concepts and files.

import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoDream } from '../../../src/catalog/video-dream.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import { bodyOf, openRichGateway, type RichSandbox, saying } from '../../support/gateway/contract.ts'
import { closing, errorSchema, receiver, removeGateway } from '../../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
beforeAll(async () => {
  sandbox = await openRichGateway()
})
afterAll(() => removeGateway(sandbox))

const order = (model: Model, more: object) => sandbox.send(model, { ...bodyOf(model), ...more })

/** Sends a request that must be refused without a task. @returns the code and the message of the error */
async function refusal(model: Model, more: object) {
  const tasks = (await sandbox.account()).tasks.length
  const answer = await order(model, more)
  expect(answer.status).toBe(400)
  expect((await sandbox.account()).tasks).toHaveLength(tasks)
  const { code, message } = errorSchema.parse(await answer.json()).error
  return { code, message }
}

describe('a style', () => {
  const unknown = '123e4567-e89b-42d3-a456-426614174000'

  it('can be used after its creation, with its id in any case', async () => {
    const made = await sandbox.post('/gateway/v1/styles', { images: ['https://example.com/cat.png'] })
    const { id } = z.object({ id: z.uuid() }).parse(await made.json())
    for (const style_id of [id, id.toUpperCase()]) {
      expect((await order(imageDesign, { style_id })).status).toBe(202)
      expect((await order(imageDesign, { style_id, async: false })).status).toBe(200)
    }
  })

  it('that was never created is refused', async () => {
    expect(await refusal(imageDesign, { style_id: unknown })).toEqual({
      code: 'unknown_style',
      message: expect.stringContaining(unknown),
    })
  })
})

describe('an earlier video', () => {
  const from = (id: string) => ({ keyframes: { frame1: { type: 'generation', id } } })

  it('can be continued when it is completed', async () => {
    const waiting = await sandbox.order(videoDream, bodyOf(videoDream))
    expect((await refusal(videoDream, from(waiting))).code).toBe('unknown_generation')
    const { id } = await sandbox.made(videoDream, bodyOf(videoDream))
    expect((await order(videoDream, from(id))).status).toBe(202)
    const both = { frame0: { type: 'generation', id }, frame1: { type: 'generation', id } }
    expect((await order(videoDream, { keyframes: both })).status).toBe(202)
  })

  it('is refused when it does not exist, has failed or is not a video', async () => {
    const failed = await sandbox.made(videoDream, bodyOf(videoDream, saying(videoDream, '[fail]')))
    const picture = await sandbox.made(imageDesign, bodyOf(imageDesign))
    for (const id of ['task-none', failed.id, picture.id]) {
      expect(await refusal(videoDream, from(id))).toEqual({
        code: 'unknown_generation',
        message: `keyframes.frame1: there is no video "${id}"`,
      })
    }
  })
})

describe('a concept', () => {
  it('must be in the list', async () => {
    const answer = await sandbox.call('/gateway/v1/generations/concepts/list')
    const { data } = z.object({ data: z.array(z.object({ key: z.string() })) }).parse(await answer.json())
    const concepts = data.map(({ key }) => ({ key }))
    expect((await order(videoDream, { concepts })).status).toBe(202)
    expect(await refusal(videoDream, { concepts: [...concepts, { key: 'levitate' }] })).toEqual({
      code: 'unknown_concept',
      message: 'concepts: there is no "levitate"',
    })
  })
})

/** Every place of a file in a request, by the path that error messages name. */
const places: [string, Model, (link: string) => object][] = [
  ['inputs.frameImages.0', videoReel, (link) => ({ inputs: { frameImages: [link] } })],
  [
    'inputs.frameImages.0.image',
    videoWan,
    (image) => ({ inputs: { frameImages: [{ image, frame: 'last' }] } }),
  ],
  [
    'inputs.referenceImages.0.images.1',
    videoReel,
    (link) => ({
      inputs: {
        referenceImages: [{ type: 'image', images: ['https://example.com/cat.png', link], tag: '@cat' }],
      },
    }),
  ],
  [
    'inputs.referenceVideos.0.video',
    videoReel,
    (video) => ({ inputs: { referenceVideos: [{ type: 'extend', video, tag: '@one' }] } }),
  ],
  ['inputs.referenceVideos.0', videoWan, (link) => ({ inputs: { referenceVideos: [link] } })],
  ['inputs.audio', videoWan, (audio) => ({ inputs: { audio } })],
  ['keyframes.frame0.url', videoDream, (url) => ({ keyframes: { frame0: { type: 'image', url } } })],
  ['texture_image', model3d, (texture_image) => ({ texture_image })],
]

describe.each(places)('a file at %s', (place, model, at) => {
  it('on this machine is fetched; the request is refused with its path when it does not exist', async () => {
    const statuses = [200, 404]
    await using there = closing(await receiver(() => statuses.shift()))
    const link = `${there.url}/cat.png?secret=x`
    const fetched = once(there.events, 'call')
    expect((await order(model, at(link))).status).toBe(202)
    expect(await fetched).toMatchObject([{ method: 'GET' }])
    expect(await refusal(model, at(link))).toEqual({
      code: 'unreachable_file',
      message: `${place}: the file cannot be fetched`,
    })
  })
})

describe('a link', () => {
  const frame = (link: string) => ({ inputs: { frameImages: [link] } })

  it('to an address without a server is refused', async () => {
    const gone = await receiver()
    await gone.close()
    expect((await refusal(videoReel, frame(`${gone.url}/cat.png`))).code).toBe('unreachable_file')
    const local = gone.url.replace('127.0.0.1', 'localhost')
    expect((await refusal(videoReel, frame(local))).code).toBe('unreachable_file')
  })

  it('to a result of the gateway itself is accepted', async () => {
    const { urls } = await sandbox.made(imageDesign, bodyOf(imageDesign))
    expect((await order(videoReel, frame(urls[0] ?? ''))).status).toBe(202)
    expect((await refusal(videoReel, frame(`${urls[0]}.old`))).code).toBe('unreachable_file')
  })

  it('to another machine is accepted without fetching, as are ids and data URIs', async () => {
    const files = [
      'https://example.invalid/cat.png',
      '123e4567-e89b-42d3-a456-426614174000',
      'data:image/png;base64,AAAA',
    ]
    expect((await order(videoReel, { inputs: { frameImages: files } })).status).toBe(202)
  })

  it('in a prompt or in a callback address is not fetched', async () => {
    const gone = await receiver()
    await gone.close()
    const words = `${gone.url}/ is our address`
    expect((await order(speechTurbo, { text: words })).status).toBe(202)
    expect((await order(videoReel, { positivePrompt: gone.url, webhookURL: gone.url })).status).toBe(202)
    expect((await order(videoDream, { prompt: gone.url, callback_url: gone.url })).status).toBe(202)
  })
})
