// A message that refers to something: a question is asked with what it refers to, or not at all; a command takes it.

import { beforeEach, describe, expect, it } from 'vitest'
import { pdfOf } from '../support/media/pdf.ts'
import { turnsIn } from '../support/users/order.ts'
import { film, jpeg, png, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()
let anna: SandboxUser
/** A chat of the person with other people, from which messages can be replied to here. */
let elsewhere: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
  const { id } = await sandbox.post<{ id: number }>('/api/chats', { title: 'We', members: [anna.id] })
  elsewhere = anna.in(id)
})

/** Waits until exactly these questions are asked. */
const areAsked = (...questions: object[]) =>
  expect.poll(() => turnsIn(sandbox, anna)).toMatchObject(questions)
const nothingIsAsked = async () => expect(await turnsIn(sandbox, anna)).toEqual([])
const to = ({ message_id }: SandboxMessage) => ({ reply_to: message_id })
const toOther = ({ message_id }: SandboxMessage) => ({ reply_to: message_id, reply_chat: elsewhere.chatId })
const asksAbout = (before: SandboxMessage, isHere = true) =>
  anna.sends('what is it? [short]', isHere ? to(before) : toOther(before))

const image = { medium: 'image' }
const notes = { kind: 'document', name: 'notes.txt', bytes: Buffer.from('The tide comes twice a day.') }
const book = () => ({ kind: 'document', name: 'book.pdf', bytes: pdfOf('Whales sing.') })
const voice = async () => ({ ...(await song()), kind: 'voice' })
const zip = {
  kind: 'document',
  name: 'a.zip',
  mime: 'application/zip',
  bytes: Buffer.from('PK\u0003\u0004\0\0'),
}

const yes = { persistent_id: '0', text: 'yes', voter_count: 0 }
const poll = { poll: { id: '1', question: 'Tea?', options: [yes], total_voter_count: 0 } }
const location = { latitude: 55.75, longitude: 37.62 }
const story = { story: { id: 1, chat: { id: 1, type: 'private', first_name: 'Vera' } } }
const paid = { paid_media: { star_count: 1, paid_media: [{ type: 'preview' }] } }
const unseen = 'I can’t see what this is about, so nothing was asked or charged'

describe('a question in reply to', () => {
  it.each([
    ['a text file', () => notes, /notes\.txt:\n```\nThe tide comes/],
    ['a PDF', book, /book\.pdf:\n```\nWhales sing\./],
  ])('%s is asked with its text', async (_, file, asked) => {
    const before = await anna.sendsFile(file())
    await anna.sees('What should I do with this file?')
    await asksAbout(before)
    await areAsked({ question: expect.stringMatching(asked) })
  })

  it('a picture, with another picture, is asked with both', async () => {
    const before = await anna.sendsFile(await jpeg())
    await asksAbout(before)
    await areAsked({ files: [image] })
    await anna.sendsFile(await jpeg([0, 0, 9]), 'what changed?', to(before))
    await areAsked({}, { files: [image, image] })
  })

  it('other contents is asked with what they say', async () => {
    const rows = [
      [poll, '> Tea?\n> - yes'],
      [{ location }, '> 55.75, 37.62'],
      [
        { venue: { location, title: 'Red Square', address: 'Moscow' }, location },
        '> Red Square\n> Moscow\n> 55.75, 37.62',
      ],
      [{ contact: { phone_number: '+7999', first_name: 'Vera' } }, '> Vera +7999'],
      [{ checklist: { title: 'To do', tasks: [{ id: 1, text: 'rest' }] } }, '> To do\n> - rest'],
      [{ dice: { emoji: '🎲', value: 4 } }, '> 🎲 4'],
    ] as const
    const asked: object[] = []
    for (const [content, quoted] of rows) {
      await asksAbout(await anna.sendsContent(content))
      asked.push({ question: `${quoted}\n\nwhat is it? [short]` })
      await areAsked(...asked)
    }
  })

  it('a file or a content that no model sees or hears is not asked, and the answer says what to do', async () => {
    const files = [
      [film, 'Assistant can’t watch videos'],
      [voice, 'Assistant can’t listen to sounds'],
      [song, 'Assistant can’t listen to sounds'],
      [() => zip, 'There is nothing I can read here'],
    ] as const
    const isTold = async (asked: SandboxMessage, told: string) =>
      anna.sees(({ message_id, text = '' }) => message_id > asked.message_id && text.includes(told))
    for (const [file, told] of files) await isTold(await asksAbout(await anna.sendsFile(await file())), told)
    for (const content of [story, paid, { hologram: {} }])
      await isTold(await asksAbout(await anna.sendsContent(content)), unseen)
    await isTold(
      await anna.sendsContent({ text: 'what is it?', reply_to_story: story.story }),
      'I can’t see what this is about',
    )
    await nothingIsAsked()
  })

  it('quoted words below a video is asked with these words', async () => {
    const before = await anna.sendsFile(await film(), 'whales in the sea')
    await anna.sends('how large? [short]', { ...to(before), quote: 'whales' })
    await areAsked({ question: '> whales\n\nhow large? [short]' })
  })
})

describe('the question that is asked for', () => {
  it('after “Ask about it” is asked with what it replies to', async () => {
    const before = await anna.sendsContent(poll)
    await anna.sendsFile(await jpeg())
    await anna.taps(/Ask about it/)
    await anna.sees('What would you like to know about the picture?')
    await anna.sends('is it an answer?', to(before))
    await areAsked({ question: '> Tea?\n> - yes\n\nis it an answer?', files: [image] })
  })

  it('about a document is asked with the picture in it, and not with a video', async () => {
    const asksWith = async (file: Awaited<ReturnType<typeof film>>) => {
      await anna.sendsFile(notes)
      await anna.taps(/Ask about it/)
      await anna.sees('What would you like to know about the file?')
      await anna.sendsFile(file, 'is this the tide?')
    }
    await asksWith(await jpeg())
    await areAsked({ files: [image] })
    await asksWith(await film())
    await anna.sees('Assistant can’t watch videos')
    await areAsked({ files: [image] })
  })
})

describe('a question in reply to a message of another chat', () => {
  it('is asked with its text, a picture or a document', async () => {
    await asksAbout(await elsewhere.sends('Whales sing.'), false)
    const text = { question: '> Whales sing.\n\nwhat is it? [short]' }
    await areAsked(text)
    await asksAbout(await elsewhere.sendsFile(await jpeg(), 'look'), false)
    await areAsked(text, { files: [image] })
    await asksAbout(await elsewhere.sendsFile(notes, 'look'), false)
    await areAsked(text, {}, { question: expect.stringContaining('The tide comes') })
  })

  it('is not asked about a video, although its caption is quoted by Telegram, nor about what is unknown', async () => {
    await asksAbout(await elsewhere.sendsFile(await film(), 'look'), false)
    await anna.sees('Assistant can’t watch videos')
    await asksAbout(await elsewhere.sendsContent({ hologram: {} }), false)
    await anna.sees('I can’t see what this is about')
    await nothingIsAsked()
  })
})

it('a question as the caption of paid media is asked with a picture that the bot can see, not about a preview', async () => {
  await anna.sendsContent({ ...paid, caption: 'what is it?' })
  await anna.sees('I can’t see what this is about')
  await nothingIsAsked()
  const { photo } = await anna.sendsFile(await jpeg())
  const paid_media = { star_count: 1, paid_media: [{ type: 'photo', photo }] }
  await anna.sendsContent({ paid_media, caption: 'what is it?' })
  await anna.taps(/^💬 Ask · /)
  await areAsked({ files: [image] })
})

describe('a command in reply', () => {
  it.each([
    ['to a picture', jpeg],
    ['to a picture sent as a file', png],
  ])('%s of another chat takes it as a frame', async (_, file) => {
    await anna.sends('/video a dog', toOther(await elsewhere.sendsFile(await file())))
    await anna.seesButton('Frames: 🖼')
  })

  it('takes a text, of the person or of a text model, or the quoted words as the prompt', async () => {
    const said = await anna.sends('whales sing [short]')
    const answered = await anna.sees(/short answer/)
    await anna.sends('/speech', to(said))
    await anna.sees(/whales sing \[short\][\s\S]*Price/)
    await anna.sends('/speech', to(answered))
    await anna.sees(/short answer[\s\S]*Price/)
    const before = await elsewhere.sends('Read this: gulls cry')
    await anna.sends('/speech', { ...toOther(before), quote: 'gulls cry' })
    expect((await anna.sees(/gulls cry[\s\S]*Price/)).text).not.toContain('Read this')
  })

  it('takes the text of a text file, and the words of a picture, which cannot be spoken', async () => {
    await anna.sends('/speech', toOther(await elsewhere.sendsFile(notes)))
    await anna.sees(/The tide comes twice a day\.[\s\S]*Price/)
    await anna.sends('/speech', toOther(await elsewhere.sendsFile(await jpeg(), 'whales sing')))
    await anna.sees(/whales sing[\s\S]*Price/)
    expect(await anna.transcript()).not.toContain('can’t use')
  })

  it('to something that no card takes says so', async () => {
    await anna.sends('/video a dog', to(await anna.sendsContent(story)))
    await anna.sees('/video can’t use such a file')
    await anna.taps('🎬 A video from the words alone')
    await anna.sees((message) => labelsOf(message).some((label) => label.startsWith('Generate')))
  })
})
