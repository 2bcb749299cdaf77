// Buttons under a result that lead to the next order.

import { expect, it } from 'vitest'
import { openReceipt, order } from '../support/users/order.ts'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, textOf } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const resultMs = 60_000

it('a video of Dream is continued by the button below its own message', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video a cat')
  await anna.taps('🎛 Model')
  await anna.taps(/^Dream/)
  await anna.taps('Generate · ₽264.10')
  const video = await anna.sees((message) => message.video !== undefined, resultMs)
  await anna.taps('▶️ Continue this video · ₽264.10')
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

it('a result can be ordered again with its seed, which its receipt shows', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a fox')
  await clara.taps('Generate · ₽92.45')
  await clara.sees((message) => message.video !== undefined, resultMs)
  const seed = Number(/Seed: (\d+)/.exec(textOf(await openReceipt(clara)))?.[1])
  await clara.taps('⋯ More')
  await clara.taps('🎯 Again with the same seed')
  const card = await clara.sees(new RegExp(`Prompt: a fox[\\s\\S]*Seed: ${seed}\\n`))
  await clara.taps('Generate · ₽92.45')
  const again = await clara.sees(
    (message) => message.video !== undefined && message.message_id >= card.message_id,
    resultMs,
  )
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ positivePrompt: 'a fox', seed })
  await clara.taps('⋯ More')
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
  await emma.taps('⋯ More')
  await Promise.all([emma.taps('🔁 Again · ₽5.28'), emma.taps('🔁 Again · ₽5.28')])
  const second = await emma.sees(
    (message) => isPhoto(message) && message.message_id !== first.message_id,
    resultMs,
  )
  expect(labelsOf(second)).toEqual(['✏️ Change', '🎬 Animate · ₽92.45', '🤍 Favourite', '⋯ More'])
  expect((await ordered(sandbox)).filter(({ prompt }) => prompt === 'an otter')).toHaveLength(2)
  await emma.sends('/balance')
  await emma.sees(/^Balance: ₽1,989.44/)
})

it('“Animate” below a picture opens a video card with the picture as its frame', async () => {
  const fred = await sandbox.user('Fred')
  await fred.sends('/image a castle')
  await fred.taps(/^Generate/)
  await fred.sees(isPhoto, resultMs)
  await fred.taps('⋯ More')
  const opened = await fred.sees((message) => labelsOf(message).includes('‹ Back'))
  expect(labelsOf(opened)).toEqual([
    '🏁 Last frame of a video',
    '🗣 Talking picture',
    '🧊 Texture of a 3D model',
    '🗣 A separate voice track',
    '🔁 Again · ₽5.28',
    '🎲 Variations',
    '📄 Originals',
    '📤 Share',
    '⚠️ Problem',
    '‹ Back',
  ])
  await fred.taps('‹ Back')
  await fred.taps(/^🎬 Animate/)
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
  await gina.sees(/To use one of them, tap its number/)
  await gina.taps('2', resultMs)
  await gina.taps('🏁 Last frame of a video')
  await gina.sends('it floods')
  await gina.sees(/it floods/)
  await gina.taps(/^Generate/)
  await gina.sees((message) => message.video !== undefined, resultMs)
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ inputs: { frameImages: [{ frame: 'last' }] } })
})

it('“Change” opens the card with the same settings', async () => {
  const ivan = await sandbox.user('Ivan')
  await ivan.sends('/image a moon')
  await ivan.taps(/^Generate/)
  await ivan.taps('✏️ Change', resultMs)
  await ivan.sees(
    (message) => /Prompt: a moon/.test(textOf(message)) && labelsOf(message).includes('Generate · ₽5.28'),
  )
})

it('“Full model” below a preview of a 3D model names its price and opens its card', async () => {
  const kate = await sandbox.user('Kate')
  await kate.sends('/model3d a chair')
  await kate.taps(/^Mode/)
  await kate.taps(/^Draft/)
  await kate.taps(/^Generate/)
  await kate.taps('🧊 Full model, made anew · ₽192')
  await kate.sees((message) => labelsOf(message).includes('Generate · ₽192'))
})

it('a result becomes a favourite by one tap, and ordinary by another', async () => {
  const lena = await sandbox.user('Lena')
  await lena.sends('/image a lamp')
  await lena.taps(/^Generate/)
  await lena.taps('🤍 Favourite', resultMs)
  await lena.isTold(/Added to favourites/)
  await lena.sends('/favourites')
  await lena.sees(/a lamp/)
  await lena.taps('❤️ Favourite')
  await lena.seesButton('🤍 Favourite')
})

it('the history shows a page as one album, and an opened order leads on to the next one', async () => {
  const mia = await sandbox.user('Mia')
  for (const thing of ['a lamp', 'a lake']) await order(sandbox, mia, `/image ${thing}`)
  await mia.sends('/history')
  await mia.taps('🖼 Show as an album')
  const lake = await mia.sees(({ photo, caption }) => photo !== undefined && caption === '1. a lake')
  const lamp = await mia.sees(({ photo, caption }) => photo !== undefined && caption === '2. a lamp')
  expect(lamp.media_group_id).toBe(lake.media_group_id)
  expect(labelsOf(await openReceipt(mia))).toContain('🎬 Animate · ₽92.45')
})

it('a trial of a video leads on to its final version with the same seed', async () => {
  const nora = await sandbox.user('Nora')
  await nora.sends('/video a fox runs')
  await nora.taps('⚙️ More')
  await nora.taps('🧪 A 3 s trial first')
  await nora.taps('Generate · ₽55.47')
  await nora.taps('🎬 Final: 15 s, 1080p · ₽277.35', resultMs)
  const card = await nora.sees(/Prompt: a fox runs[\s\S]*Seed: \d+/)
  const seed = Number(/Seed: (\d+)/.exec(textOf(card))?.[1])
  await nora.taps('Generate · ₽277.35')
  await expect
    .poll(async () => (await ordered(sandbox)).at(-1))
    .toMatchObject({ positivePrompt: 'a fox runs', duration: 15, resolution: '1080p', seed })
})
