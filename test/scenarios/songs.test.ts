// Songs on their card: own lyrics have a question of their own, and the description is not sung unasked.

import { expect, it } from 'vitest'
import { requestOf } from '../support/users/order.ts'
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
  await anna.opens('/music la la la', 'My own lyrics: off', '✅ Keep this text')
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
  await anna.tapsAll('Style: surf rock', 'Jazz', 'Folk')
  await anna.seesButton('● Folk')
  await anna.tapsFor('‹ Back', /surf rock, Jazz, Folk/)
  await anna.tapsFor('Generate · ₽6.60', (message) => isAudio(message) && message.caption !== undefined)
  const audios = (await anna.chat()).flatMap(({ audio }) => audio ?? [])
  expect(audios.map((one) => one.title)).toEqual([
    expect.stringMatching(/^1 of 2/),
    expect.stringMatching(/^2 of 2/),
  ])
  const song = {
    customMode: true,
    instrumental: false,
    prompt: 'la la la',
    style: expect.stringContaining(style),
    title,
  }
  expect(await lastSong()).toMatchObject(song)
  await anna.asks('/balance', '₽493.40')
})

it('own lyrics are asked for at their own limit, and stay when they are too long for a description; a cancelled question leaves it', async () => {
  const boris = await sandbox.user('Boris')
  await boris.opens('/music a funny song about a dog', 'My own lyrics: off')
  await boris.sees(/What will be sung/)
  await boris.hears('✖ Cancel', /Question cancelled/)
  await boris.seesButton('My own lyrics: off')
  const described = { customMode: false, prompt: 'a funny song about a dog' }
  expect(await requestOf(sandbox, boris, 'Generate · ₽6.60')).toMatchObject(described)
  await boris.opens('/music a song', 'My own lyrics: off')
  await boris.sees(/Lyrics\nWhat will be sung, up to 5,000 characters[\s\S]*a song/)
  await boris.asks('la '.repeat(1700), /Too long: 5,099 characters, the limit is 5,000/)
  await boris.asks('la '.repeat(300), /la la la[\s\S]*Still needed: Style/)
  const short = await boris.tapsFor(
    'My own lyrics: on',
    /la la la[\s\S]*Too long for this: 899 characters, at most 500/,
  )
  expect(labelsOf(short).join()).not.toContain('Generate')
  await boris.tapsFor('My own lyrics: off', /la la la[\s\S]*Still needed: Style/)
})

it('the guide asks for own lyrics after the step that switches them on', async () => {
  const olga = await sandbox.user('Olga')
  await olga.opens('/music a song about the sea', '⚙️ More', '🪜 Step by step', 'Yes')
  const step = await olga.sees(/Lyrics\nWhat will be sung, up to 5,000 characters[\s\S]*a song about the sea/)
  await olga.asks(
    'la '.repeat(300),
    ({ message_id, text = '' }) => message_id > step.message_id && /Vocals/.test(text),
  )
  await olga.taps('● Yes')
  // A song with lyrics needs its style, so this step cannot be skipped.
  const styled = await olga.sees(/Music\n\nStyle/)
  expect(labelsOf(styled).some((label) => /^Skip/.test(label))).toBe(false)
  await olga.tapsFor('✅ Enough, show the price', /Lyrics: la la[\s\S]*Still needed: Style/)
})

it.each(['of the last order', 'of a preset'])(
  'settings %s with own lyrics ask for lyrics before the description can be sung',
  async (source) => {
    const anna = await sandbox.user('Anna')
    await fillsCard(anna)
    if (source === 'of a preset') {
      await anna.tapsAll('⚙️ More', /Presets/, /Save as a preset/)
      await anna.asks('sung', /Saved as “sung”/)
    } else await requestOf(sandbox, anna, 'Generate · ₽6.60')
    await anna.asks('/music a funny song about a cat', /a funny song about a cat/)
    if (source === 'of a preset') await anna.tapsAll('⚙️ More', /Presets/, '📌 sung')
    else await anna.tapsAll('⚙️ More', '↻ Same as last time')
    const question = await anna.sees(/Lyrics\nWhat will be sung[\s\S]*a funny song about a cat/)
    expect(labelsOf(question)).toEqual([
      '✅ Keep this text',
      expect.stringMatching(/^✍️ Write the lyrics · ≈ ₽0\.\d\d$/),
      '✖ Cancel',
    ])
    const card = await anna.seesButton('My own lyrics: off')
    expect(card.text).toContain('Description: a funny song about a cat')
    await anna.asks('meow, meow', /Lyrics: meow, meow/)
    const sung = { customMode: true, prompt: 'meow, meow', style, title }
    expect(await requestOf(sandbox, anna, 'Generate · ₽6.60')).toMatchObject(sung)
  },
)

it('a song with own lyrics takes two taps: its style is a chip on the card, and its title is the first line', async () => {
  const nora = await sandbox.user('Nora')
  const card = await nora.asks(
    `/music [Verse]\nThe sea is calm tonight,\n${'la la la '.repeat(70).trim()}`,
    /Still needed: Style/,
  )
  expect(labelsOf(card)).toEqual(expect.arrayContaining(['Pop', 'Rock', 'Lullaby', '✏️ Other…']))
  await nora.taps('Lullaby')
  const lullaby = { customMode: true, style: 'lullaby', title: 'The sea is calm tonight' }
  expect(await requestOf(sandbox, nora, 'Generate · ₽6.60')).toMatchObject(lullaby)
})

it('lyrics are written from the description at the question for them, and the description comes back with one tap', async () => {
  const pia = await sandbox.user('Pia')
  await pia.opens('/music a song about the sea', 'My own lyrics: off', /^✍️ Write the lyrics · ≈ ₽0\.\d\d$/)
  const page = await pia.sees(
    /Lyrics for the song\n\[Verse\][\s\S]*Description: a song about the sea[\s\S]*₽0\.\d\d charged/,
  )
  expect(labelsOf(page).slice(0, 2)).toEqual(['✅ Use it', 'Keep mine'])
  expect((await pia.chat()).some(({ text = '' }) => /What will be sung/.test(text))).toBe(false)
  await pia.tapsFor('✅ Use it', /Lyrics: \[Verse\][\s\S]*Still needed: Style/)
  await pia.taps('Pop')
  await pia.seesButton('My own lyrics: on')
  await pia.tapsAll('⚙️ More', '↩️ Back to my words')
  await pia.seesButton('My own lyrics: off')
  await pia.sees(/Description: a song about the sea/)
})
