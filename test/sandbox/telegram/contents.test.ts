// Messages other than texts and ordinary media: forwards, locations, contacts, dice, stickers, polls; and buttons that request a contact
// or a location.

import { type Bot, InputFile, Keyboard } from 'grammy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../../support/telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../../support/users/user.ts'

let local: LocalTelegram
let bot: Bot
let anna: SandboxUser

beforeAll(async () => {
  local = await startTelegram()
  bot = local.bot()
  anna = await createUser(local.url, { first_name: 'Anna', id: 11 })
  await anna.sends('hi')
})
afterAll(() => local.discard())

const newest = async () => (await bot.api.getUpdates({ offset: -1 })).at(-1)

describe('forwarding', () => {
  it('names the first author, also for a forward of a forward', async () => {
    const said = await anna.sends('a cat')
    const once = await bot.api.forwardMessage(11, 11, said.message_id)
    const twice = await bot.api.forwardMessage(11, 11, once.message_id)
    for (const message of [once, twice])
      expect(message).toMatchObject({
        text: 'a cat',
        from: { is_bot: true },
        forward_origin: { type: 'user', sender_user: { id: 11 } },
      })
  })

  it('refuses protected and missing messages', async () => {
    const secret = await bot.api.sendMessage(11, 'secret', { protect_content: true })
    await expect(bot.api.forwardMessage(11, 11, secret.message_id)).rejects.toThrow(
      "the message can't be forwarded",
    )
    await expect(bot.api.forwardMessage(11, 11, 9999)).rejects.toThrow('message to forward not found')
  })

  it('accepts several messages at once', async () => {
    const [one, two] = [await anna.sends('one'), await anna.sends('two')]
    const ids = await bot.api.forwardMessages(11, 11, [one.message_id, two.message_id])
    expect(ids).toHaveLength(2)
  })
})

describe('a location', () => {
  it('moves while it is live, and then stops', async () => {
    const { message_id } = await bot.api.sendLocation(11, 55.75, 37.62, { live_period: 600 })
    const moved = await bot.api.editMessageLiveLocation(11, message_id, 55.76, 37.63, { heading: 90 })
    expect(moved).toMatchObject({ location: { latitude: 55.76, live_period: 600, heading: 90 } })
    const stopped = await bot.api.stopMessageLiveLocation(11, message_id)
    expect(stopped).toMatchObject({ location: { latitude: 55.76 } })
    await expect(bot.api.editMessageLiveLocation(11, message_id, 1, 1)).rejects.toThrow(
      "message can't be edited",
    )
  })

  it('can be a venue', async () => {
    const venue = await bot.api.sendVenue(11, 55.75, 37.62, 'Red Square', 'Moscow')
    expect(venue).toMatchObject({ venue: { title: 'Red Square' }, location: { latitude: 55.75 } })
  })
})

describe('a contact, a dice and a sticker', () => {
  it('become messages', async () => {
    expect(await bot.api.sendContact(11, '+79990000000', 'Boris')).toMatchObject({
      contact: { phone_number: '+79990000000', first_name: 'Boris' },
    })
    const { dice } = await bot.api.sendDice(11, '🎰')
    expect(dice.value).toBeGreaterThan(0)
    await expect(bot.api.sendDice(11, 'x')).rejects.toThrow('dice emoji is invalid')
    const webp = Buffer.from('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700', 'hex')
    const { sticker } = await bot.api.sendSticker(11, new InputFile(webp, 's.webp'), { emoji: '🐈' })
    expect(sticker).toMatchObject({ type: 'regular', is_animated: false, is_video: false, emoji: '🐈' })
    expect(await bot.api.sendSticker(11, sticker.file_id)).toMatchObject({ sticker: { emoji: '🐈' } })
  })
})

describe('a poll', () => {
  it('counts votes and reports them to the bot, with the voter unless the poll is anonymous', async () => {
    const message = await bot.api.sendPoll(11, 'Cats or dogs?', ['Cats', 'Dogs'], { is_anonymous: false })
    await anna.votes(message, 0)
    expect(await newest()).toMatchObject({ poll_answer: { user: { id: 11 }, option_ids: [0] } })
    await anna.votes(message, 1)
    const poll = await bot.api.stopPoll(11, message.message_id)
    expect(poll).toMatchObject({ is_closed: true, total_voter_count: 1 })
    expect(poll.options.map((one) => one.voter_count)).toEqual([0, 1])
    await expect(anna.votes(message, 0)).rejects.toThrow('this poll is closed')
    await expect(bot.api.stopPoll(11, message.message_id)).rejects.toThrow('poll has already been closed')
  })

  it('is anonymous by default', async () => {
    const message = await bot.api.sendPoll(11, 'Cats?', ['Yes', 'No'])
    await anna.votes(message, 0)
    expect(await newest()).toMatchObject({ poll: { total_voter_count: 1 } })
  })

  it('can be a quiz with one correct answer and one vote for each user', async () => {
    const options = ['3', '4']
    const message = await bot.api.sendPoll(11, '2 + 2?', options, { type: 'quiz', correct_option_ids: [1] })
    await anna.votes(message, 0)
    await expect(anna.votes(message, 1)).rejects.toThrow('has voted')
    await expect(bot.api.sendPoll(11, '2 + 2?', options, { type: 'quiz' })).rejects.toThrow(
      'wrong correct option ID specified',
    )
  })
})

describe('a button that requests data', () => {
  it("sends the user's contact or location", async () => {
    const reply_markup = new Keyboard().requestContact('My number').requestLocation('My place')
    const { message_id } = await bot.api.sendMessage(11, 'Who are you?', { reply_markup })
    await anna.taps('My number')
    expect(await newest()).toMatchObject({
      message: { contact: { user_id: 11, first_name: 'Anna' }, reply_to_message: { message_id } },
    })
    await anna.taps('My place')
    expect(await newest()).toMatchObject({ message: { location: { latitude: expect.any(Number) } } })
  })
})
