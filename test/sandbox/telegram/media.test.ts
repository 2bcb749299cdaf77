// Media of the local Telegram: uploads, file ids, albums, files of users, and restarts.

import { type Bot, InputFile, InputMediaBuilder } from 'grammy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { colored } from '../../support/media/media-files.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { type LocalTelegram, startTelegram, token } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser

const png = (width: number, height: number) => colored(width, height, [1, 2, 3]).png().toBuffer()
const cat = await png(64, 64)
const wide = await png(9000, 1001)
const thin = await png(2100, 100)
const startingWith = (text: string, size = 200) => {
  const bytes = Buffer.alloc(size)
  bytes.write(text, 'latin1')
  return bytes
}
const mp4 = startingWith('\0\0\0\x18ftypisom')
const webm = startingWith('\x1aE\xdf\xa3\0\0\0\0webm')
const opus = startingWith('OggS\0\0\0\0OpusHead')
const wav = startingWith('RIFF\0\0\0\0WAVE')
const glb = startingWith('glTF')
const megabyte = 1024 * 1024

beforeEach(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('hi')
})
afterEach(() => local.discard())

const file = (bytes: Uint8Array, name: string) => new InputFile(bytes, name)
const refused = (text: string) => expect.objectContaining({ description: `Bad Request: ${text}` })

describe('an upload', () => {
  it('keeps the stated attributes and the thumbnail of a video, which is served in byte ranges', async () => {
    const { video } = await bot.api.sendVideo(anna.id, file(mp4, 'cat.mp4'), {
      width: 640,
      height: 480,
      duration: 10,
      caption: '<b>Cat</b>',
      parse_mode: 'HTML',
      thumbnail: file(await png(320, 240), 'thumb.png'),
    })
    expect(video).toMatchObject({
      width: 640,
      height: 480,
      duration: 10,
      mime_type: 'video/mp4',
      file_size: 200,
    })
    expect(video.thumbnail).toMatchObject({ width: 320, height: 240 })
    const shown = await anna.sees((message) => message.video !== undefined)
    expect(shown).toMatchObject({
      caption: 'Cat',
      caption_entities: [{ type: 'bold', offset: 0, length: 3 }],
    })
    const part = await fetch(`${local.url}/api/files/${video.file_id}`, { headers: { range: 'bytes=4-7' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 4-7/200')
    expect(part.headers.get('content-type')).toBe('video/mp4')
    expect(await part.text()).toBe('ftyp')
  })

  it.each([
    ['not an image', Buffer.from('not an image at all, but long enough'), 'IMAGE_PROCESS_FAILED'],
    ['too wide', wide, 'PHOTO_INVALID_DIMENSIONS'],
    ['too thin', thin, 'PHOTO_INVALID_DIMENSIONS'],
    [
      'too heavy',
      Buffer.concat([cat, Buffer.alloc(10 * megabyte)]),
      `file of size ${cat.length + 10 * megabyte} bytes is too big for a photo; the maximum size is 10485760 bytes`,
    ],
    ['empty', Buffer.alloc(0), 'file must be non-empty'],
  ])('of a photo that is %s is refused', async (_, bytes, text) => {
    await expect(bot.api.sendPhoto(anna.id, file(bytes, 'x.png'))).rejects.toEqual(refused(text))
  })

  it('of more than 50 MB is refused', async () => {
    const sent = bot.api.sendDocument(anna.id, file(Buffer.alloc(50 * megabyte + 1), 'x.bin'))
    await expect(sent).rejects.toMatchObject({ error_code: 413, description: 'Request Entity Too Large' })
  })

  it('in an unsupported format becomes a document', async () => {
    const video = await bot.api.sendVideo(anna.id, file(webm, 'cat.webm'))
    const voice = await bot.api.sendVoice(anna.id, file(wav, 'cat.wav'))
    const model = await bot.api.sendDocument(anna.id, file(glb, 'cat.glb'))
    const drawing = await bot.api.sendDocument(anna.id, file(Buffer.from('<svg/>'), 'cat.svg'))
    expect(video).toMatchObject({ document: { mime_type: 'video/webm', file_name: 'cat.webm' } })
    expect(video.video).toBeUndefined()
    expect(voice).toMatchObject({ document: { mime_type: 'audio/wav' } })
    expect(model).toMatchObject({ document: { mime_type: 'model/gltf-binary' } })
    expect(drawing).toMatchObject({ document: { mime_type: 'image/svg+xml' } })
    expect(await bot.api.sendVoice(anna.id, file(opus, 'cat.ogg'), { duration: 3 })).toMatchObject({
      voice: { duration: 3, mime_type: 'audio/ogg' },
    })
  })

  it('with a caption of 1025 characters is refused', async () => {
    const sent = bot.api.sendVideo(anna.id, file(mp4, 'cat.mp4'), { caption: 'x'.repeat(1025) })
    await expect(sent).rejects.toEqual(refused('message caption is too long'))
  })
})

describe('sending by file id', () => {
  it('needs no upload, but cannot send a photo as a document', async () => {
    const { video } = await bot.api.sendVideo(anna.id, file(mp4, 'cat.mp4'), { duration: 10 })
    expect((await bot.api.sendVideo(anna.id, video.file_id)).video).toEqual(video)
    const { photo } = await bot.api.sendPhoto(anna.id, file(cat, 'cat.png'))
    const id = photo.at(-1)?.file_id ?? ''
    expect((await bot.api.sendPhoto(anna.id, id)).photo).toEqual(photo)
    await expect(bot.api.sendDocument(anna.id, id)).rejects.toEqual(
      refused("can't use file of type Photo as Document"),
    )
    await expect(bot.api.sendPhoto(anna.id, video.file_id)).rejects.toEqual(
      refused("can't use file of type Video as Photo"),
    )
    await expect(bot.api.sendPhoto(anna.id, 'nonsense')).rejects.toEqual(
      refused('wrong file identifier/HTTP URL specified'),
    )
  })
})

describe('albums', () => {
  const photo = () => InputMediaBuilder.photo(file(cat, 'cat.png'))

  it('have 2 to 10 items; otherwise nothing is sent', async () => {
    await expect(bot.api.sendMediaGroup(anna.id, [photo()])).rejects.toThrow('2-10 items')
    await expect(bot.api.sendMediaGroup(anna.id, Array.from({ length: 11 }, photo))).rejects.toEqual(
      refused('too many messages to send as an album'),
    )
    expect(await anna.transcript()).toBe('Anna: hi')
  })

  it('cannot combine documents and photos', async () => {
    const { document } = await bot.api.sendDocument(anna.id, file(glb, 'cat.glb'))
    const photo = await bot.api.sendPhoto(anna.id, file(cat, 'cat.png'))
    const media = [
      { type: 'document', media: document.file_id },
      { type: 'photo', media: photo.photo[0]?.file_id },
    ]
    const answer = await fetch(`${local.url}/bot${token}/sendMediaGroup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: 11, media }),
    })
    expect(await answer.json()).toEqual(refused("can't use the media of the specified type in the album"))
  })
})

describe('an edit', () => {
  it('can replace a text with media in the same message, which can then be copied', async () => {
    const { message_id } = await bot.api.sendMessage(anna.id, 'Generating…')
    const media = InputMediaBuilder.video(file(mp4, 'cat.mp4'), { caption: 'Done' })
    await bot.api.editMessageMedia(anna.id, message_id, media)
    const shown = await anna.sees('Done')
    expect(shown).toMatchObject({ message_id, video: { mime_type: 'video/mp4' } })
    expect(shown.text).toBeUndefined()
    await bot.api.copyMessage(anna.id, anna.id, message_id)
    expect((await anna.chat()).at(-1)).toMatchObject({ caption: 'Done', video: shown.video })
    const { photo } = await bot.api.sendPhoto(anna.id, file(cat, 'cat.png'))
    const other = InputMediaBuilder.photo(photo.at(-1)?.file_id ?? '')
    const edit = (id: number) => bot.api.editMessageMedia(anna.id, id, other)
    await edit(message_id)
    expect((await anna.chat()).find((one) => one.message_id === message_id)).not.toHaveProperty('caption')
    await expect(edit(message_id)).rejects.toThrow('message is not modified')
    const said = await bot.api.sendVoice(anna.id, file(opus, 'cat.ogg'))
    await expect(edit(said.message_id)).rejects.toEqual(refused("message media can't be edited"))
    await expect(edit(99)).rejects.toEqual(refused('message to edit not found'))
  })
})

describe('the state after a restart', () => {
  it('contains the chats, the media, the unconfirmed updates and the settings', async () => {
    // The clock does not move, so the state is written only by the stop.
    await local.stop()
    const before = await startTelegram({ folder: local.folder, clock: handClock(new Date()) })
    const user = await createUser(before.url, { first_name: 'Vera', id: 12 })
    await user.sends('remember me')
    const { video } = await before.bot().api.sendVideo(12, file(mp4, 'cat.mp4'))
    await before.bot().api.setMyCommands([{ command: 'video', description: 'Make a video' }])
    await before.stop()

    local = await startTelegram({ folder: local.folder, seed: 2 })
    const after = local.bot().api
    const vera = await createUser(local.url, { first_name: 'Vera', id: 12 })
    expect(await vera.transcript()).toBe('Vera: remember me\nSandbox bot: <video> ')
    expect((await after.sendVideo(12, video.file_id)).message_id).toBe(3)
    expect((await fetch(`${local.url}/api/files/${video.file_id}`)).status).toBe(200)
    expect((await after.getUpdates()).at(-1)?.message?.text).toBe('remember me')
    expect(await after.getMyCommands()).toHaveLength(1)
  })
})
