// The process that examines results starts while the gateway works, so that the first result after a start need not wait for it.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import type { Model } from '../../src/catalog/model.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { createShownStatuses } from '../../src/delivery/shown-statuses.ts'
import { updateStatus } from '../../src/delivery/status.ts'
import { decode } from '../../src/media/decoders.ts'
import { loadTexts } from '../../src/texts.ts'
import { clip, colored } from '../support/media/media-files.ts'
import { auditedDelivery } from '../support/worlds/audited.ts'
import { file } from '../support/worlds/delivery.ts'

const delivery = await auditedDelivery()
const mp4 = await clip('640x640.mp4')

interface Ordered {
  readonly model: Model
  readonly answers: Record<string, unknown>
  readonly files: readonly ReturnType<typeof file>[]
}

const video: Ordered = {
  model: videoReel,
  answers: { positivePrompt: 'a cat' },
  files: [file(mp4, 'video/mp4')],
}
const image: Ordered = {
  model: imagePhoto,
  answers: { prompt: 'a cat' },
  files: [file(await colored(8, 8, [9, 9, 9]).png().toBuffer(), 'image/png')],
}

async function startedBy(work: () => Promise<unknown>): Promise<number> {
  let started = 0
  const count = () => {
    started += 1
  }
  subscribe('child_process', count)
  await work()
  unsubscribe('child_process', count)
  return started
}

/** Ends the processes that other tests have left idle: a job is given to each, and ends with its process at its time limit. */
async function endIdle(): Promise<void> {
  const tryJob = () => decode('facts', mp4, z.unknown(), { timeoutMs: 1 })
  while ((await startedBy(tryJob)) === 0);
}

/** @returns the number of processes that the status of a running order starts */
async function startedFor(order: Ordered): Promise<number> {
  const one = await delivery.made({ ...order, quick: false })
  const { world, api, downloads } = delivery
  const statuses = { shownStatuses: createShownStatuses(), usualTimes: { of: async () => undefined } }
  const deps = { ...world.deps, ...statuses, api, downloads, texts: loadTexts() }
  const running = { ...one.generation, state: 'running' as const, settledAt: null }
  const started = await startedBy(() => updateStatus(deps, running))
  await delivery.deliver(one)
  return started
}

it.each([
  ['video', video],
  ['picture', image],
])('a running %s starts the process that will examine it, once', async (_, order) => {
  await endIdle()
  expect(await startedFor(order)).toBe(1)
  expect(await startedFor(order), 'the process is there').toBe(0)
})
