// The threads that examine results start while the gateway works, so that the first result after a start need not wait for them.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it } from 'vitest'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import type { Model } from '../../src/catalog/model.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { createShownStatuses } from '../../src/delivery/shown-statuses.ts'
import { updateStatus } from '../../src/delivery/status.ts'
import { threadScript } from '../../src/folders.ts'
import { runInThread } from '../../src/media/thread.ts'
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

async function threadsStartedBy(work: () => Promise<unknown>): Promise<number> {
  let started = 0
  const count = () => {
    started += 1
  }
  subscribe('worker_threads', count)
  await work()
  unsubscribe('worker_threads', count)
  return started
}

/** Ends the threads that other tests have left idle: a job is given to each, and ends with its thread at its time limit. */
async function endIdleThreads(): Promise<void> {
  const tryJob = () => runInThread(threadScript('media/worker', 'facts'), mp4, { timeoutMs: 1 })
  while ((await threadsStartedBy(tryJob)) === 0);
}

/** @returns the number of threads that the status of a running order starts */
async function threadsStartedFor(order: Ordered): Promise<number> {
  const one = await delivery.made({ ...order, quick: false })
  const { world, api, downloads } = delivery
  const statuses = { shownStatuses: createShownStatuses(), usualTimes: { of: async () => undefined } }
  const deps = { ...world.deps, ...statuses, api, downloads, texts: loadTexts() }
  const running = { ...one.generation, state: 'running' as const, settledAt: null }
  const started = await threadsStartedBy(() => updateStatus(deps, running))
  await delivery.deliver(one)
  return started
}

it('a running video starts the thread that will examine it, once', async () => {
  await endIdleThreads()
  expect(await threadsStartedFor(image), 'a picture needs none').toBe(0)
  expect(await threadsStartedFor(video)).toBe(1)
  expect(await threadsStartedFor(video), 'the thread is there').toBe(0)
})
