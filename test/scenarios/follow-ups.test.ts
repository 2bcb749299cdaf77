// Several models behind one command, and buttons under a result that lead to the next order; only those that accept its file.

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { FileFacts } from '../../src/catalog/field.ts'
import { artifacts } from '../../src/db/schema.ts'
import { openReceipt, order, requestOf } from '../support/users/order.ts'
import { ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser, textOf } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const isPhoto = ({ photo }: SandboxMessage) => photo !== undefined
const isVideo = ({ video }: SandboxMessage) => video !== undefined
const lastOrder = async () => (await ordered(sandbox)).at(-1)
const seedIn = (message: SandboxMessage) => Number(/Seed: (\d+)/.exec(textOf(message))?.[1])
const seesNext = (user: SandboxUser, { message_id: above }: SandboxMessage) =>
  user.sees((one) => (isVideo(one) || isPhoto(one)) && one.message_id > above)

it('a video of Dream is continued by the button below its own message', async () => {
  const anna = await sandbox.user('Anna')
  await anna.opens('/video a cat', '🎛 Model', /^Dream/, 'Generate · ₽264.10')
  await anna.taps('▶️ Continue this video · ₽264.10')
  await anna.asks('and then it sleeps', /and then it sleeps[\s\S]*Continue my video: a cat/)
  expect(await requestOf(sandbox, anna, 'Generate · ₽264.10')).toMatchObject({
    prompt: 'and then it sleeps',
    keyframes: { frame0: { type: 'generation', id: expect.any(String) } },
  })
})

it('a result can be ordered again with its seed, which its receipt shows, and a trial as its final version', async () => {
  const clara = await sandbox.user('Clara')
  await clara.opens('/video a fox', 'Generate · ₽92.45')
  await clara.sees(isVideo)
  const seed = seedIn(await openReceipt(clara))
  const same = ['⋯ More', '🎯 Again with the same seed']
  const card = await clara.tapsFor(same, new RegExp(`Prompt: a fox[\\s\\S]*Seed: ${seed}\\n`))
  await clara.taps('Generate · ₽92.45')
  const again = await clara.sees((one) => isVideo(one) && one.message_id >= card.message_id)
  expect(await lastOrder()).toMatchObject({ positivePrompt: 'a fox', seed })
  await clara.taps('⋯ More')
  const opened = await clara.sees(
    (one) => one.message_id === again.message_id && labelsOf(one).includes('‹ Back'),
  )
  expect(labelsOf(opened)).not.toContain('🎯 Again with the same seed')

  await clara.opens('/video a wolf runs', '⚙️ More', '🧪 A 3 s trial first', 'Generate · ₽55.47')
  const final = await clara.tapsFor('🎬 Final: 15 s, 1080p · ₽277.35', /Prompt: a wolf runs[\s\S]*Seed: \d+/)
  const whole = { positivePrompt: 'a wolf runs', duration: 15, resolution: '1080p', seed: seedIn(final) }
  expect(await requestOf(sandbox, clara, 'Generate · ₽277.35')).toMatchObject(whole)
})

it('below a picture, “Again” orders once at its price, and other buttons lead to a card, a video with it, and favourites', async () => {
  const emma = await sandbox.user('Emma')
  const id = await order(sandbox, emma, '/image an otter')
  const first = await emma.sees(isPhoto)
  // The file is recorded a moment after it was sent; the buttons are the same before.
  await sandbox.app.db.update(artifacts).set({ fileId: null }).where(eq(artifacts.generationId, id))
  await emma.taps('⋯ More')
  const opened = await emma.sees((one) => labelsOf(one).includes('‹ Back'))
  expect(labelsOf(opened)).toEqual([
    ...['🏁 Last frame of a video', '🗣 Talking picture', '🧊 Texture of a 3D model'],
    '🗣 A separate voice track',
    ...['🔁 Again · ₽5.28', '🎲 Variations', '📄 Originals', '📤 Share', '⚠️ Problem', '‹ Back'],
  ])
  await Promise.all([emma.taps('🔁 Again · ₽5.28'), emma.taps('🔁 Again · ₽5.28')])
  const second = await seesNext(emma, first)
  expect(labelsOf(second)).toEqual(['✏️ Change', '🎬 Animate · ₽92.45', '🤍 Favourite', '⋯ More'])
  expect((await ordered(sandbox)).filter(({ prompt }) => prompt === 'an otter')).toHaveLength(2)
  expect(await emma.balance()).toBe('₽1,989.44')
  await emma.hears('🤍 Favourite', /Added to favourites/)
  await emma.asks('/favourites', /an otter/)
  await emma.taps('❤️ Favourite')
  await emma.asks('/favourites', /^No favourites yet/)
  await emma.tapsFor('✏️ Change', (one) => /Prompt: an otter/.test(textOf(one)))
  await emma.seesButton('Generate · ₽5.28')
  await emma.taps(/^🎬 Animate/)
  await emma.asks('flags wave', /flags wave/)
  expect(await requestOf(sandbox, emma, 'Generate · ₽92.45')).toMatchObject({
    positivePrompt: 'flags wave',
    // The local Telegram keeps a photo as it was uploaded; the real one makes a JPEG of it.
    inputs: { frameImages: [expect.stringMatching(/^data:image\/png;base64,/)] },
  })
})

it('one picture of an album can be picked as the last frame of a video', async () => {
  const gina = await sandbox.user('Gina')
  await gina.opens('/image a river', /^How many/, '3', /^Generate/)
  await gina.sees(/To use one of them, tap its number/)
  await gina.tapsAll('2', '🏁 Last frame of a video')
  await gina.asks('it floods', /it floods/)
  expect(await requestOf(sandbox, gina)).toMatchObject({ inputs: { frameImages: [{ frame: 'last' }] } })
})

it('“Full model” below a preview of a 3D model names its price and opens its card', async () => {
  const kate = await sandbox.user('Kate')
  await kate.opens('/model3d a chair', /^Mode/, /^Draft/, /^Generate/, '🧊 Full model, made anew · ₽192')
  await kate.seesButton('Generate · ₽192')
})

it('the history shows a page as one album, and an opened order leads on to the next one', async () => {
  const mia = await sandbox.user('Mia')
  for (const thing of ['a lamp', 'a lake']) await order(sandbox, mia, `/image ${thing}`)
  await mia.opens('/history', '🖼 Show as an album')
  const lake = await mia.sees((one) => isPhoto(one) && one.caption === '1. a lake')
  const lamp = await mia.sees((one) => isPhoto(one) && one.caption === '2. a lamp')
  expect(lamp.media_group_id).toBe(lake.media_group_id)
  expect(labelsOf(await openReceipt(mia))).toContain('🎬 Animate · ₽92.45')
})

describe('Buttons that take the file of a result:', () => {
  const voiced = z.object({
    inputs: z.object({ audio: z.url() }),
    settings: z.object({ audio: z.boolean() }),
  })
  const extend = '⏩ Continue as a new video'
  const withSound = '🎬 Video with this voice'

  /** Opens the further buttons of the last result, and goes back. @returns the labels of both pages */
  async function offersOf(user: SandboxUser): Promise<string> {
    const more = await user.tapsFor('⋯ More', (message) => labelsOf(message).includes('‹ Back'))
    const first = await user.tapsFor('‹ Back', (message) => labelsOf(message).includes('⋯ More'))
    return [...labelsOf(first), ...labelsOf(more)].join()
  }

  const setFacts = async (id: string, facts: FileFacts | null) =>
    void (await sandbox.app.db.update(artifacts).set({ facts }).where(eq(artifacts.generationId, id)))

  it('a video is extended if it has enough pixels and bots can download it', async () => {
    const anna = await sandbox.user('Anna')
    const id = await order(sandbox, anna, '/video a cat')
    const most = { mime: 'video/mp4', width: 1920, height: 1080, bytes: 20 * 1024 * 1024 }
    await setFacts(id, { ...most, bytes: most.bytes + 1 })
    expect(await offersOf(anna)).not.toContain(extend)
    await setFacts(id, most)
    expect(await offersOf(anna)).toContain(extend)
    await anna.taps(/^⏩ Continue as a new video · ₽/)
    await anna.asks('and then it sleeps', /and then it sleeps[\s\S]*Continue a video: 🎬/)
    const video = { type: 'extend', tag: '@video', video: expect.stringMatching(/\/app\/files\/.*\.mp4$/) }
    expect(await requestOf(sandbox, anna)).toMatchObject({ inputs: { referenceVideos: [video] } })
  })

  it('the sound of a song is used by the model that takes long sounds', async () => {
    const dina = await sandbox.user('Dina')
    await order(sandbox, dina, '/music a song about the sea')
    await dina.tapsAll('1', withSound)
    await dina.asks('a singing cat', /^🎬 Video · Wan[\s\S]*Your own sound: 🎵/)
  })

  it('short speech is the voice of a video with sound, and its link has the type of its bytes', async () => {
    const fred = await sandbox.user('Fred')
    await order(sandbox, fred, '/speech Good morning')
    await fred.seesButton(/^🗣 Talking picture · ₽/)
    await fred.tapsAll('⋯ More', withSound)
    const card = await fred.asks('a talking cat', /Prompt: a talking cat[\s\S]*Voice: 🎵/)
    expect(labelsOf(card)).toContain('Sound: on')
    const { inputs, settings } = voiced.parse(await requestOf(sandbox, fred))
    expect(settings).toEqual({ audio: true })
    const { audio } = inputs
    expect(audio).toMatch(/\/app\/files\/.*\.mp3$/)
    expect((await fetch(audio)).headers.get('content-type')).toBe('audio/mpeg')
  })
})

describe('Models:', () => {
  it('the model that is chosen already is selected again without a loss: its quality stays 4k', async () => {
    const eva = await sandbox.user('Eva')
    await eva.opens('/video a cat', '🎛 Model', /^Dream/, /^Quality/, '4k')
    const before = await eva.seesButton(/^Quality: 4k/)
    await eva.tapsAll('🎛 Model', /^● Dream/)
    const after = await eva.seesButton(/^(?:Quality|Generate)/)
    expect(labelsOf(after)).toEqual(labelsOf(before))
  })

  it('another model names the settings that it lacks', async () => {
    const fay = await sandbox.user('Fay')
    await fay.opens('/video a cat', '🎛 Model', /^Dream/, '⚙️ More', 'Loop: off')
    await fay.seesButton('Loop: on')
    await fay.tapsAll('‹ Back', '🎛 Model')
    await fay.seesButton(/^● Dream/)
    await fay.hears(/^Reel/, /No longer fits, so I reset it: Loop/)
    await fay.sees(/^🎬 Video · Reel/)
  })

  it("several effects can be picked from the gateway's list or typed", async () => {
    const dora = await sandbox.user('Dora')
    await dora.opens('/video a cat', '🎛 Model', /^Dream/, '⚙️ More', /Effects/, 'Zoom in', 'Handheld')
    await dora.seesButton('● Handheld')
    await dora.taps('● Zoom in')
    await dora.seesButton('Zoom in')
    await dora.taps('✏️ Other…')
    await dora.asks('crane_up, crane_up , handheld', /Crane|crane_up/)
    const concepts = [{ key: 'crane_up' }, { key: 'handheld' }]
    expect(await requestOf(sandbox, dora, 'Generate · ₽264.10')).toMatchObject({ concepts })
  })
})
