// Buttons under a result that lead to the next order.

import { expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const resultMs = 60_000

it('a video of Dream is continued by the button below its own message', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video a cat')
  await anna.taps('🎛 Model')
  await anna.taps(/^Dream/)
  await anna.taps('Generate · ₽264.10')
  const video = await anna.sees((message) => message.video !== undefined, resultMs)
  await anna.taps('✨ What next')
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

it('a result shows its seed, and can be ordered again with it', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a fox')
  await clara.taps('Generate · ₽92.45')
  const video = await clara.sees((message) => message.video !== undefined, resultMs)
  const seed = Number(/Seed: (\d+)/.exec(video.caption ?? '')?.[1])
  await clara.taps('✨ What next')
  await clara.taps('🎯 Again with the same seed')
  await clara.sees(new RegExp(`a fox[\\s\\S]*Seed: ${seed}\\n`))
  await clara.taps('Generate · ₽92.45')
  const again = await clara.sees(
    (message) => message.video !== undefined && message.message_id !== video.message_id,
    resultMs,
  )
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ positivePrompt: 'a fox', seed })
  await clara.taps('✨ What next')
  const opened = await clara.sees(
    (message) => message.message_id === again.message_id && labelsOf(message).includes('‹ Back'),
  )
  expect(labelsOf(opened)).not.toContain('🎯 Again with the same seed')
})

const isPhoto = ({ photo }: SandboxMessage) => photo !== undefined

it('a tap on “Again” with its price orders at once, and a simultaneous second tap orders nothing', async () => {
  const emma = await sandbox.user('Emma')
  await emma.sends('/image an otter')
  await emma.taps(/^Generate/)
  const first = await emma.sees(isPhoto, resultMs)
  await Promise.all([emma.taps('🔁 Again · ₽5.28'), emma.taps('🔁 Again · ₽5.28')])
  const second = await emma.sees(
    (message) => isPhoto(message) && message.message_id !== first.message_id,
    resultMs,
  )
  expect(labelsOf(second)).toEqual(['🔁 Again · ₽5.28', '✨ What next', '⚠️ Problem'])
  expect((await ordered(sandbox)).filter(({ prompt }) => prompt === 'an otter')).toHaveLength(2)
  await emma.sends('/balance')
  await emma.sees(/^Balance: ₽1,989.44/)
})

it('“Animate it” below a picture opens a video card with the picture as its frame', async () => {
  const fred = await sandbox.user('Fred')
  await fred.sends('/image a castle')
  await fred.taps(/^Generate/)
  await fred.sees(isPhoto, resultMs)
  await fred.taps('✨ What next')
  const opened = await fred.sees((message) => labelsOf(message).includes('🎬 Animate it'))
  expect(labelsOf(opened)).toEqual([
    '🎬 Animate it',
    '🏁 Last frame of a video',
    '🧊 Texture of a 3D model',
    '🗣 A separate voice track',
    '✏️ Change',
    '🎲 Variations',
    '📄 Originals',
    '📤 Share',
    '‹ Back',
  ])
  await fred.taps('🎬 Animate it')
  await fred.sends('flags wave')
  await fred.sees(/flags wave/)
  await fred.taps(/^Generate/)
  await fred.sees((message) => message.video !== undefined, resultMs)
  expect((await ordered(sandbox)).at(-1)).toMatchObject({
    positivePrompt: 'flags wave',
    // The local Telegram keeps a photo as it was uploaded; the real one makes a JPEG of it.
    inputs: { frameImages: [expect.stringMatching(/^data:image\/png;base64,/)] },
  })
})

it('one picture of an album can be picked as the last frame of a video', async () => {
  const gina = await sandbox.user('Gina')
  await gina.sends('/image a river')
  await gina.taps(/^How many/)
  await gina.taps('3')
  await gina.taps(/^Generate/)
  await gina.taps('✨ What next', resultMs)
  await gina.taps('2')
  await gina.taps('🏁 Last frame of a video')
  await gina.sends('it floods')
  await gina.sees(/it floods/)
  await gina.taps(/^Generate/)
  await gina.sees((message) => message.video !== undefined, resultMs)
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ inputs: { frameImages: [{ frame: 'last' }] } })
})

it('“Change” asks for the prompt and offers the old one to copy', async () => {
  const ivan = await sandbox.user('Ivan')
  await ivan.sends('/image a moon')
  await ivan.taps(/^Generate/)
  await ivan.taps('✨ What next', resultMs)
  await ivan.taps('✏️ Change')
  const asked = await ivan.sees(/tap to copy\): a moon/)
  expect(asked.reply_markup?.inline_keyboard?.flat()).toContainEqual({
    text: '📋 Copy the text',
    copy_text: { text: 'a moon' },
  })
  await ivan.sends('a red moon')
  await ivan.sees((message) => labelsOf(message).includes('Generate · ₽5.28'))
})

it('“Full model” below a preview of a 3D model names its price and opens its card', async () => {
  const kate = await sandbox.user('Kate')
  await kate.sends('/model3d a chair')
  await kate.taps(/^Mode/)
  await kate.taps(/^Draft/)
  await kate.taps(/^Generate/)
  await kate.taps('✨ What next', resultMs)
  await kate.taps('🧊 Full model, made anew · ₽192')
  await kate.sees((message) => labelsOf(message).includes('Generate · ₽192'))
})
