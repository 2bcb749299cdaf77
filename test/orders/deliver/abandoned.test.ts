// A delivery that ends every process that takes it: after some of them its files are sent without a look into them, then as links, and in
// the end it is given up. Processes that end for other reasons change nothing.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { undeliveredCheck } from '../../../src/operator/checks.ts'
import { resend } from '../../../src/orders/deliver/resend.ts'
import { claim } from '../../../src/orders/generation.ts'
import { leaseMs } from '../../../src/runtime/queue-worker.ts'
import { claimNow } from '../../support/database/claim.ts'
import { addShape, clip, colored, cube, glbOf, newModel } from '../../support/media/media-files.ts'
import { labelsOf, type SandboxMessage } from '../../support/users/user.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made } from '../../support/worlds/delivery.ts'

const delivery = await auditedDelivery()

const video = {
  model: videoReel,
  answers: { positivePrompt: 'a cat' },
  files: [file(await clip('640x640.mp4'), 'video/mp4')],
}
const picture = await colored(64, 64, [9, 80, 99]).png().toBuffer()
const pictures = {
  model: imageDesign,
  answers: { prompt: 'a fox', n: 3 },
  files: [picture, picture, picture].map((bytes) => file(bytes, 'image/png')),
}
const chair = newModel()
addShape(chair, cube())
const object3d = {
  model: model3d,
  answers: { prompt: 'a chair' },
  files: [file(await glbOf(chair), 'model/gltf-binary')],
}

/** Lets so many processes end, one after the other, each during its delivery. */
async function abandon(processes: number) {
  for (let process = 0; process < processes; process += 1) {
    expect(await claim(delivery.world.deps, 'deliveries', claimNow(delivery.world.deps, 32))).toHaveLength(1)
    delivery.clock.advance(leaseMs)
  }
}

const kindOf = (message: SandboxMessage) =>
  (['photo', 'video', 'document', 'text'] as const).find((kind) => message[kind] !== undefined)

/** The messages below the status message; `+` for buttons. */
async function shown({ anna, generation }: Made): Promise<string[]> {
  const first = Number(generation.statusMessageId)
  const later = (await anna.chat()).filter(({ message_id }) => message_id > first)
  return later.map((message) => `${kindOf(message)}${labelsOf(message).length > 0 ? '+' : ''}`)
}

describe('a delivery during which processes ended', () => {
  it.each([
    ['a video', video, ['video+']],
    ['an album', pictures, ['photo', 'photo', 'photo', 'text+']],
    ['a 3D model', object3d, ['photo', 'document+']],
  ])('twice in a row: %s is sent as ever', async (_, what, seen) => {
    const one = await delivery.made(what)
    await abandon(2)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', attempts: 3, lease: null })
    expect(await shown(one)).toEqual(seen)
  })

  it.each([
    ['a video', video, ['document+']],
    ['an album', pictures, ['document', 'document', 'document+']],
    ['a 3D model', object3d, ['document+']],
  ])('three times in a row: %s is sent without a look into it', async (_, what, seen) => {
    const one = await delivery.made(what)
    await abandon(3)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await shown(one)).toEqual(seen)
  })

  it('seven times in a row: the file is not downloaded, and its owner gets the link', async () => {
    const one = await delivery.made(video)
    await abandon(7)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered', refunded: null })
    expect(await shown(one)).toEqual(['text+'])
    expect((await one.anna.chat()).at(-1)?.text).toContain(one.data[0]?.url)
    expect(one.asked(0)).toBe(0)
  })

  it('seven times in a row: a file that came within the answer has no link, and is sent without a look into it', async () => {
    const one = await delivery.made({
      ...pictures,
      answers: { prompt: 'a fox', n: 1 },
      files: pictures.files.slice(0, 1),
    })
    const url = `data:image/png;base64,${picture.toString('base64')}`
    await delivery.db.update(artifacts).set({ url }).where(eq(artifacts.generationId, one.generation.id))
    await abandon(7)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['document+'])
  })

  it('eleven times in a row: it is given up; the result stays, and is charged', async () => {
    const one = await delivery.made(video)
    await abandon(11)
    const ended = await delivery.attempt(one)
    expect(ended).toMatchObject({
      delivery: 'undeliverable',
      captured: 92_45n,
      refunded: null,
      nextCheckAt: null,
    })
    expect(await shown(one)).toEqual([])
    const status = (await one.anna.chat()).find(({ message_id }) => message_id === ended.statusMessageId)
    expect(status?.text).toMatch(/списано 92,45 ₽, но результат не удалось доставить/)
    expect(JSON.stringify(await undeliveredCheck(delivery.db, delivery.clock.now()))).toContain(ended.id)
    const say = delivery.deps.texts('ru')
    const place = { chatId: one.anna.id, topicId: null }
    expect(await resend(delivery.deps, ended, place, say)).toMatchObject({ sent: 1 })
    expect(await shown(one)).toEqual(['video+'])
  })

  it('that has failed eleven times: a killed process leaves the last attempt to the next one', async () => {
    const one = await delivery.made(video)
    await delivery.db.update(generations).set({ attempts: 11 }).where(eq(generations.id, one.generation.id))
    await abandon(1)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['video+'])
  })

  it.each([
    [3, ['document+']],
    [7, ['text+']],
  ])('that has failed eight times: after %i it is still made with more care', async (processes, seen) => {
    const one = await delivery.made(video)
    await delivery.db.update(generations).set({ attempts: 8 }).where(eq(generations.id, one.generation.id))
    await abandon(processes)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(seen)
  })

  it('with an outcome in between begins the care anew', async () => {
    const one = await delivery.made(video)
    await abandon(2)
    delivery.fault('sendVideo', { kind: 'error', status: 500, description: 'Internal Server Error' })
    expect(await delivery.attemptNext(one)).toMatchObject({ delivery: 'pending', attempts: 3 })
    await abandon(2)
    expect(await delivery.attempt(one)).toMatchObject({ delivery: 'delivered' })
    expect(await shown(one)).toEqual(['video+'])
  })
})

it('an explanation of a failure that ends every process is given up; the money was returned before', async () => {
  const one = await delivery.made({ ...video, error: 'the cat is wet' })
  await abandon(11)
  expect(await delivery.attempt(one)).toMatchObject({
    state: 'failed',
    delivery: 'undeliverable',
    captured: 0n,
  })
})
