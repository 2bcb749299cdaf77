// Songs with own lyrics, custom styles, and talking pictures, whose one card and price are for a voice and the video that follows it.

import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, users } from '../../src/db/schema.ts'
import { requestOf } from '../support/users/order.ts'
import { film, jpeg, ordered, png, song } from '../support/users/pictures.ts'
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

const isResult = ({ from, photo }: SandboxMessage) => from?.is_bot === true && photo !== undefined

async function begin(name: string): Promise<SandboxUser> {
  const user = await sandbox.user(name)
  await user.opens('/image a fox', '⚙️ More', /(Own|My) style/, '➕ New style')
  await user.sees(/Name of the style/)
  return user
}

/** Answers the question for the name and sends one picture. */
async function withPicture(name: string, style = 'Watercolour'): Promise<SandboxUser> {
  const user = await begin(name)
  await user.asks(style, /Send one to 5 pictures/)
  await user.attaches(await jpeg(), '', /Got it: 1 of 5/)
  return user
}
const styles = () => ordered(sandbox, /\/v1\/styles$/)

it('a style is made from two pictures, selected at once, used in the order, and offered on later cards of its user only', async () => {
  const anna = await withPicture('Anna')
  await anna.attaches(await png(), '', /Got it: 2 of 5/)
  await anna.tapsFor(
    '✅ That’s all',
    /“Watercolour” is ready and selected[\s\S]*(Own|My) style: Watercolour[\s\S]*Price: ₽5.28/,
  )
  const cards = async () =>
    (await anna.chat()).filter((message) => labelsOf(message).some((label) => /^Generate/.test(label)))
  await expect.poll(async () => (await cards()).length).toBe(1)
  expect((await styles()).at(-1)).toMatchObject({
    name: 'Watercolour',
    images: [
      expect.stringMatching(/^data:image\/jpeg;base64,/),
      expect.stringMatching(/^data:image\/png;base64,/),
    ],
  })
  await anna.tapsFor('Generate · ₽5.28', isResult)
  const first = (await ordered(sandbox, /generations$/)).at(-1)
  expect(first).toMatchObject({ prompt: 'a fox', style_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })

  await anna.asks('/image a dog', /Prompt: a dog/)
  await anna.tapsAll('⚙️ More', /(Own|My) style/, 'Watercolour')
  await anna.seesButton(/(Own|My) style: Watercolour/)
  await anna.tapsFor(
    'Generate · ₽5.28',
    (message) => isResult(message) && message.caption?.includes('a dog') === true,
  )
  expect((await ordered(sandbox, /generations$/)).at(-1)).toMatchObject({
    prompt: 'a dog',
    style_id: first?.style_id,
  })

  const boris = await sandbox.user('Boris')
  await boris.opens('/image a fox', '⚙️ More', /(Own|My) style/)
  const page = await boris.sees((message) => labelsOf(message).includes('➕ New style'))
  expect(labelsOf(page)).not.toContain('Watercolour')
})

describe('the conversation about a new style', () => {
  it('accepts only pictures, and ends after the fifth', async () => {
    const dora = await withPicture('Dora')
    await dora.sendsFile(await song())
    await dora.sends('that is it')
    for (let more = 2; more <= 5; more += 1) await dora.sendsFile(await jpeg([more * 40, 0, 0]))
    await dora.sees(/“Watercolour” is ready and selected/)
    expect((await styles()).at(-1)?.images).toHaveLength(5)
  })
})

it('a style cannot be made of pictures that the gateway refuses: the user is told, and the card can still be ordered', async () => {
  const fred = await withPicture('Fred')
  await sandbox.breaks('gateway', 'styles', { kind: 'error', status: 400, description: 'too <dark>' })
  await fred.tapsFor(
    '✅ That’s all',
    /These pictures weren’t accepted\. Try others\.\nDetails:\n[\s\S]*too <dark>/,
  )
  await fred.tapsFor(['‹ Back', 'Generate · ₽5.28'], isResult)
  expect((await ordered(sandbox, /generations$/)).at(-1)).not.toHaveProperty('style_id')
})

const balanceOf = async (user: SandboxUser) => {
  const [row] = await sandbox.app.db
    .select({ available: accounts.available, held: accounts.held })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.ownerId))
    .where(and(eq(accounts.kind, 'user'), eq(users.telegramId, user.id)))
  return row
}
const total = /^Generate · ₽(\d+)\.(\d\d)$/

it('a picture says its caption: one price for the voice and the video, and the video follows the voice', async () => {
  const clara = await sandbox.newcomer('Clara', 'en', { credit: '300' })
  await clara.sendsFile(await jpeg(), 'Good morning to all of you, it is a fine day')
  await clara.sees(/sings, 5 s ≈ ₽99\.05/)
  await clara.taps('🗣 Make it talk')
  const card = await clara.sees(
    /Wan[\s\S]*Your own sound: 🎵 “Good morning to all[\s\S]*\(video ₽\d+\.\d\d \+ voice ₽0\.\d\d\)/,
  )
  const [, roubles, kopecks] = labelsOf(card).flatMap((label) => total.exec(label) ?? [])
  await Promise.all([clara.taps(total), clara.taps(total)])
  await clara.sees(/First I record the voice/)
  await clara.sees((message) => message.audio !== undefined || message.voice !== undefined)
  await clara.sees((message) => message.video !== undefined)
  await expect
    .poll(() => balanceOf(clara))
    .toEqual({ available: 30_000n - BigInt(`${roubles}${kopecks}`), held: 0n })
  const [video] = (await ordered(sandbox, /videos/)).slice(-1)
  expect(video).toMatchObject({ duration: 5, inputs: { audio: expect.stringMatching(/^http.*\/files\//) } })
})

it('words that are too long for a talking picture are shortened by one tap, and the order is listed by them', async () => {
  const oleg = await sandbox.user('Oleg', 'en', { credit: '300' })
  await oleg.sendsFile(await jpeg())
  await oleg.tapsFor('🗣 Make it talk', /write what to say/)
  await oleg.asks('word '.repeat(50), /Too long: 249 characters, the limit is 195/)
  await oleg.tapsFor(/^✂️ Shorten · ≈ ₽/, /Your own sound: 🎵 “/)
  await oleg.taps(total)
  await oleg.sees((message) => message.video !== undefined)
  await oleg.asks('/history', /Wan · ₽\d+\.\d\d\n(?!—)/)
})

it('without the voice there is no video, and nothing is charged; “Again” names the price of both and voices the words anew', async () => {
  const boris = await sandbox.user('Boris', 'en', { credit: '300' })
  await boris.sendsFile(await jpeg())
  await boris.taps('🗣 Make it talk')
  await boris.sees(/write what to say/)
  await boris.sends('Hello')
  const [price = ''] = labelsOf(await boris.sees(/video ₽/)).filter((label) => total.test(label))
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no voice today' })
  await boris.taps(total)
  await boris.sees(/couldn’t be voiced, so the video wasn’t made/)
  await expect.poll(() => balanceOf(boris)).toEqual({ available: 30_000n, held: 0n })
  await sandbox.breaks('gateway', 'create', { kind: 'task', status: 'failed', error: 'no voice today' })
  await boris.taps(price.replace('Generate', '🔁 Again'))
  const voiced = async () => (await ordered(sandbox, /speech$/)).filter(({ text }) => text === 'Hello')
  await expect.poll(voiced).toHaveLength(2)
})

it('a song makes a picture sing', async () => {
  const diana = await sandbox.user('Diana', 'en', { credit: '300' })
  await diana.sendsFile(await song())
  await diana.taps(/^🗣 Talking picture/)
  await diana.sees(/Frames/)
  await diana.sendsFile(await jpeg())
  await diana.tapsFor('✅ That’s all', /Wan/)
  expect(await requestOf(sandbox, diana, total)).toMatchObject({ inputs: { audio: expect.any(String) } })
  await diana.asks('/history', /1\. Wan · \S+\n\d/)
})

it('something like a picture: a text model describes it, and the description is the prompt of a picture card', async () => {
  const fiona = await sandbox.newcomer('Fiona')
  await fiona.sendsFile(await jpeg(), 'The same in snow')
  await fiona.taps(/^🖼 Something like it · ≈ ₽\d/)
  const card = await fiona.sees(
    /Picture · [\s\S]*Prompt: The same in snow: a plain coloured ground[\s\S]*Done, ₽\d+\.\d\d charged/,
  )
  expect(JSON.stringify((await ordered(sandbox, /completions$|messages$/)).at(-1))).toMatch(/image/)
  expect(labelsOf(card)).toContain('Generate · ₽5.28')
})

it('a video is changed by words: it is the reference of the next one', async () => {
  const vera = await sandbox.newcomer('Vera')
  await vera.sendsFile(await film(), 'make it night')
  await vera.taps(/^🎬 Change it by words · ₽/)
  await vera.sees(/Prompt: make it night\nSample videos: 🎬/)
})
