// What the chat shows during a delivery: nothing while it is quick; while it is slow, that the result is being sent, and an
// upload.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { generations } from '../../../src/db/schema.ts'
import { artifactsOf, type DeliveryJob } from '../../../src/orders/deliver/job.ts'
import { clip, colored } from '../../support/media/media-files.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Serve } from '../../support/worlds/delivery.ts'
import { gate } from '../../support/worlds/generations.ts'

const delivery = await auditedDelivery()
const serve = file(await clip('640x640.mp4'), 'video/mp4')
const answers = { positivePrompt: 'a cat' }
const calls: string[] = []
delivery.api.config.use((prev, method, payload, signal) => {
  calls.push(method)
  return prev(method, payload, signal)
})

/** An order whose file is served when the test says so. */
async function slowOrder() {
  const { opened, open } = gate()
  const slow: Serve = (req, res) => void opened.then(() => serve(req, res))
  const one = await delivery.made({ model: videoReel, answers, files: [slow] })
  calls.length = 0
  return { one, open }
}

describe('a delivery', () => {
  it('whose file is at hand sends one message and completes the status', async () => {
    const one = await delivery.made({ model: videoReel, answers, files: [serve] })
    calls.length = 0
    await delivery.attempt(one)
    expect(calls).toEqual(['sendVideo', 'editMessageText'])
    await delivery.clock.asked(1500)
  })

  it('that is slow says so once, and shows an upload until it ends', async () => {
    const { one, open } = await slowOrder()
    const attempt = delivery.attempt(one)
    await delivery.clock.asked(1500)
    delivery.clock.advance(1500)
    for (let actions = 1; actions <= 3; actions += 1) {
      await delivery.clock.asked(4500)
      delivery.clock.advance(4500)
    }
    open()
    await attempt
    expect(calls.slice(0, 4)).toEqual(['editMessageText', ...Array(3).fill('sendChatAction')])
    expect(calls.filter((one) => one !== 'sendChatAction')).toEqual([
      'editMessageText',
      'sendVideo',
      'editMessageText',
    ])
    const before = calls.length
    delivery.clock.advance(60_000)
    await new Promise(setImmediate)
    expect(calls).toHaveLength(before)
  })
})

it('a slow album is delivered by its first attempt', async () => {
  const { opened, open } = gate()
  const picture = file(await colored(64, 64, [9, 99, 9]).png().toBuffer(), 'image/png')
  const slow: Serve = (req, res) => void opened.then(() => picture(req, res))
  const album = { model: imageDesign, answers: { prompt: 'a fox', n: 2 }, files: [slow, picture] }
  const one = await delivery.made(album)
  const attempt = delivery.attempt(one)
  await delivery.clock.asked(1500)
  delivery.clock.advance(1500)
  await delivery.clock.asked(4500)
  open()
  expect(await attempt).toMatchObject({ delivery: 'delivered', attempts: 1 })
})

it('a slow delivery records what it has sent before its last edit of the status ends: the process may die meanwhile', async () => {
  const { one, open } = await slowOrder()
  const editing = gate()
  const edited = gate()
  delivery.api.config.use(async (prev, method, payload, signal) => {
    if (method === 'editMessageText') {
      editing.open()
      await edited.opened
    }
    return prev(method, payload, signal)
  })
  const attempt = delivery.attempt(one)
  await delivery.clock.asked(1500)
  delivery.clock.advance(1500)
  await editing.opened
  open()
  const sent = async () => (await artifactsOf({ db: delivery.db }, one.generation.id))[0]?.messageId
  await expect.poll(sent).toEqual(expect.any(Number)).finally(edited.open)
  expect(await attempt).toMatchObject({ delivery: 'delivered' })
})

const setLease = (
  { generation }: Pick<DeliveryJob, 'generation'>,
  lease: { lease: string | null; leaseUntil?: null },
) => delivery.db.update(generations).set(lease).where(eq(generations.id, generation.id))

describe('a delivery that has lost its lease', () => {
  it('sends nothing', async () => {
    const { one, open } = await slowOrder()
    const attempt = delivery.attempt(one)
    await expect.poll(() => one.asked(0)).toBe(1)
    await setLease(one, { lease: 'of another process' })
    open()
    expect(await attempt).toMatchObject({ delivery: 'pending', lease: 'of another process' })
    expect(calls).not.toContain('sendVideo')
    await setLease(one, { lease: null, leaseUntil: null })
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
  })
})
