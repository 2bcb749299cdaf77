// Buttons under a result that lead to the next order.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '2000' })
})
afterAll(async () => {
  expect(await sandbox.get('/api/audit')).toMatchObject({ clean: true })
  await sandbox.stop()
})

const resultMs = 60_000

it('a video of Dream is continued from its own message', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video a cat')
  await anna.taps(/^🎛 Model/)
  await anna.taps(/^Dream/)
  await anna.taps('Generate · ₽264.10')
  const video = await anna.sees((message) => message.video !== undefined, resultMs)
  await anna.taps('▶️ Continue this video')
  await anna.sends('and then it sleeps')
  await anna.sees(/and then it sleeps[\s\S]*Continue my video: a cat/)
  await anna.taps('Generate · ₽264.10')
  await anna.sees(
    (message) => message.video !== undefined && message.message_id !== video.message_id,
    resultMs,
  )
  expect((await ordered(sandbox)).at(-1)).toMatchObject({
    prompt: 'and then it sleeps',
    keyframes: { frame0: { type: 'generation', id: expect.any(String) } },
  })
})

it('a seed without offered values is asked for with one tap', async () => {
  const dina = await sandbox.user('Dina')
  await dina.sends('/video a fox')
  await dina.taps('⚙️ More settings')
  await dina.taps('✏️ Seed')
  await dina.sees(/the same seed gives a similar result/)
  await dina.sends('777')
  await dina.sees(/Seed: 777\n/)
})

it('a result shows its seed, and is ordered again with it', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a fox')
  await clara.taps('Generate · ₽92.45')
  const video = await clara.sees((message) => message.video !== undefined, resultMs)
  const seed = Number(/Seed: (\d+)/.exec(video.caption ?? '')?.[1])
  await clara.taps('🎯 Again, exactly like this')
  await clara.sees(new RegExp(`a fox[\\s\\S]*Seed: ${seed}\\n`))
  await clara.taps('Generate · ₽92.45')
  const again = await clara.sees(
    (message) => message.video !== undefined && message.message_id !== video.message_id,
    resultMs,
  )
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ positivePrompt: 'a fox', seed })
  expect(again.reply_markup?.inline_keyboard?.flat().map(({ text }) => text)).not.toContain(
    '🎯 Again, exactly like this',
  )
})

it('a video of a model that takes no earlier video has no such button', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/video a cat')
  await boris.taps('Generate · ₽92.45')
  await boris.sees((message) => message.video !== undefined, resultMs)
  expect(await boris.transcript()).not.toContain('Continue this video')
})
