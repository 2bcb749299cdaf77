// Songs on their card: own lyrics have a question of their own, and the description is not sung unasked.

import { expect, it } from 'vitest'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

const style = 'surf rock'
const title = 'The sea'
const lastSong = async () => (await ordered(sandbox)).at(-1)
const isAudio = (message: SandboxMessage) => message.audio !== undefined

/** Makes a card with own lyrics, a style and a title. */
async function fillsCard(anna: SandboxUser): Promise<void> {
  await anna.sends('/music la la la')
  await anna.taps('My own lyrics: off')
  await anna.taps('✅ Keep this text')
  expect(labelsOf(await anna.sees(/Lyrics: la la la[\s\S]*Still needed: Style/)).join()).not.toContain(
    'Generate',
  )
  await anna.taps('✏️ Other…')
  await anna.sends(style)
  await anna.seesButton('Style: surf rock')
  await anna.taps('Title: la la la')
  await anna.seesButton('✏️ Title')
  await anna.sends(title)
  await anna.seesButton('Title: The sea')
  await anna.seesButton('Generate · ₽6.60')
}

it('a song with own lyrics is ordered with its style and title, in two variants that are paid once', async () => {
  const anna = await sandbox.user('Anna')
  await fillsCard(anna)
  await anna.taps('Generate · ₽6.60')
  await anna.sees((message) => isAudio(message) && message.caption !== undefined)
  const audios = (await anna.chat()).flatMap(({ audio }) => audio ?? [])
  expect(audios.map((one) => one.title)).toEqual([
    expect.stringMatching(/^1 of 2/),
    expect.stringMatching(/^2 of 2/),
  ])
  const song = { customMode: true, instrumental: false, prompt: 'la la la', style, title }
  expect(await lastSong()).toMatchObject(song)
  await anna.sends('/balance')
  await anna.sees('₽493.40')
})

it('own lyrics are asked for at their own limit, and stay when they are too long for a description', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/music a song')
  await boris.taps('My own lyrics: off')
  await boris.sees(/Lyrics\nWhat will be sung, up to 5,000 characters[\s\S]*a song/)
  await boris.sends('la '.repeat(1700))
  await boris.sees(/Too long: 5,099 characters, the limit is 5,000/)
  await boris.sends('la '.repeat(300))
  await boris.sees(/la la la[\s\S]*Still needed: Style/)
  await boris.taps('My own lyrics: on')
  const short = await boris.sees(/la la la[\s\S]*Too long for this: 899 characters, at most 500/)
  expect(labelsOf(short).join()).not.toContain('Generate')
  await boris.taps('My own lyrics: off')
  await boris.sees(/la la la[\s\S]*Still needed: Style/)
})

it('the guide asks for own lyrics after the step that switches them on', async () => {
  const olga = await sandbox.user('Olga')
  await olga.sends('/music a song about the sea')
  await olga.taps('⚙️ More')
  await olga.taps('🪜 Step by step')
  await olga.taps('Yes')
  const step = await olga.sees(/Lyrics\nWhat will be sung, up to 5,000 characters[\s\S]*a song about the sea/)
  await olga.sends('la '.repeat(300))
  await olga.sees(({ message_id, text = '' }) => message_id > step.message_id && /Vocals/.test(text))
  await olga.taps('● Yes')
  // A song with lyrics needs its style, so this step cannot be skipped.
  const styled = await olga.sees(/Music\n\nStyle/)
  expect(labelsOf(styled).some((label) => /^Skip/.test(label))).toBe(false)
  await olga.taps('✅ Enough, show the price')
  await olga.sees(/Lyrics: la la[\s\S]*Still needed: Style/)
})

const ordersSong = async (anna: SandboxUser) => {
  await anna.taps('Generate · ₽6.60')
  await anna.sees(isAudio)
}
const savesPreset = async (anna: SandboxUser) => {
  await anna.taps('⚙️ More')
  await anna.taps(/Presets/)
  await anna.taps(/Save as a preset/)
  await anna.sends('sung')
  await anna.sees(/Saved as “sung”/)
}
const takesPreset = async (anna: SandboxUser) => {
  await anna.taps('⚙️ More')
  await anna.taps(/Presets/)
  await anna.taps('📌 sung')
}

const takesLast = async (anna: SandboxUser) => {
  await anna.taps('⚙️ More')
  await anna.taps('↻ Same as last time')
}

it.each([
  ['of the last order', ordersSong, takesLast],
  ['of a preset', savesPreset, takesPreset],
])(
  'settings %s with own lyrics ask for lyrics before the description can be sung',
  async (_, keeps, takes) => {
    const anna = await sandbox.user('Anna')
    await fillsCard(anna)
    await keeps(anna)
    const { message_id: said } = await anna.sends('/music a funny song about a cat')
    await anna.sees(({ message_id, text = '' }) => message_id > said && /a funny song about a cat/.test(text))
    await takes(anna)
    const question = await anna.sees(/Lyrics\nWhat will be sung[\s\S]*a funny song about a cat/)
    expect(labelsOf(question)).toEqual([
      '✅ Keep this text',
      expect.stringMatching(/^✍️ Write the lyrics · ≈ ₽0\.\d\d$/),
      '✖ Cancel',
    ])
    const card = await anna.seesButton('My own lyrics: off')
    expect(card.text).toContain('Description: a funny song about a cat')
    await anna.sends('meow, meow')
    await anna.sees(/Lyrics: meow, meow/)
    await anna.taps('Generate · ₽6.60')
    await expect.poll(lastSong).toMatchObject({ customMode: true, prompt: 'meow, meow', style, title })
  },
)

it('after a cancelled question for lyrics the song is ordered by its description', async () => {
  const boris = await sandbox.user('Boris')
  await boris.sends('/music a funny song about a dog')
  await boris.taps('My own lyrics: off')
  await boris.sees(/What will be sung/)
  await boris.taps('✖ Cancel')
  await boris.isTold(/Question cancelled/)
  await boris.seesButton('My own lyrics: off')
  await boris.taps('Generate · ₽6.60')
  await expect.poll(lastSong).toMatchObject({ customMode: false, prompt: 'a funny song about a dog' })
})

it('settings without vocals are applied without a question for lyrics', async () => {
  const clara = await sandbox.user('Clara')
  await fillsCard(clara)
  await clara.taps('Vocals: yes')
  await clara.sees(/Words \(not sung\): la la la/)
  await clara.seesButton('Vocals: none')
  await savesPreset(clara)
  await clara.sends('/music the sea')
  await clara.sees(/Description: the sea/)
  await takesPreset(clara)
  await clara.seesButton('My own style: on')
  expect((await clara.chat()).some(({ text = '' }) => /What will be sung/.test(text))).toBe(false)
})

it('the prompt of an instrumental piece with style and title can be removed', async () => {
  const emil = await sandbox.user('Emil')
  await emil.sends('/music the sea')
  await emil.taps('Vocals: yes')
  await emil.taps('My own style: off')
  await emil.taps('✏️ Other…')
  await emil.sends(style)
  await emil.seesButton('Style: surf rock')
  await emil.taps(/^Title: the sea/)
  await emil.seesButton('✏️ Title')
  await emil.sends(title)
  await emil.seesButton('Title: The sea')
  await emil.taps('✏️ Words (not sung)')
  await emil.taps('✖ Remove')
  await ordersSong(emil)
  expect(await lastSong()).toMatchObject({ customMode: true, instrumental: true, style, title })
  expect(await lastSong()).not.toHaveProperty('prompt')
})

it('a text of 750 characters becomes the lyrics of a song, and the user is told about the changed setting', async () => {
  const david = await sandbox.user('David')
  const lyrics = 'la la la '.repeat(83).trim()
  await david.sends(`/music ${lyrics}`)
  await david.sees(/“My own lyrics” is now on/)
  await david.seesButton('My own lyrics: on')
  await david.sees(/Still needed: Style/)
})

it('a song with own lyrics takes two taps: its style is a chip on the card, and its title is the first line', async () => {
  const nora = await sandbox.user('Nora')
  await nora.sends(`/music [Verse]\nThe sea is calm tonight,\n${'la la la '.repeat(70).trim()}`)
  const card = await nora.sees(/Still needed: Style/)
  expect(labelsOf(card)).toEqual(expect.arrayContaining(['Pop', 'Rock', 'Lullaby', '✏️ Other…']))
  await nora.taps('Lullaby')
  await nora.taps('Generate · ₽6.60')
  await expect
    .poll(lastSong)
    .toMatchObject({ customMode: true, style: 'lullaby', title: 'The sea is calm tonight' })
})

it('several genres are chosen on the page of the style', async () => {
  const oleg = await sandbox.user('Oleg')
  await fillsCard(oleg)
  await oleg.taps('Style: surf rock')
  await oleg.taps('Jazz')
  await oleg.taps('Folk')
  await oleg.seesButton('● Folk')
  await oleg.taps('‹ Back')
  await oleg.sees(/surf rock, Jazz, Folk/)
})

it('lyrics are written from the description at the question for them, and the description comes back with one tap', async () => {
  const pia = await sandbox.user('Pia')
  await pia.sends('/music a song about the sea')
  await pia.taps('My own lyrics: off')
  await pia.taps(/^✍️ Write the lyrics · ≈ ₽0\.\d\d$/)
  const page = await pia.sees(
    /Lyrics for the song\n\[Verse\][\s\S]*Description: a song about the sea[\s\S]*₽0\.\d\d charged/,
  )
  expect(labelsOf(page).slice(0, 2)).toEqual(['✅ Use it', 'Keep mine'])
  expect((await pia.chat()).some(({ text = '' }) => /What will be sung/.test(text))).toBe(false)
  await pia.taps('✅ Use it')
  await pia.sees(/Lyrics: \[Verse\][\s\S]*Still needed: Style/)
  await pia.taps('Pop')
  await pia.seesButton('My own lyrics: on')
  await pia.taps('⚙️ More')
  await pia.taps('↩️ Back to my words')
  await pia.seesButton('My own lyrics: off')
  await pia.sees(/Description: a song about the sea/)
})
