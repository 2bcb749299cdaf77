// Each command once, from a line of text to the result in the chat: the price to the kopeck, the right kind of message.

import { expect, it } from 'vitest'
import { sharedSandbox } from '../support/users/sandbox.ts'

const sandbox = await sharedSandbox({ credit: '2000' })

it('/image: three pictures as an album, their originals as documents', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/image a fox, watercolour')
  await anna.sees(/Design[\s\S]*Price: ₽5.28/)
  await anna.taps(/^Pictures/)
  await anna.taps('3')
  await anna.taps('Generate · ₽15.84')
  await anna.sees(/a fox, watercolour[\s\S]*₽15.84/)
  await anna.taps(/What next/)
  await anna.taps(/Originals/)
  await anna.sees((message) => message.document !== undefined)
  const chat = await anna.chat()
  const photos = chat.filter((message) => message.photo)
  expect(photos).toHaveLength(3)
  expect(new Set(photos.map((message) => message.media_group_id)).size).toBe(1)
})

it('/image: one picture is a photo with its caption and buttons', async () => {
  const boris = await sandbox.user('Борис', 'ru')
  await boris.sends('/image лиса, акварель')
  await boris.taps('Создать · 5,28 ₽')
  const photo = await boris.sees((message) => message.photo !== undefined)
  expect(photo.caption).toContain('5,28 ₽')
  await boris.taps(/Что дальше/)
  await boris.taps(/Оригиналы/)
  const { document } = await boris.sees((message) => message.document !== undefined)
  expect(document?.mime_type).toBe('image/png')
})

it('/speech: a voice message', async () => {
  const clara = await sandbox.user('Clara')
  await clara.sends('/speech Good morning! The weather is fine today.')
  await clara.taps(/^Generate · ₽0.01/)
  const { voice } = await clara.sees((message) => message.voice !== undefined)
  expect(voice?.duration).toBeGreaterThan(1)
})

it('/dialogue: a pasted script, two voices, one voice message from a WAV', async () => {
  const dora = await sandbox.user('Дора', 'ru')
  await dora.sends('/dialogue')
  await dora.sees(/шаг 1 из/)
  await dora.sends('Аня: Привет!\nБоря: Здравствуй. Как дела?\nАня: Отлично.')
  await dora.sees(/шаг 2 из/)
  await dora.taps('✅ К карточке')
  await dora.sees(/Диалог[\s\S]*Цена: 6,65 ₽/)
  await dora.taps('Создать · 6,65 ₽')
  const { voice } = await dora.sees((message) => message.voice !== undefined)
  expect(voice?.mime_type).toBe('audio/ogg')
})

it('/music: two variants as audio with a title, paid once', async () => {
  const eva = await sandbox.user('Eva')
  await eva.sends('/music a song about the sea')
  await eva.taps('Generate · ₽6.60')
  await eva.sees(/₽6.60 charged/)
  await eva.sees((message) => message.audio !== undefined && message.caption !== undefined)
  const audios = (await eva.chat()).flatMap(({ audio }) => audio ?? [])
  expect(audios.map(({ title }) => title)).toEqual([
    '1 of 2 · a song about the sea',
    '2 of 2 · a song about the sea',
  ])
  await eva.sends('/balance')
  await eva.sees('₽1,993.40')
})

it('/model3d: a GLB document, after its picture if that was drawn in time', async () => {
  const fred = await sandbox.user('Fred')
  await fred.sends('/model3d a wooden chair')
  await fred.taps('Generate · ₽192.00')
  const { document } = await fred.sees((message) => message.document !== undefined)
  expect(document?.file_name).toMatch(/\.glb$/)
  // The delivery does not wait longer than two seconds for the picture, which a busy machine may need.
  const files = (await fred.chat()).filter((message) => message.photo ?? message.document)
  expect(['document', 'photo document']).toContain(
    files.map((message) => (message.photo ? 'photo' : 'document')).join(' '),
  )
})
