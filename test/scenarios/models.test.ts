// Several video models behind one command, chosen by a tap or a typed name. Also the effects that the gateway lists.

import { expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

it('Wan is selected on the card, priced by its preset, and delivers in its shape', async () => {
  const anna = await sandbox.user('Anna')
  await anna.opens('/video a cat surfing', '🎛 Model', /^Wan/)
  await anna.sees(/Wan[\s\S]*Prompt: a cat surfing[\s\S]*Price: ₽99.05/)
  const { video } = await anna.tapsFor(
    [/^Aspect ratio/, '4:3', 'Generate · ₽99.05'],
    (message) => message.video !== undefined,
  )
  expect(video).toMatchObject({ width: 1920, height: 1088, duration: 5 })
})

it('the model that is chosen already is selected again without a loss: its quality stays 4k', async () => {
  const eva = await sandbox.user('Eva')
  await eva.opens('/video a cat', '🎛 Model', /^Dream/, /^Quality/, '4k')
  const before = await eva.seesButton(/^Quality: 4k/)
  await eva.tapsAll('🎛 Model', /^● Dream/)
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
  await fay.opens('/video a cat', '🎛 Model', /^Dream/, '⚙️ More', 'Loop: off')
  await fay.seesButton('Loop: on')
  await fay.tapsAll('‹ Back', '🎛 Model')
  await fay.seesButton(/^● Dream/)
  await chooses(fay)
  await hears(fay, /No longer fits, so I reset it: Loop/)
  await fay.sees(/^🎬 Video · Reel/)
})

it("several effects can be picked from the gateway's list or typed", async () => {
  const dora = await sandbox.user('Dora')
  await dora.opens('/video a cat', '🎛 Model', /^Dream/, '⚙️ More', /Effects/, 'Zoom in', 'Handheld')
  await dora.seesButton('● Handheld')
  await dora.taps('● Zoom in')
  await dora.seesButton('Zoom in')
  await dora.taps('✏️ Other…')
  await dora.opens('crane_up, crane_up , handheld', 'Generate · ₽264.10')
  await dora.sees((message) => message.video !== undefined)
  const concepts = [{ key: 'crane_up' }, { key: 'handheld' }]
  expect((await ordered(sandbox)).at(-1)).toMatchObject({ concepts })
})
