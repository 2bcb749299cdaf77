// Settings with own lyrics on a card with a description: the description is not sung unasked.

import { expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const style = 'surf rock'
const title = 'The sea'

/** Makes a card with own lyrics, a style and a title. */
async function fillsCard(anna: SandboxUser): Promise<void> {
  await anna.sends('/music la la la')
  await anna.taps('My own lyrics: off')
  await anna.taps('✅ Keep this text')
  await anna.taps('✏️ Style')
  await anna.sends(style)
  await anna.sees(/Still needed: Title/)
  await anna.taps('✏️ Title')
  await anna.sends(title)
  await anna.seesButton('Generate · ₽6.60')
}

const ordersSong = async (anna: SandboxUser) => {
  await anna.taps('Generate · ₽6.60')
  await anna.sees((message) => message.audio !== undefined)
}

const savesPreset = async (anna: SandboxUser) => {
  await anna.taps(/Presets/)
  await anna.taps(/Save these settings/)
  await anna.sends('sung')
  await anna.sees(/Saved as “sung”/)
}

it.each([
  ['of the last order', ordersSong, (anna: SandboxUser) => anna.taps('↻ Same as last time')],
  [
    'of a preset',
    savesPreset,
    async (anna: SandboxUser) => {
      await anna.taps(/Presets/)
      await anna.taps('⭐ sung')
    },
  ],
])(
  'settings %s with own lyrics ask for lyrics before the description can be sung',
  async (_, keeps, takes) => {
    const anna = await sandbox.user('Anna')
    await fillsCard(anna)
    await keeps(anna)
    const { message_id: said } = await anna.sends('/music a funny song about a cat')
    await anna.sees(
      ({ message_id, text }) => message_id > said && /a funny song about a cat/.test(text ?? ''),
    )
    await takes(anna)
    const question = await anna.sees(/Lyrics\nWhat is going to be sung[\s\S]*a funny song about a cat/)
    expect(labelsOf(question)).toEqual(['✅ Keep this text', '✖ Cancel'])
    expect((await anna.seesButton('My own lyrics: off')).text).toContain(
      'Description: a funny song about a cat',
    )
    await anna.sends('meow, meow')
    await anna.sees(/Lyrics: meow, meow/)
    await anna.taps('Generate · ₽6.60')
    const song = { customMode: true, prompt: 'meow, meow', style, title }
    await expect.poll(async () => (await ordered(sandbox)).at(-1)).toMatchObject(song)
  },
)

it('after a cancelled question for lyrics the song is ordered by its description', async () => {
  const boris = await sandbox.user('Boris')
  await fillsCard(boris)
  await ordersSong(boris)
  await boris.sends('/music a funny song about a dog')
  await boris.taps('↻ Same as last time')
  await boris.sees(/What is going to be sung/)
  await boris.taps('✖ Cancel')
  await boris.isTold(/Question cancelled/)
  await boris.taps('Generate · ₽6.60')
  await expect
    .poll(async () => (await ordered(sandbox)).at(-1))
    .toMatchObject({ customMode: false, prompt: 'a funny song about a dog' })
})

it('settings without vocals are applied without a question for lyrics', async () => {
  const clara = await sandbox.user('Clara')
  await fillsCard(clara)
  await clara.taps('Vocals: yes')
  await clara.seesButton('Vocals: none')
  await savesPreset(clara)
  await clara.sends('/music the sea')
  await clara.sees(/Description: the sea/)
  await clara.taps(/Presets/)
  await clara.taps('⭐ sung')
  await clara.seesButton('My own style: on')
  expect((await clara.chat()).some(({ text = '' }) => /What is going to be sung/.test(text))).toBe(false)
})
