// A message that refers to something: a question is asked with what it refers to, or not at all; a command takes it.

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { turns, users } from '../../src/db/schema.ts'
import { pdfOf } from '../support/media/pdf.ts'
import { film, jpeg, png, song } from '../support/users/pictures.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

let sandbox: TestSandbox
let anna: SandboxUser
/** A chat of the person with other people, from which messages can be replied to here. */
let elsewhere: SandboxUser
beforeAll(async () => {
  sandbox = await openSandbox('postgres', { WELCOME_CREDIT: '100' })
})
beforeEach(async () => {
  anna = await sandbox.user('Anna')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  elsewhere = anna.in(id)
})
afterAll(() => sandbox.stop())

const questions = async () => {
  const [user] = await sandbox.app.db.select().from(users).where(eq(users.telegramId, anna.id))
  return sandbox.app.db
    .select()
    .from(turns)
    .where(eq(turns.userId, user?.id ?? 0n))
}
const to = ({ message_id }: SandboxMessage) => ({ reply_to: message_id })
const toOther = ({ message_id }: SandboxMessage) => ({ reply_to: message_id, reply_chat: elsewhere.chatId })
const asksAbout = async (before: SandboxMessage, isHere = true) => {
  await anna.sends('what is it? [short]', isHere ? to(before) : toOther(before))
}

const notes = { kind: 'document', name: 'notes.txt', bytes: Buffer.from('The tide comes twice a day.') }
const book = () => ({ kind: 'document', name: 'book.pdf', bytes: pdfOf('Whales sing.') })
const voice = async () => ({ ...(await song()), kind: 'voice' })
const archive = {
  kind: 'document',
  name: 'a.zip',
  mime: 'application/zip',
  bytes: Buffer.from('PK\u0003\u0004\0\0'),
}

const poll = {
  id: '1',
  question: 'Tea?',
  options: [{ persistent_id: '0', text: 'yes', voter_count: 0 }],
  total_voter_count: 0,
}
const place = { latitude: 55.75, longitude: 37.62 }
const contents = {
  poll: { poll },
  location: { location: place },
  venue: { venue: { location: place, title: 'Red Square', address: 'Moscow' }, location: place },
  contact: { contact: { phone_number: '+7999', first_name: 'Vera' } },
  checklist: { checklist: { title: 'To do', tasks: [{ id: 1, text: 'rest' }] } },
  dice: { dice: { emoji: '🎲', value: 4 } },
  story: { story: { id: 1, chat: { id: 1, type: 'private', first_name: 'Vera' } } },
  paid: { paid_media: { star_count: 1, paid_media: [{ type: 'preview' }] } },
}

describe('a question in reply to', () => {
  it.each([
    ['a text file', () => notes, /notes\.txt:\n```\nThe tide comes/],
    ['a PDF', book, /book\.pdf:\n```\nWhales sing\./],
  ])('%s is asked with its text', async (_, file, asked) => {
    const before = await anna.sendsFile(file())
    await anna.sees('What shall I do with this file?')
    await asksAbout(before)
    await anna.sees(/short answer/)
    expect(await questions()).toMatchObject([{ question: expect.stringMatching(asked) }])
  })

  it('a picture is asked with the picture', async () => {
    await asksAbout(await anna.sendsFile(await jpeg()))
    await expect.poll(questions).toMatchObject([{ files: [{ medium: 'image' }] }])
  })

  it('a picture, with another picture, is asked with both', async () => {
    const before = await anna.sendsFile(await jpeg())
    await anna.sendsFile(await jpeg([0, 0, 9]), 'what changed?', to(before))
    await expect.poll(questions).toMatchObject([{ files: [{ medium: 'image' }, { medium: 'image' }] }])
  })

  it.each([
    ['a poll', contents.poll, '> Tea?\n> - yes'],
    ['a place', contents.location, '> 55.75, 37.62'],
    ['a venue', contents.venue, '> Red Square\n> Moscow\n> 55.75, 37.62'],
    ['a contact', contents.contact, '> Vera +7999'],
    ['a checklist', contents.checklist, '> To do\n> - rest'],
    ['a dice', contents.dice, '> 🎲 4'],
  ])('%s is asked with what it says', async (_, content, quoted) => {
    await asksAbout(await anna.sendsContent(content))
    await anna.sees(/short answer/)
    expect(await questions()).toMatchObject([{ question: `${quoted}\n\nwhat is it? [short]` }])
  })

  it.each([
    ['a video', film, 'I cannot watch videos'],
    ['a voice message', voice, 'Assistant cannot listen to sounds'],
    ['a sound', song, 'Assistant cannot listen to sounds'],
    ['an archive', () => archive, 'There is nothing I can read here'],
  ])('%s is not asked, and the answer says what to do', async (_, file, told) => {
    await asksAbout(await anna.sendsFile(await file()))
    await anna.sees(told)
    expect(await questions()).toEqual([])
  })

  it.each([
    ['a story', contents.story],
    ['media that are not bought', contents.paid],
    ['a kind of message that is not known yet', { hologram: {} }],
  ])('%s is not asked, and the answer says what to do', async (_, content) => {
    await asksAbout(await anna.sendsContent(content))
    await anna.sees('I cannot see what this is about, so nothing was asked or charged')
    expect(await questions()).toEqual([])
  })

  it('quoted words below a video is asked with these words', async () => {
    const before = await anna.sendsFile(await film(), 'whales in the sea')
    await anna.sends('how large? [short]', { ...to(before), quote: 'whales' })
    await anna.sees(/short answer/)
    expect(await questions()).toMatchObject([{ question: '> whales\n\nhow large? [short]' }])
  })

  it('a story of another person is not asked', async () => {
    await anna.sendsContent({ text: 'what is it?', reply_to_story: contents.story.story })
    await anna.sees('I cannot see what this is about')
  })
})

describe('the question that is asked for', () => {
  it('after “Ask about it” is asked with what it replies to', async () => {
    const before = await anna.sendsContent(contents.poll)
    await anna.sendsFile(await jpeg())
    await anna.taps(/Ask about it/)
    await anna.sees('What would you like to know about the picture?')
    await anna.sends('is it an answer?', to(before))
    await expect
      .poll(questions)
      .toMatchObject([{ question: '> Tea?\n> - yes\n\nis it an answer?', files: [{ medium: 'image' }] }])
  })

  it('about a document is asked with the picture in it, and not with a video', async () => {
    await anna.sendsFile(notes)
    await anna.taps(/Ask about it/)
    await anna.sees('What would you like to know about the file?')
    await anna.sendsFile(await jpeg(), 'is this the tide?')
    await expect.poll(questions).toMatchObject([{ files: [{ medium: 'image' }] }])
    await anna.sendsFile(notes)
    await anna.taps(/Ask about it/)
    await anna.sees('What would you like to know about the file?')
    await anna.sendsFile(await film(), 'is this the tide?')
    await anna.sees('I cannot watch videos')
  })
})

describe('a question in reply to a message of another chat', () => {
  it('is asked with its text', async () => {
    await asksAbout(await elsewhere.sends('Whales sing.'), false)
    await anna.sees(/short answer/)
    expect(await questions()).toMatchObject([{ question: '> Whales sing.\n\nwhat is it? [short]' }])
  })

  it.each([
    ['a picture', jpeg, { files: [{ medium: 'image' }] }],
    ['a document', async () => notes, { question: expect.stringContaining('The tide comes') }],
  ])('is asked with %s', async (_, file, asked) => {
    await asksAbout(await elsewhere.sendsFile(await file(), 'look'), false)
    await expect.poll(questions).toMatchObject([asked])
  })

  it('is not asked about a video, although its caption is quoted by Telegram', async () => {
    await asksAbout(await elsewhere.sendsFile(await film(), 'look'), false)
    await anna.sees('I cannot watch videos')
    expect(await questions()).toEqual([])
  })

  it('is not asked about a message of which nothing is known', async () => {
    await asksAbout(await elsewhere.sendsContent({ hologram: {} }), false)
    await anna.sees('I cannot see what this is about')
    expect(await questions()).toEqual([])
  })
})

describe('a question as the caption of paid media', () => {
  it('is asked with a picture that the bot can see', async () => {
    const { photo } = await anna.sendsFile(await jpeg())
    const paid_media = { star_count: 1, paid_media: [{ type: 'photo', photo }] }
    await anna.sendsContent({ paid_media, caption: 'what is it?' })
    await anna.taps(/^💬 Ask · /)
    await expect.poll(questions).toMatchObject([{ files: [{ medium: 'image' }] }])
  })

  it('is not asked about a preview', async () => {
    await anna.sendsContent({ ...contents.paid, caption: 'what is it?' })
    await anna.sees('I cannot see what this is about')
    expect(await questions()).toEqual([])
  })
})

describe('a command in reply', () => {
  it.each([
    ['to a picture', jpeg],
    ['to a picture sent as a file', png],
  ])('%s of another chat takes it as a frame', async (_, file) => {
    await anna.sends('/video a dog', toOther(await elsewhere.sendsFile(await file())))
    await anna.seesButton('Frames: 🖼')
  })

  it('to a text, of the person or of a text model, takes it as the prompt', async () => {
    const said = await anna.sends('whales sing [short]')
    const answered = await anna.sees(/short answer/)
    await anna.sends('/speech', to(said))
    await anna.sees(/whales sing \[short\][\s\S]*Price/)
    await anna.sends('/speech', to(answered))
    await anna.sees(/short answer[\s\S]*Price/)
  })

  it('takes the quoted words, also of another chat', async () => {
    const before = await elsewhere.sends('Read this: whales sing')
    await anna.sends('/speech', { ...toOther(before), quote: 'whales sing' })
    await anna.sees(/whales sing[\s\S]*Price/)
    expect((await anna.sees(/Price/)).text).not.toContain('Read this')
  })

  it('to a text file takes its text', async () => {
    await anna.sends('/speech', toOther(await elsewhere.sendsFile(notes)))
    await anna.sees(/The tide comes twice a day\.[\s\S]*Price/)
  })

  it('to a picture with words, which cannot be spoken, takes the words', async () => {
    await anna.sends('/speech', toOther(await elsewhere.sendsFile(await jpeg(), 'whales sing')))
    await anna.sees(/whales sing[\s\S]*Price/)
    expect(await anna.transcript()).not.toContain('can’t use')
  })

  it('to something that no card takes says so', async () => {
    await anna.sends('/video a dog', to(await anna.sendsContent(contents.story)))
    await anna.sees('/video can’t use such a file')
    await anna.taps('🎬 A video from the words alone')
    await anna.sees((message) => labelsOf(message).some((label) => label.startsWith('Generate')))
  })
})
