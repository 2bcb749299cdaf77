// Pictures, videos and sounds that users send: with a command, before a command, in answer to a question, and by mistake.

import { expect, it } from 'vitest'
import { dataUri, film, jpeg, ordered, png, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

const red = [200, 30, 30] as const
const isVideo = ({ from, video }: SandboxMessage) => from?.is_bot === true && video !== undefined
const isCard = (message: SandboxMessage) => labelsOf(message).some((label) => label.startsWith('Generate'))
const lastOrder = async () => (await ordered(sandbox)).at(-1)
const jpegUri = expect.stringMatching(/^data:image\/jpeg;base64,/)
const pngUri = expect.stringMatching(/^data:image\/png;base64,/)

async function generates(user: SandboxUser, button: string | RegExp = /^Generate/): Promise<void> {
  await user.taps(button)
  await user.sees(isVideo)
}

it('a picture that is sent with the command becomes a frame', async () => {
  const anna = await sandbox.user('Anna')
  const picture = await jpeg(red)
  await anna.sendsFile(picture, '/video a cat surfing')
  await anna.sees(/Reel[\s\S]*Prompt: a cat surfing/)
  await anna.seesButton('Frames: 🖼')
  await generates(anna, 'Generate · ₽92.45')
  expect(await lastOrder()).toMatchObject({ positivePrompt: 'a cat surfing' })
  expect(JSON.stringify(await lastOrder())).toContain(dataUri('image/jpeg', picture).slice(0, 1900))
})

it('a picture that is sent alone becomes a frame by its offer, or by a command in reply', async () => {
  const clara = await sandbox.user('Clara')
  const { message_id } = await clara.sendsFile(await png())
  const question = await clara.sees('What should I do with this picture?')
  expect(labelsOf(question)).toEqual([
    expect.stringMatching(/^💬 Ask about it · ≈ ₽\d/),
    '🎬 Animate the photo · from ₽55.47',
    expect.stringMatching(/^🗣 Talking picture · from ₽\d/),
    '🧊 A texture for 3D',
    expect.stringMatching(/^🖼 Something like it · ≈ ₽\d/),
  ])
  await clara.taps(/^🎬 Animate/)
  await clara.sees(/Frames: 🖼[\s\S]*Prompt/)
  expect((await clara.chat()).some(({ text }) => text?.startsWith('🖼 What should I do'))).toBe(false)
  await clara.sends('a mouse')
  await clara.sees(/Prompt: a mouse/)
  await clara.seesButton('Frames: 🖼')
  await clara.sends('/video a dog', { reply_to: message_id })
  await clara.sees(/Prompt: a dog/)
  await clara.seesButton('Frames: 🖼')
})

const offers = async (user: SandboxUser) =>
  (await user.chat()).filter(({ text }) => /^(🖼 What should I do|📎 From the album)/.test(text ?? ''))
/** Waits until all earlier updates of the chat are handled: they are handled in order, and a later command is answered. */
const isDone = async (user: SandboxUser) => {
  const { message_id: asked } = await user.sends('/balance')
  await user.sees(({ message_id, text }) => message_id > asked && /^Balance/.test(text ?? ''))
}
const sendsAlbum = async (user: SandboxUser, caption: string) => {
  const album = `album-${user.id}-${caption.length}`
  await user.sendsFile(await jpeg(red), caption, { album })
  for (let others = 0; others < 2; others += 1) await user.sendsFile(await jpeg(red), '', { album })
  await isDone(user)
}

it('an album is asked about once, even if the offer was used before its other files arrived', async () => {
  const users = [await sandbox.user('Paul'), await sandbox.user('Rita')] as const
  const part = await jpeg(red)
  for (const user of users) await user.sendsFile(part, '', { album: `album-${user.id}` })
  const [, rita] = users
  await rita.taps(/^🎬 Animate/)
  await rita.sees(/For example/)
  await rita.sends('/cancel')
  for (const user of users) await user.sendsFile(part, '', { album: `album-${user.id}` })
  for (const user of users) await isDone(user)
  expect([await offers(users[0]), await offers(rita)]).toMatchObject([[{}], []])
})

it('an album of two pictures becomes the first and the last frame of a video', async () => {
  const tina = await sandbox.user('Tina')
  for (const caption of ['/video morph', ''])
    await tina.sendsFile(await jpeg(caption ? red : [30, 30, 200]), caption, { album: 'tina' })
  expect(labelsOf(await tina.sees(/From the album I have 2 files/))).toEqual([
    '🎞 First and last frame · ₽92.45',
    '👥 References for a video · ₽92.45',
    '1',
    '2',
  ])
  await tina.taps(/^🎞/)
  await tina.sees(/Prompt: morph/)
  await generates(tina, 'Generate · ₽92.45')
  const { inputs } = (await lastOrder()) ?? {}
  expect(inputs).toMatchObject({ frameImages: [jpegUri, jpegUri] })
  expect(new Set(Object.values(inputs ?? {}).flat()).size).toBe(2)
})

it('an album is used as references, as one picture of it, or in a question, which takes the first and says so', async () => {
  const ulla = await sandbox.user('Ulla')
  await sendsAlbum(ulla, '/video')
  await ulla.sees(/From the album I have 3 files/)
  await ulla.taps(/^👥/)
  await ulla.sees(/References: 3 × 🖼[\s\S]*Prompt/)
  await sendsAlbum(ulla, '/model3d chair')
  await ulla.taps('3')
  await ulla.sees(/Prompt: chair\n[^\n]*: 🖼/)
  const vera = await sandbox.user('Vera')
  await sendsAlbum(vera, 'compare these photos')
  const answer = await vera.sees(/the short answer/)
  const told = (await vera.chat()).filter(({ text }) => text?.startsWith('📎 From an album'))
  expect(told).toMatchObject([{ text: expect.stringMatching(/question/) }])
  expect(told[0]?.message_id).toBeLessThan(answer.message_id)
  expect(await offers(vera)).toEqual([])
})

it('a sound becomes the voice of a video, and a video is continued; both go to the gateway as links', async () => {
  const eva = await sandbox.user('Eva')
  await eva.sendsFile(await song(), '/video a singing cat')
  await eva.sees(/Voice: 🎵/)
  await generates(eva, 'Generate · ₽92.45')
  const link = (type: string) => expect.stringMatching(new RegExp(`/app/files/.*\\.${type}$`))
  expect(await lastOrder()).toMatchObject({ inputs: { audio: link('mp3') } })
  const fred = await sandbox.user('Fred')
  await fred.sendsFile(await film(), '/video@sandbox_generation_bot a cat')
  await fred.sees(/Prompt: a cat[\s\S]*Continue a video: 🎬/)
  await generates(fred, 'Generate · ₽92.45')
  const video = { type: 'extend', tag: '@video', video: link('mp4') }
  expect(await lastOrder()).toMatchObject({ inputs: { referenceVideos: [video] } })
})

it('a caption for another bot is not a command', async () => {
  const faye = await sandbox.user('Faye')
  await faye.sendsFile(await film(), '/video@some_other_bot a cat')
  await faye.sees((message) => message.from?.is_bot === true)
  expect(await faye.transcript()).not.toContain('Price')
})

it.each([
  ['a picture', '/image make it anime', /can’t edit photos yet/, /^🖼 Draw a new one/],
  ['a sound', '/image make it anime', /image can’t use a sound/, /^🖼 Draw a new one/],
  ['a picture', '/music make it anime', /music can’t use a picture/, /^🎵 Music from the words/],
])(
  '%s below %s opens no card until its use is chosen, which keeps the words',
  async (what, words, why, alone) => {
    const gleb = await sandbox.user('Gleb')
    const file = what === 'a sound' ? await song() : await jpeg()
    await gleb.sendsFile(file, words)
    await gleb.sees(why)
    expect(await gleb.transcript()).not.toContain('Generate')
    await gleb.taps(/^🎬/)
    await gleb.sees(/Reel[\s\S]*Prompt: make it anime/)
    await gleb.sendsFile(file, words)
    await gleb.taps(alone)
    await gleb.sees(/(Design|Music)[\s\S]*: make it anime/)
  },
)

it('a picture in place of the prompt is kept as a frame, and one in place of a promo code or a name is refused', async () => {
  const greta = await sandbox.user('Greta')
  await greta.sends('/video')
  await greta.sees(/For example/)
  await greta.sendsFile(await jpeg())
  await greta.sees(/Got it for “Frames”\. Now I need the words/)
  await greta.sends('a wave')
  await greta.sees(/Prompt: a wave/)
  await greta.seesButton('Frames: 🖼')
  const isRefused = async () => {
    const { message_id: sent } = await greta.sendsFile(await jpeg())
    await greta.sees(({ message_id, text = '' }) => message_id > sent && /Now I need the words/.test(text))
  }
  await greta.sends('/promo')
  await greta.sees(/What’s your promo code/)
  await isRefused()
  await greta.sends('/image a fox')
  await greta.taps('⚙️ More')
  await greta.taps('📌 Presets')
  await greta.taps(/Save as a preset/)
  await isRefused()
  await greta.sends('Foxes')
  await greta.sees(/Saved as “Foxes”/)
})

it('the question for frames explains a wrong medium, takes positions, and can be opened again', async () => {
  const kate = await sandbox.user('Kate')
  await kate.sends('/video a cat')
  await kate.taps('📎 Frames')
  await kate.sees(/Frames[\s\S]*Send a/)
  await kate.sendsFile(await song())
  await kate.sees(/I need a picture here/)
  await kate.sendsFile(await jpeg(), 'in the middle')
  await kate.sees(/says where the frame goes/)
  await kate.sendsFile(await jpeg(red), 'last')
  await kate.sendsFile(await jpeg())
  await kate.sees(/Got it: 2 of 8/)
  await kate.taps('✅ That’s all')
  await kate.taps(/^Frames: 🖼 last/)
  await kate.taps('📎 Add more')
  await kate.sendsFile(await png())
  await kate.sees(/Got it: 3 of 8/)
  await kate.taps('✅ That’s all')
  await kate.seesButton('Frames: 🖼 last, 2 × 🖼')
  await generates(kate, 'Generate · ₽92.45')
  expect(await lastOrder()).toMatchObject({
    inputs: { frameImages: [{ image: jpegUri, frame: 'last' }, jpegUri, pngUri] },
  })
})

it('all frames are removed by one tap', async () => {
  const lena = await sandbox.user('Lena')
  await lena.sendsFile(await jpeg(), '/video a cat')
  await lena.taps(/^Frames: 🖼/)
  await lena.sees((message) => /Frames: 🖼/.test(message.text ?? '') && !isCard(message))
  await lena.taps('✖ Remove')
  await lena.isTold('Cleared')
  await lena.seesButton('📎 Frames')
})

it('Wan takes at most two frames, and then needs no prompt', async () => {
  const max = await sandbox.user('Max')
  await max.sends('/video')
  await max.taps('⚙️ Settings first')
  await max.sees(/Still needed: Prompt/)
  await max.taps('🎛 Model')
  await max.taps(/^Wan/)
  await max.taps('📎 Frames')
  await max.sendsFile(await jpeg())
  await max.sendsFile(await png())
  await max.seesButton('Frames: 2 × 🖼')
  await generates(max, 'Generate · ₽99.05')
  expect(await lastOrder()).not.toHaveProperty('positivePrompt')
  expect(await lastOrder()).toMatchObject({ inputs: { frameImages: [jpegUri, pngUri] } })
})

it('an order whose picture no longer exists costs nothing, and one whose picture comes late is made', async () => {
  const nina = await sandbox.user('Nina')
  await nina.sendsFile(await jpeg(), '/video a lost cat')
  await nina.sees(isCard)
  const gone = { kind: 'error', status: 400, description: 'Bad Request: invalid file_id' }
  await sandbox.breaks('telegram', 'getFile', gone)
  await nina.taps('Generate · ₽92.45')
  await nina.sees(/Something went wrong[\s\S]*A file you sent is no longer available[\s\S]*₽92.45 is back/)
  expect(JSON.stringify(await ordered(sandbox))).not.toContain('a lost cat')
  await nina.sendsFile(await jpeg(), '/video a late cat')
  await nina.sees(/a late cat[\s\S]*Price/)
  await sandbox.breaks('telegram', 'getFile', { kind: 'error', status: 500, description: 'scripted' }, 2)
  await generates(nina, 'Generate · ₽92.45')
  expect(sandbox.faults.list()).toEqual([])
})
