// Several video models behind one command, chosen by a tap or a typed name. Also the effects that the gateway lists.

import { expect, it } from 'vitest'
import { taps } from '../../src/telegram/taps.ts'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

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

it('the model that is chosen already is selected again without a loss: its quality stays 4k', async () => {
  const eva = await sandbox.user('Eva')
  await eva.sends('/video a cat')
  await eva.taps('🎛 Model')
  await eva.taps(/^Dream/)
  await eva.taps(/^Quality/)
  await eva.taps('4k')
  const before = await eva.seesButton(/^Quality: 4k/)
  await eva.taps('🎛 Model')
  await eva.taps(/^● Dream/)
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
  await fay.taps('⚙️ More')
  await fay.taps('Loop: off')
  await fay.seesButton('Loop: on')
  await fay.taps('‹ Back')
  await fay.taps('🎛 Model')
  await fay.seesButton(/^● Dream/)
  await chooses(fay)
  await hears(fay, /No longer fits, so I reset it: Loop/)
  await fay.sees(/^🎬 Video · Reel/)
})

it("several effects can be picked from the gateway's list or typed", async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/video a cat')
  await dora.taps('🎛 Model')
  await dora.taps(/^Dream/)
  await dora.taps('⚙️ More')
  await dora.taps(/Effects/)
  await dora.taps('Zoom in')
  await dora.taps('Handheld')
  await dora.seesButton('● Handheld')
  await dora.taps('● Zoom in')
  await dora.seesButton('Zoom in')
  await dora.taps('✏️ Other…')
  await dora.sends('crane_up, crane_up , handheld')
  await dora.taps('Generate · ₽264.10')
  await dora.sees((message) => message.video !== undefined)
  const concepts = [{ key: 'crane_up' }, { key: 'handheld' }]
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ concepts })
})
