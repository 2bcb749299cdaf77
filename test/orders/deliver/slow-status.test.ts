// The status of an order that takes much longer than usual: it says until when the bot waits for the order, and what happens
// then.

import { expect, it } from 'vitest'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { updateStatus } from '../../../src/orders/deliver/messages.ts'
import { loadTexts } from '../../../src/texts.ts'
import { clip } from '../../support/media/media-files.ts'
import { auditedDelivery } from '../../support/worlds/audited.ts'
import { file } from '../../support/worlds/delivery.ts'

const delivery = await auditedDelivery()
const mp4 = file(await clip('640x640.mp4'), 'video/mp4')
const video = { model: videoReel, answers: { positivePrompt: 'a cat' }, files: [mp4], quick: false }
const minute = 60_000

async function statusAfter(elapsedMs: number, usualMs: number | undefined): Promise<string> {
  const one = await delivery.made(video)
  const { world, api, downloads, clock } = delivery
  const statuses = { times: { usualMs: async () => usualMs, limitMs: async () => minute } }
  const deps = { ...world.deps, ...statuses, api, downloads, texts: loadTexts() }
  const createdAt = new Date(clock.now().getTime() - elapsedMs)
  await updateStatus(deps, { ...one.generation, createdAt, state: 'running', settledAt: null })
  const text = (await one.anna.chat()).at(-1)?.text ?? ''
  await delivery.deliver(one)
  expect(text, 'it says which order is meant').toMatch(/^.+\na cat\n/)
  return text
}

const slow = /Это дольше обычного. Ждём до \d\d:\d\d МСК; если не получится, \d+,\d\d.₽ вернутся на баланс./

it.each([
  [3 * minute, minute],
  [11 * minute, undefined],
])(
  'after %i ms, with a usual time of %s ms, the status says until when the bot waits',
  async (elapsed, usual) => {
    expect(await statusAfter(elapsed, usual)).toMatch(slow)
  },
)

it.each([
  [54_000, '55 с'],
  [58_000, '1 мин'],
])('a usual time of %i ms is told as %s', async (usual, told) => {
  expect(await statusAfter(0, usual)).toMatch(new RegExp(`^Обычно готово за ${told}$`, 'm'))
})

it.each([
  [2 * minute, minute],
  [9 * minute, undefined],
])(
  'after %i ms, with a usual time of %s ms, the status does not say until when the bot waits',
  async (elapsed, usual) => {
    expect(await statusAfter(elapsed, usual)).not.toMatch(slow)
  },
)
