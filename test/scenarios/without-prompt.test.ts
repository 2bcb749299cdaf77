// Orders whose model needs no prompt beside a frame or a style, and prompts that fit only with another setting.

import { expect, it } from 'vitest'
import { jpeg, ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const resultMs = 60_000

it('Wan makes a video from a frame without a prompt', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/video')
  await anna.taps('✅ Show the card')
  await anna.sees(/Still needed: Prompt/)
  await anna.taps('🎛 Model')
  await anna.taps(/^Wan/)
  await anna.taps('📎 Frames')
  await anna.sendsFile(await jpeg())
  await anna.taps('✅ That’s all')
  await anna.seesButton('Frames: 🖼')
  expect(labelsOf(await anna.sees(/Price: ₽99.05/)).join()).toContain('Generate')
  await anna.taps('Generate · ₽99.05')
  await anna.sees((message) => message.video !== undefined, resultMs)
  const body = (await ordered(sandbox)).at(-1)
  expect(body).not.toHaveProperty('positivePrompt')
  expect(body).toMatchObject({ inputs: { frameImages: [expect.stringMatching(/^data:image/)] } })
})

it('the prompt of an instrumental piece with style and title can be removed', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/music the sea')
  await boris.taps('Vocals: yes')
  // Without vocals there are no lyrics to switch on, only a style and a title.
  expect(labelsOf(await boris.seesButton('Vocals: none')).join()).not.toContain('lyrics')
  await boris.taps('My own style: off')
  await boris.taps('✏️ Style')
  await boris.sends('surf rock')
  await boris.sees(/Still needed: Title/)
  await boris.taps('✏️ Title')
  await boris.sends('The sea')
  await boris.seesButton('Title: The sea')
  await boris.taps('✏️ Words (not sung)')
  await boris.taps('✖ Remove')
  await boris.taps('Generate · ₽6.60')
  await boris.sees((message) => message.audio !== undefined, resultMs)
  const body = (await ordered(sandbox)).at(-1)
  expect(body).toMatchObject({ customMode: true, instrumental: true, style: 'surf rock', title: 'The sea' })
  expect(body).not.toHaveProperty('prompt')
})

it('the label of lyrics is “Words (not sung)” while the vocals are off', async () => {
  const dora = await sandbox.user('Dora')
  await dora.sends('/music a song')
  await dora.taps('My own lyrics: off')
  await dora.sees(/going to be sung/)
  await dora.sends('la la la')
  await dora.sees(/Lyrics: la la la/)
  await dora.taps('Vocals: yes')
  await dora.sees(/Words \(not sung\): la la la/)
  await dora.seesButton('My own style: on')
  await dora.taps('Vocals: none')
  await dora.sees(/Lyrics: la la la/)
})

it('the prompt that a song needs cannot be removed', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/music la la la')
  await clara.taps(/Description/)
  // The button of the prompt opens the question at once, not a page with a button that removes the prompt.
  await clara.sees((message) => labelsOf(message).includes('✖ Cancel'))
})

it('a text of 750 characters becomes the lyrics of a song, and the user is told about the changed setting', async () => {
  const david = await sandbox.user('David')
  const lyrics = 'la la la '.repeat(83).trim()
  await david.sends(`/music ${lyrics}`)
  await david.sees(/this was changed — My own lyrics: on/)
  await david.seesButton('My own lyrics: on')
  await david.sees(/Still needed: Style/)
  await david.sends('/music')
  await david.sends(lyrics)
  await david.sees(/this was changed — My own lyrics: on/)
  await david.sees(/Vocals/)
  await david.taps('✅ Show the card')
  await david.sees(/Still needed: Style/)
})
