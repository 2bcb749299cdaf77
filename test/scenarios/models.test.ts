// Three video models behind one command: a switch keeps the answers that both models accept, the price is updated, and each model
// delivers.

import { expect, it } from 'vitest'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { carryAnswers } from '../../src/form/switch.ts'
import { taps } from '../../src/telegram/taps.ts'
import { jpeg } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

it('a switch keeps the prompt, the size and the seed when both models accept them', () => {
  const answers = { positivePrompt: 'a cat', size: '1280x720', duration: 7, seed: 5, outputFormat: 'MOV' }
  expect(carryAnswers(videoReel, videoWan, answers)).toEqual(answers)
  expect(carryAnswers(videoReel, videoWan, { ...answers, size: '848x480', duration: 3.5 })).toEqual({
    positivePrompt: 'a cat',
    size: '1280x720',
    duration: 4,
    seed: 5,
    outputFormat: 'MOV',
  })
  expect(carryAnswers(videoReel, videoDream, answers)).toEqual({
    prompt: 'a cat',
    resolution: '720p',
    aspect_ratio: '16:9',
    duration: '5s',
  })
  expect(carryAnswers(videoDream, videoReel, { prompt: 'a dog', duration: '9s' })).toEqual({
    positivePrompt: 'a dog',
    duration: 9,
  })
})

it('Wan is selected on the card, priced by its preset, and delivers in its shape', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video a cat surfing')
  await anna.taps('🎛 Model')
  await anna.taps(/^Wan/)
  await anna.sees(/Wan[\s\S]*Prompt: a cat surfing[\s\S]*Price: ₽99.05/)
  await anna.taps(/^Aspect ratio/)
  await anna.taps('4:3')
  await anna.taps('Generate · ₽99.05')
  const { video } = await anna.sees((message) => message.video !== undefined)
  expect(video).toMatchObject({ width: 1920, height: 1088, duration: 5 })
})

it('Dream delivers nine seconds in a square, in Russian', async () => {
  const boris = await sandbox.user('Борис', 'ru')
  await boris.sends('/video кот на сёрфе')
  await boris.taps('🎛 Модель')
  await boris.taps('Дрим · 264,10 ₽')
  await boris.taps(/^Длительность/)
  await boris.taps('9 с')
  await boris.taps(/^Пропорции/)
  await boris.taps('1:1')
  await boris.taps('Создать · 475,38 ₽')
  const { video } = await boris.sees((message) => message.video !== undefined)
  // The sandbox has videos of five and of ten seconds.
  expect(video?.duration).toBe(10)
  expect(video?.width).toBe(video?.height)
})

it('an optional text is typed, shown, and cleared', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/video a cat')
  await clara.taps('🎛 Model')
  await clara.taps(/^Wan/)
  await clara.taps('⚙️ More settings')
  await clara.taps('✏️ What to avoid')
  await clara.sends('rain')
  await clara.sees(/What to avoid: rain/)
  await clara.taps('⚙️ More settings')
  await clara.taps('What to avoid: rain')
  await clara.taps('✖ Remove')
  await clara.isTold('Cleared')
  await expect.poll(async () => (await clara.chat()).at(-1)?.text).not.toContain('rain')
})

it('a draft cannot be switched to a model outside of the catalog', async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/video a cat')
  const card = await dora.sees(/Price: ₽92.45/)
  const data = card.reply_markup?.inline_keyboard
    ?.flat()
    .find(({ text }) => /Model/.test(text))?.callback_data
  const draftId = data?.split(':')[1] ?? ''
  await dora.tapsData(card.message_id, taps.switchModel.data({ draftId, modelId: 'MODEL-NONE' }))
  await dora.isTold(/no longer available/)
})

it.each([
  ['a tap', (eva: SandboxUser) => eva.taps(/^● Dream/)],
  ['its typed name', (eva: SandboxUser) => eva.sends('Dream')],
])('%s selects the model that is chosen already: its quality stays 4k', async (_, chooses) => {
  const eva = await sandbox.user('Eva')
  await eva.sends('/video a cat')
  await eva.taps('🎛 Model')
  await eva.taps(/^Dream/)
  await eva.taps(/^Quality/)
  await eva.taps('4k')
  const before = await eva.seesButton(/^Quality: 4k/)
  await eva.taps('🎛 Model')
  await eva.seesButton(/^● Dream/)
  await chooses(eva)
  const after = await eva.seesButton(/^(?:Quality|Generate)/)
  expect(labelsOf(after)).toEqual(labelsOf(before))
})

it.each([
  ['a tap', (fay: SandboxUser) => fay.taps(/^Reel/), (fay: SandboxUser, said: RegExp) => fay.isTold(said)],
  [
    'its typed name',
    (fay: SandboxUser) => fay.sends('Reel'),
    (fay: SandboxUser, said: RegExp) => fay.sees(said),
  ],
])('%s on another model names the settings that it lacks', async (_, chooses, hears) => {
  const fay = await sandbox.user('Fay')
  await fay.sends('/video a cat')
  await fay.taps('🎛 Model')
  await fay.taps(/^Dream/)
  await fay.taps('⚙️ More settings')
  await fay.taps('Loop: off')
  await fay.seesButton('Loop: on')
  await fay.taps('‹ Back')
  await fay.taps('🎛 Model')
  await fay.seesButton(/^● Dream/)
  await chooses(fay)
  await hears(fay, /No longer fits, so it was reset: Loop/)
  await fay.sees(/^🎬 Reel/)
})

it('the last frame stays the last one with another model', async () => {
  const gus = await sandbox.user('Gus')
  await gus.sends('/video a cat')
  await gus.taps('📎 Frames')
  await gus.sendsFile(await jpeg(), 'last')
  await gus.taps('✅ That’s all')
  await gus.seesButton('Frames: 🖼 last')
  await gus.taps('🎛 Model')
  await gus.taps(/^Dream/)
  await gus.sees(/^🎬 Dream[\s\S]*Last frame: 🖼/)
})
