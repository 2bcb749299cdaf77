// /prices: what is on sale, with the least price of each model.

import { afterEach, expect, it } from 'vitest'
import { switches } from '../../../src/db/schema.ts'
import { modelSwitch } from '../../../src/sales/sales.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'

const sandbox = await sharedSandbox()
afterEach(async () => void (await sandbox.app.db.delete(switches)))

it('lists the least price of every model on sale, and a tap opens the card of one', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/prices')
  const { text = '' } = await anna.sees(/^Prices/)
  expect(text.split('\n').slice(2, 12)).toEqual([
    '🖼 Picture · Design — from ₽5.28',
    '🖼 Picture · Photo — from ₽5.28',
    '🎬 Video · Reel — from ₽55.47 (from pictures, from videos)',
    '🎬 Video · Wan — from ₽13.21 (from pictures, from videos)',
    '🎬 Video · Dream — from ₽264.10 (from pictures, from videos, up to 4K)',
    '🗣 Speech — ₽0.04 per 1,000 characters',
    '👥 Dialogue — ₽6.65 per 1,000 characters',
    '🎵 Music — from ₽6.60',
    '🧊 3D — from ₽128',
    '💬 Question · Assistant — ≈ ₽0.71 an answer',
  ])
  await anna.taps(/^🎬 Video · Wan/)
  await anna.sees(/Wan/)
})

it('the same in Russian, without a model that an operator has stopped', async () => {
  const boris = await sandbox.user('Boris', 'ru')
  await boris.sends('/models')
  await boris.sees(/🎬 Видео · Рил — от 55,47[\s\S]*🗣 Озвучка — \S+\s₽ за 1000 знаков\n👥 Диалог/)
  await sandbox.app.db.insert(switches).values({ name: modelSwitch('MODEL-VIDEO-REEL'), since: new Date() })
  await boris.taps('🎬 Видео · Рил')
  await boris.isTold(/больше не работает/)
  await boris.sends('/prices')
  await boris.seesButton('🎬 Видео · Ван')
  expect((await boris.chat()).at(-1)?.text).not.toContain('Рил')
})

it('/balance says how far the money goes', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/balance')
  await clara.sees(/Balance: ₽500\nEnough for 94 pictures or 5 videos\./)
})
