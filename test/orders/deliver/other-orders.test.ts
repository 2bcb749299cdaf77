// What a delivery writes belongs to its own order, and within it to the right file: the files of other orders, which wait for their
// own deliveries, stay as they are.

import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { artifacts, generations } from '../../../src/db/schema.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { resend, sendOriginals } from '../../../src/orders/deliver/resend.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { type Made, status } from '../../support/worlds/delivery.ts'
import { reread } from '../../support/worlds/generations.ts'
import { broken, glb, images, object3d, pictures, video, videos } from '../../support/worlds/results.ts'

const delivery = await auditedDelivery()
const album = images(pictures)
const single = videos([video])

const filesOf = ({ generation }: Made) => artifactsOf(delivery, generation.id)
const setDue = ({ generation }: Made, nextCheckAt: Date | null) =>
  delivery.db.update(generations).set({ nextCheckAt }).where(eq(generations.id, generation.id))
const forget = ({ generation }: Made) =>
  delivery.db
    .update(artifacts)
    .set({ fileId: null, originalFileId: null })
    .where(eq(artifacts.generationId, generation.id))

/** Makes an order with undelivered results. Its delivery is not due until `arrives` is called. */
async function waiting() {
  const one = await delivery.made(album)
  await setDue(one, null)
  const before = await filesOf(one)
  return {
    async isUntouched() {
      expect(await filesOf(one)).toEqual(before)
      expect(await reread(delivery.world, one.generation)).toMatchObject({ refunded: null })
    },
    async arrives() {
      await setDue(one, delivery.clock.now())
      await delivery.deliver(one)
      const sent = (await one.anna.chat()).filter(({ photo }) => photo)
      expect(sent).toHaveLength(3)
    },
  }
}

it('an album and its caption are recorded for the pictures of their own order, each with its own message and file', async () => {
  const other = await waiting()
  const one = await delivery.made(album)
  await delivery.deliver(one)
  const chat = (await one.anna.chat()).slice(-4)
  const recorded = await filesOf(one)
  expect(recorded.map(({ messageId }) => messageId)).toEqual([0, 1, 3].map((at) => chat[at]?.message_id))
  expect(recorded.map(({ fileId }) => fileId)).toEqual(
    chat.slice(0, 3).map(({ photo }) => photo?.at(-1)?.file_id),
  )
  await forget(one)
  expect(await sendOriginals(delivery.deps, one.generation, one.generation)).toMatchObject({ sent: 3 })
  const originals = (await one.anna.chat()).flatMap(({ document }) => document?.file_id ?? [])
  expect((await filesOf(one)).map(({ originalFileId }) => originalFileId)).toEqual(originals)
  await other.isUntouched()
  await other.arrives()
})

it('the picture of a 3D model is recorded for this model alone', async () => {
  const other = await waiting()
  const one = await delivery.made(object3d([glb]))
  delivery.fault('sendDocument', broken)
  await delivery.attempt(one)
  await other.isUntouched()
  await delivery.deliver(one)
  await other.arrives()
})

it('a missing file is counted, given up and refunded; neither other files of its order nor other orders are', async () => {
  const other = await waiting()
  const one = await delivery.made(videos([video, status(404)]))
  await delivery.deliver(one)
  expect(await filesOf(one)).toMatchObject([
    { lost: null, misses: 0 },
    { lost: 'gone', misses: 6 },
  ])
  await other.isUntouched()
  await other.arrives()
})

it('a file that is sent again is recorded for its own order, also while another order waits for its delivery', async () => {
  const other = await waiting()
  const earlier = await delivery.made(single)
  await delivery.deliver(earlier)
  const before = await filesOf(earlier)
  const one = await delivery.made(single)
  await delivery.deliver(one)
  await forget(one)
  const { anna, generation } = one
  await resend(delivery.deps, generation, { chatId: anna.id, topicId: null }, delivery.deps.texts('ru'))
  const sent = (await anna.chat()).at(-1)?.video?.file_id
  expect(sent).toBeDefined()
  expect(await filesOf(one)).toMatchObject([{ fileId: sent }])
  expect(await filesOf(earlier)).toEqual(before)
  await other.isUntouched()
  await other.arrives()
})
