// Pictures, videos and sounds that users send: with a command, before a command, in answer to a question, and by mistake.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../../src/runtime/log.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { freshUrl } from '../support/database/database.ts'
import { dataUri, film, jpeg, ordered, png, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { createUser, labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

/** The gateway makes real files, and the machine may be busy. */
const resultMs = 60_000
const sandbox = await sharedSandbox({ credit: '2000' })

const red = [200, 30, 30] as const
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))
const lastOrder = async () => (await ordered(sandbox)).at(-1)

describe('a picture becomes a frame', () => {
  it('when it is sent with the command', async () => {
    const anna = await sandbox.user('Anna')
    const picture = await jpeg(red)
    await anna.sendsFile(picture, '/video a cat surfing')
    await anna.sees(/Reel[\s\S]*Prompt: a cat surfing/)
    await anna.seesButton('Frames: 🖼')
    await anna.taps('Generate · ₽92.45')
    await anna.sees((message) => message.video !== undefined, resultMs)
    const body = await lastOrder()
    expect(body).toMatchObject({ positivePrompt: 'a cat surfing' })
    expect(JSON.stringify(body)).toContain(dataUri('image/jpeg', picture).slice(0, 1900))
  })

  it('when the command replies to it', async () => {
    const boris = await sandbox.user('Boris')
    const { message_id } = await boris.sendsFile(await jpeg(red))
    await boris.sees('What shall I do with this picture?')
    await boris.sends('/video a dog', { reply_to: message_id })
    await boris.sees(/Prompt: a dog/)
    await boris.seesButton('Frames: 🖼')
  })

  it('when it is sent alone and a video is chosen; the prompt is then asked for', async () => {
    const clara = await sandbox.user('Clara')
    await clara.sendsFile(await png())
    const question = await clara.sees('What shall I do with this picture?')
    expect(labelsOf(question)).toEqual([
      expect.stringMatching(/^💬 Ask about it · ≈ ₽\d/),
      '🎬 Animate the photo · ₽92.45',
      '🧊 A texture for 3D',
    ])
    await clara.taps(/^🎬 Animate/)
    await clara.sees(/step 1 of[\s\S]*Prompt/)
    expect((await clara.chat()).some(({ text }) => text?.startsWith('🖼 What shall I do'))).toBe(false)
    await clara.sends('a mouse')
    await clara.sees(/step 2 of/)
    await clara.taps('✅ Show the card')
    await clara.sees(/Prompt: a mouse/)
    await clara.seesButton('Frames: 🖼')
  })
})

describe('an album', () => {
  const offers = async (user: SandboxUser) =>
    (await user.chat()).filter(({ text }) => /^(🖼 What shall I do|📎 From the album)/.test(text ?? ''))
  /** Waits until all earlier updates of the chat are handled: they are handled in order, and a later command is answered. */
  const isDone = async (user: SandboxUser) => {
    const { message_id: asked } = await user.sends('/balance')
    await user.sees(({ message_id, text }) => message_id > asked && /^Balance/.test(text ?? ''))
  }

  it('is asked about once, also while other users send albums', async () => {
    const users = [await sandbox.user('Paul'), await sandbox.user('Quinn')]
    const part = await jpeg(red)
    for (let time = 0; time < 2; time += 1) {
      for (const user of users) {
        await user.sendsFile(part, '', { album: `album-${user.id}` })
        await isDone(user)
      }
    }
    for (const user of users) expect(await offers(user)).toHaveLength(1)
  })

  it('is asked about once, even if the offer was used before the other files arrived', async () => {
    const rita = await sandbox.user('Rita')
    await rita.sendsFile(await jpeg(red), '', { album: 'one' })
    await rita.taps(/^🎬 Animate/)
    await rita.sees(/step 1 of/)
    await rita.sends('/cancel')
    await rita.sendsFile(await jpeg(red), '', { album: 'one' })
    await rita.sendsFile(await jpeg(red), '', { album: 'two' })
    await isDone(rita)
    expect(await offers(rita)).toHaveLength(1)
  })

  const sendsAlbum = async (user: SandboxUser, caption: string) => {
    const album = `album-${user.id}-${caption.length}`
    await user.sendsFile(await jpeg(red), caption, { album })
    for (let others = 0; others < 2; others += 1) await user.sendsFile(await jpeg(red), '', { album })
    await isDone(user)
  }
  const told = async (user: SandboxUser) =>
    (await user.chat()).filter(({ text }) => text?.startsWith('📎 From an album'))

  it('of two pictures becomes the first and the last frame of a video', async () => {
    const tina = await sandbox.user('Tina')
    for (const caption of ['/video morph', '']) {
      await tina.sendsFile(await jpeg(caption ? red : [30, 30, 200]), caption, { album: 'tina' })
    }
    expect(labelsOf(await tina.sees(/From the album I have 2 files/))).toEqual([
      '🎞 First and last frame · ₽92.45',
      '👥 References for a video · ₽92.45',
      '1',
      '2',
    ])
    await tina.taps(/^🎞/)
    await tina.sees(/Prompt: morph/)
    await tina.taps('Generate · ₽92.45')
    await tina.sees((message) => message.video !== undefined, resultMs)
    const { inputs } = z
      .object({ inputs: z.object({ frameImages: z.array(z.string()) }) })
      .parse(await lastOrder())
    expect(new Set(inputs.frameImages).size).toBe(2)
  })

  it('is used as references, or one picture of it alone', async () => {
    const ulla = await sandbox.user('Ulla')
    await sendsAlbum(ulla, '/video')
    await ulla.sees(/From the album I have 3 files/)
    await ulla.taps(/^👥/)
    await ulla.sees(/step 1 of[\s\S]*Prompt/)
    await ulla.taps('✅ Show the card')
    await ulla.sees(/References: 3 × 🖼/)
    await sendsAlbum(ulla, '/model3d chair')
    await ulla.taps('3')
    await ulla.sees(/Prompt: chair\n[^\n]*: 🖼/)
    expect((await ulla.chat()).filter(({ text }) => /I need text/.test(text ?? ''))).toEqual([])
  })

  it('with a question is asked about by its first picture and says so once, before the answer', async () => {
    const vera = await sandbox.user('Vera')
    await sendsAlbum(vera, 'compare these photos')
    const answer = await vera.sees(/the short answer/)
    const said = await told(vera)
    expect(said).toEqual([expect.objectContaining({ text: expect.stringMatching(/question/) })])
    expect(said[0]?.message_id).toBeLessThan(answer.message_id)
    expect(await offers(vera)).toEqual([])
  })

  it('is asked about once, even if the process restarted between its files', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bot-album-'))
    const env = { DATABASE_URL: await freshUrl('postgres') }
    const start = () => startSandbox({ port: 0, dataDir, speed: 40, log: silentLog, env })
    const first = await start()
    const sam = await createUser(first.url, { first_name: 'Sam', language_code: 'en' })
    await sam.sendsFile(await jpeg(red), '', { album: 'one' })
    await sam.sees('What shall I do with this picture?')
    await first.stop()
    const second = await start()
    const again = await createUser(second.url, { first_name: 'Sam', language_code: 'en', id: sam.id })
    await again.sendsFile(await jpeg(red), '', { album: 'one' })
    await isDone(again)
    expect(await offers(again)).toHaveLength(1)
    await second.stop()
    await rm(dataDir, { recursive: true })
  })
})

describe('other files', () => {
  it('a sound becomes the voice of a video', async () => {
    const eva = await sandbox.user('Eva')
    await eva.sendsFile(await song(), '/video a singing cat')
    await eva.sees(/Voice: 🎵/)
    await eva.taps('Generate · ₽92.45')
    await eva.sees((message) => message.video !== undefined, resultMs)
    expect(await lastOrder()).toMatchObject({
      inputs: { audio: expect.stringMatching(/\/app\/files\/.*\.mp3$/) },
    })
  })

  it('a video is continued, and goes to the gateway as a link', async () => {
    const fred = await sandbox.user('Fred')
    await fred.sendsFile(await film(), '/video@sandbox_generation_bot a cat')
    await fred.sees(/Prompt: a cat[\s\S]*Continue a video: 🎬/)
    await fred.taps('Generate · ₽92.45')
    await fred.sees(/Done/)
    const video = { type: 'extend', tag: '@video', video: expect.stringMatching(/\/app\/files\/.*\.mp4$/) }
    expect(await lastOrder()).toMatchObject({ inputs: { referenceVideos: [video] } })
  })

  it('a caption for another bot is not a command', async () => {
    const faye = await sandbox.user('Faye')
    await faye.sendsFile(await film(), '/video@some_other_bot a cat')
    await faye.sees((message) => message.from?.is_bot === true)
    expect(await faye.transcript()).not.toContain('Price')
  })

  it.each([
    ['a picture', '/image make it anime', /can’t edit ready pictures/, /^🖼 Draw a new one/],
    ['a picture', '/music make it anime', /music can’t use a picture/, /^🎵 Music from the words/],
    ['a sound', '/image make it anime', /image can’t use a sound/, /^🖼 Draw a new one/],
  ])(
    '%s below %s opens no card until its use is chosen, which keeps the words',
    async (what, words, why, alone) => {
      const gleb = await sandbox.user('Gleb')
      await gleb.sendsFile(what === 'a sound' ? await song() : await jpeg(), words)
      await gleb.sees(why)
      expect(await gleb.transcript()).not.toContain('Generate')
      await gleb.taps(/^🎬/)
      await gleb.sees(/Reel[\s\S]*Prompt: make it anime/)
      await gleb.seesButton(/^(Frames|Voice[^:]*): .|^⚙️/)
      await gleb.sendsFile(what === 'a sound' ? await song() : await jpeg(), words)
      await gleb.taps(alone)
      await gleb.sees(/(Design|Music)[\s\S]*: make it anime/)
    },
  )

  it('a result that /image replies to is no picture to edit, and its caption no prompt', async () => {
    const gina = await sandbox.user('Gina')
    await gina.sends('/image a fox')
    await gina.taps(/^Generate/)
    const result = await gina.sees((message) => message.photo !== undefined, resultMs)
    for (const words of ['/image make it anime', '/image']) {
      await gina.sends(words, { reply_to: result.message_id })
      await gina.sees(/can’t edit ready pictures/)
      await gina.taps(/^🖼 Draw a new one/)
      await gina.sees(words === '/image' ? /step 1 of/ : /Prompt: make it anime/)
    }
  })

  it('a picture in place of the prompt is kept as a frame, and the words are awaited', async () => {
    const greta = await sandbox.user('Greta')
    await greta.sends('/video')
    await greta.sees(/step 1 of/)
    await greta.sendsFile(await jpeg())
    await greta.sees(/Taken for “Frames”\. Now the words/)
    await greta.sends('a wave')
    await greta.sees(/step 2 of/)
    await greta.taps('✅ Show the card')
    await greta.sees(/Prompt: a wave/)
    await greta.seesButton('Frames: 🖼')
  })

  it('a picture in place of a promo code or the name of a preset is answered by a request for words', async () => {
    const gert = await sandbox.user('Gert')
    await gert.sends('/promo')
    await gert.sees(/Which promo code/)
    await gert.sendsFile(await jpeg())
    await gert.sees(/I’m waiting for words here/)
    await gert.sends('/image a fox')
    await gert.taps('⭐ Presets')
    await gert.taps(/Save these settings/)
    const { message_id } = await gert.sendsFile(await jpeg())
    await gert.sees(
      (message) => message.message_id > message_id && /waiting for words/.test(message.text ?? ''),
    )
    await gert.sends('Foxes')
    await gert.sees(/Saved as “Foxes”/)
  })

  it('a file that no model can use is answered', async () => {
    const hugo = await sandbox.user('Hugo')
    await hugo.sendsFile({
      kind: 'document',
      name: 'a.zip',
      bytes: Buffer.from('PK\x03\x04 and nothing in it'),
    })
    await hugo.sees(({ from }) => from?.is_bot === true)
  })
})

describe('a question for frames', () => {
  const open = async (name: string) => {
    const user = await sandbox.user(name)
    await user.sends('/video a cat')
    await user.taps('📎 Frames')
    await user.sees(/Frames[\s\S]*Send a/)
    return user
  }

  it('explains a wrong medium, and stays open', async () => {
    const ivan = await open('Ivan')
    await ivan.sendsFile(await song())
    await ivan.sees(/I need a picture here/)
    await ivan.sends('here it is')
    await ivan.sees(/I need a (picture|video|sound) here/)
    await ivan.sendsFile(await jpeg(), 'in the middle')
    await ivan.sees(/tells the position of the frame/)
    await ivan.sendsFile(await jpeg())
    await ivan.sees(/Got it: 1 of 8/)
    await ivan.taps('✅ That’s all')
    await ivan.seesButton('Frames: 🖼')
  })

  it('takes several pictures with their positions', async () => {
    const kate = await open('Kate')
    await kate.sendsFile(await jpeg(red), 'last')
    await kate.sendsFile(await jpeg())
    await kate.sendsFile(await png())
    await kate.sees(/Got it: 3 of 8/)
    await kate.taps('✅ That’s all')
    await kate.seesButton('Frames: 🖼 last, 2 × 🖼')
    await kate.taps('Generate · ₽92.45')
    await kate.sees((message) => message.video !== undefined, resultMs)
    const jpegUri = expect.stringMatching(/^data:image\/jpeg;base64,/)
    expect(await lastOrder()).toMatchObject({
      inputs: {
        frameImages: [
          { image: jpegUri, frame: 'last' },
          jpegUri,
          expect.stringMatching(/^data:image\/png;base64,/),
        ],
      },
    })
  })

  it('can be opened again for more pictures, and all pictures can be removed', async () => {
    const lena = await open('Lena')
    await lena.sendsFile(await jpeg())
    await lena.taps('✅ That’s all')
    await lena.taps(/^Frames: 🖼/)
    await lena.taps('📎 Add more')
    await lena.sendsFile(await png())
    await lena.sees(/Got it: 2 of 8/)
    await lena.taps('✅ That’s all')
    await lena.taps(/^Frames: 2 × 🖼/)
    // The previous card may still be in the chat, with the same button.
    await lena.sees((message) => /Frames: 2 × 🖼/.test(message.text ?? '') && !isCard(message))
    await lena.taps('✖ Remove')
    await lena.isTold('Cleared')
    await lena.taps('📎 Frames')
  })

  it('closes when the maximum number of pictures is reached', async () => {
    const max = await sandbox.user('Max')
    await max.sends('/video a cat')
    await max.taps('🎛 Model')
    await max.taps(/^Wan/)
    await max.taps('📎 Frames')
    await max.sendsFile(await jpeg())
    await max.sendsFile(await png())
    await max.sees(/Wan/)
    await max.seesButton('Frames: 2 × 🖼')
  })

  it('lowers an answer that is above the limit with reference pictures, and says so', async () => {
    const mia = await sandbox.user('Mia')
    await mia.sends('/video a cat')
    await mia.taps('🎛 Model')
    await mia.taps(/^Wan/)
    await mia.taps(/^Duration/)
    await mia.taps('15 s')
    await mia.taps('⚙️ More settings')
    await mia.taps('📎 Sample pictures')
    await mia.sendsFile(await jpeg())
    await mia.sees(/No longer fits, so it was reset: Duration[\s\S]*Got it: 1 of 30/)
    await mia.taps('✅ That’s all')
    await mia.sees(/Sample pictures: 🖼/)
    await mia.seesButton('Duration: 10 s')
  })
})

it('an order whose picture no longer exists costs nothing, and the user is told', async () => {
  const nina = await sandbox.user('Nina')
  await nina.sendsFile(await jpeg(), '/video a lost cat')
  await nina.sees(isCard)
  await sandbox.breaks('telegram', 'getFile', {
    kind: 'error',
    status: 400,
    description: 'Bad Request: invalid file_id',
  })
  await nina.taps('Generate · ₽92.45')
  await nina.sees(/Something went wrong[\s\S]*A file you sent is no longer available[\s\S]*₽92.45 is back/)
  expect(JSON.stringify(await ordered(sandbox))).not.toContain('a lost cat')
})

it('an order is submitted once Telegram returns its picture after failures', async () => {
  const olga = await sandbox.user('Olga')
  await olga.sendsFile(await jpeg(), '/video a cat')
  await olga.sees(isCard)
  await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 500, description: 'scripted' }, 2)
  await olga.taps('Generate · ₽92.45')
  await olga.sees((message) => message.video !== undefined, resultMs)
  expect(sandbox.faults.list()).toEqual([])
})
