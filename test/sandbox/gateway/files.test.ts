// The video files of the local gateway have the ordered shape, sound and, roughly, length.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { videoDream } from '../../../src/catalog/video-dream.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import {
  bytesOf,
  clock,
  facts,
  openNewGateway,
  removeGateway,
  type Sandbox,
} from '../../support/gateway/local-gateway.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await openNewGateway()
  await sandbox.post('/api/gateway/account', { balance: 100_000_000 })
})

afterEach(() => removeGateway(sandbox))

/** The first file of an order with its content type, as the gateway served it. */
async function fileOf(order: object) {
  const { data } = await sandbox.done(order)
  const answer = await fetch(data?.[0]?.url ?? '')
  const bytes = await bytesOf(answer)
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  return { bytes, type: answer.headers.get('content-type') }
}

describe('the video files', () => {
  it.each([
    [{ model: videoReel.id, positivePrompt: 'a cat', width: 480, height: 848 }, [270, 480]],
    [{ model: videoReel.id, positivePrompt: 'a cat', width: 640, height: 640 }, [360, 360]],
    [{ model: videoWan.id, positivePrompt: 'a cat', width: 1088, height: 832 }, [480, 270]],
    [{ model: videoWan.id, positivePrompt: 'a cat', width: 1248, height: 1632 }, [1088, 1920]],
    [{ model: videoWan.id, positivePrompt: 'a cat', resolution: '720p' }, [480, 270]],
    [{ model: videoDream.id, prompt: 'a cat', aspect_ratio: '9:16' }, [270, 480]],
    [{ model: videoDream.id, prompt: 'a cat', aspect_ratio: '3:4' }, [270, 480]],
    [{ model: videoDream.id, prompt: 'a cat', aspect_ratio: '1:1' }, [360, 360]],
    [{ model: videoDream.id, prompt: 'a cat', aspect_ratio: '21:9' }, [480, 270]],
  ])('of %j have the ordered shape', async (order, [width, height]) => {
    const { bytes, type } = await fileOf(order)
    expect(type).toBe('video/mp4')
    expect(await facts(bytes)).toMatchObject({ width, height, seconds: 5 })
  })

  it('of Reel have by default no sound, and its results differ', async () => {
    const { data = [] } = await sandbox.finished({ numberResults: 4 })
    const files = await Promise.all(data.map(async ({ url }) => bytesOf(await fetch(url))))
    expect(new Set(files.map(String)).size).toBe(4)
    for (const file of files) {
      expect(await facts(file)).toMatchObject({ width: 1920, height: 1088, sound: undefined, seconds: 5 })
    }
  })

  it('of Wan have by default sound', async () => {
    const { bytes } = await fileOf({ model: videoWan.id, positivePrompt: 'a cat' })
    expect(await facts(bytes)).toMatchObject({ width: 1920, height: 1088, sound: 'aac', seconds: 5 })
  })

  it('of Dream have no seed, and nine seconds are longer than five', async () => {
    const order = { model: videoDream.id, prompt: 'a cat' }
    expect(await facts((await fileOf({ ...order, duration: '9s' })).bytes)).toMatchObject({ seconds: 10 })
    expect((await sandbox.done(order)).data).toEqual([{ url: expect.stringMatching(/\.mp4$/) }])
  })

  it('are served in byte ranges, and only when the task is completed', async () => {
    const { id } = await sandbox.created()
    const url = `${sandbox.url}/gateway/cdn/${id}-0.mp4`
    expect((await fetch(url)).status).toBe(404)
    clock.advance(15_000)
    const whole = await bytesOf(await fetch(url))
    const last = whole.length - 1
    const range = (wanted: string) => fetch(url, { headers: { range: wanted } })
    const some = await range('bytes=10-19')
    expect([some.status, some.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`])
    expect(await bytesOf(some)).toEqual(whole.subarray(10, 20))
    expect(await bytesOf(await range(`bytes=${last - 4}-`))).toEqual(whole.subarray(-5))
    expect(await bytesOf(await range('bytes=-7'))).toEqual(whole.subarray(-7))
    expect((await range('bytes=0-99999999')).headers.get('content-range')).toBe(
      `bytes 0-${last}/${whole.length}`,
    )
    expect((await range(`bytes=${whole.length}-`)).status).toBe(416)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
    expect((await fetch(url.replace('-0.mp4', '-1.mp4'))).status).toBe(404)
    expect((await fetch(url.replace('.mp4', '.webm'))).status).toBe(404)
  })
})
