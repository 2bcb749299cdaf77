// A link that has expired before its file was delivered is renewed from the task, and the file is delivered without a refund.

import { afterEach, describe, expect, it } from 'vitest'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { artifactsOf } from '../../../src/orders/deliver/job.ts'
import { clip } from '../../support/media/media-files.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file, type Made, type Serve, status } from '../../support/worlds/delivery.ts'
import { taskIs } from '../../support/worlds/generations.ts'

const delivery = await auditedDelivery()
const { world } = delivery
afterEach(() => world.reset())

const good = file(await clip('640x640.mp4'), 'video/mp4')
const broken = { kind: 'error', status: 500, description: 'Internal Server Error' } as const
/** A file whose link is dead, until it is asked for by a renewed link. */
const expired =
  (code: number): Serve =>
  (req, res) =>
    (req.url?.endsWith('?new') ? good : status(code))(req, res)

const videos = (...files: readonly Serve[]) =>
  delivery.made({
    model: videoReel,
    answers: { positivePrompt: 'a cat', numberResults: files.length },
    files,
  })
const renewed = ({ data }: Made) => data.map(({ url }) => ({ url: `${url}?new` }))
const namesNew = (one: Made) => taskIs('completed', { data: renewed(one) })
const looks = () => world.requests.filter((request) => request.startsWith('GET /v1/tasks/'))
const videosOf = async ({ anna }: Made) => (await anna.chat()).filter(({ video }) => video)
const whole = { delivery: 'delivered', refunded: null } as const

it('a link that expired during an outage of Telegram is renewed from the task', async () => {
  let isExpired = false
  const one = await videos((req, res) => (isExpired ? expired(403) : good)(req, res))
  delivery.fault('sendVideo', broken, 5)
  for (let attempts = 0; attempts < 5; attempts += 1) await delivery.attemptNext(one)
  isExpired = true
  world.requests.length = 0
  world.gatewayAnswers(namesNew(one))
  expect(await delivery.attempt(one)).toMatchObject({ ...whole, attempts: 6 })
  expect(looks()).toEqual([`GET /v1/tasks/${one.generation.taskId}`])
  expect(await videosOf(one)).toHaveLength(1)
  expect(await artifactsOf(delivery, one.generation.id)).toMatchObject(
    renewed(one).map(({ url }) => ({ url, misses: 0 })),
  )
})

it('a link that expired before the last attempt is renewed in it', async () => {
  let isExpired = false
  const one = await videos((req, res) => (isExpired ? expired(410) : good)(req, res))
  delivery.fault('sendVideo', broken, 11)
  for (let attempts = 0; attempts < 11; attempts += 1) await delivery.attemptNext(one)
  isExpired = true
  world.gatewayAnswers(namesNew(one))
  expect(await delivery.attempt(one)).toMatchObject({ ...whole, attempts: 12 })
})

describe('of several links', () => {
  it('those that are dead are renewed, and the others stay', async () => {
    const one = await videos(good, expired(404), expired(404))
    world.gatewayAnswers(namesNew(one), namesNew(one))
    expect(await delivery.attempt(one)).toMatchObject(whole)
    const [first, ...others] = await artifactsOf(delivery, one.generation.id)
    expect(first?.url).toBe(one.data[0]?.url)
    expect(others.map(({ url }) => url)).toEqual(
      renewed(one)
        .slice(1)
        .map(({ url }) => url),
    )
    expect(await videosOf(one)).toHaveLength(3)
  })

  it('none is renewed when the task names another number of files', async () => {
    const one = await videos(good, expired(404))
    world.gatewayAnswers(taskIs('completed', { data: renewed(one).slice(1) }))
    expect(await delivery.deliver(one)).toMatchObject({ delivery: 'delivered', refunded: 92_45n })
  })
})

it('a price is refunded when the task names only the dead link', async () => {
  const one = await videos(status(404))
  const same = taskIs('completed', { data: one.data })
  world.gatewayAnswers(...Array(6).fill(same))
  expect(await delivery.deliver(one)).toMatchObject({ delivery: 'undeliverable', refunded: 92_45n })
  expect(one.asked(0)).toBe(6)
})
