// Messages beyond texts: captions, rich messages, and messages that refer to something, with which a question is asked or not at all.

import { beforeEach, describe, expect, it } from 'vitest'
import { groupOf, newGroup } from '../support/users/group.ts'
import { turnsIn } from '../support/users/order.ts'
import { film, jpeg, png, song } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf, type SandboxMessage, type SandboxUser } from '../support/users/user.ts'

const sandbox = await sharedSandbox()

let anna: SandboxUser
beforeEach(async () => {
  anna = await sandbox.user('Anna')
})

describe('A caption:', () => {
  it('/chat asks about the picture, also in a group with a capital and the name of the bot', async () => {
    const looked = /looked at what you attached/
    const member = (await newGroup(sandbox)).anna
    await anna.attaches(await jpeg(), '/chat what is on it?', looked)
    await member.attaches(await jpeg(), '/Chat@sandbox_generation_bot what is on it?', looked)
    const asked = [{ question: 'what is on it?', files: [{ medium: 'image' }] }]
    for (const one of [anna, member]) expect(await turnsIn(sandbox, one)).toMatchObject(asked)
  })

  it('other commands are answered like a text', async () => {
    for (const [caption, answer] of [
      ['/balance', /^Balance: /],
      ['/new', /A new conversation/],
      ['/topup 500', /How would you like to pay ₽500\?/],
      ['/cancel', /Nothing to cancel|is closed/],
      ['/promo NONE', /There is no such promo code/],
      ['/vidoe', /Did you mean \/video/i],
    ] as const)
      await anna.attaches(await film(), caption, answer)
  })

  it('an edited one of the last question is asked again, with the picture', async () => {
    const question = await anna.sendsFile(await jpeg(), 'what is on it?')
    await anna.sees(/looked at what you attached/)
    await anna.edits(question, 'what colour is it?')
    const again = { question: 'what colour is it?', files: [{ medium: 'image' }] }
    await expect.poll(() => turnsIn(sandbox, anna)).toMatchObject([{ question: 'what is on it?' }, again])
  })
})

describe('A rich message (Bot API 10.1):', () => {
  const paragraph = (...text: unknown[]) => ({ type: 'paragraph', text })
  const rich = (...blocks: unknown[]) => ({ rich_message: { blocks } })
  const said = (text: string) => rich(paragraph(text))
  /** A command as Telegram marks it. */
  const command = (name: string) => ({ type: 'bot_command', text: name, bot_command: name })
  const picture = ({ photo }: SandboxMessage) => ({ type: 'photo', photo })

  it('a question is asked with its lines, its links and its code', async () => {
    await anna.sendsContent(
      rich(
        { type: 'heading', size: 1, text: 'Help' },
        paragraph('what does ', { type: 'url', text: 'this page', url: 'https://a.org/' }, ' say? [short]'),
        { type: 'list', items: [{ label: '•', blocks: [paragraph('briefly')] }] },
        { type: 'pre', language: 'js', text: 'a()' },
      ),
    )
    await anna.sees(/short answer/)
    const [turn] = await turnsIn(sandbox, anna)
    expect(turn?.question).toBe(
      'Help\n\nwhat does [this page](https://a.org/) say? [short]\n\n• briefly\n\n```js\na()\n```',
    )
  })

  it('a command opens its card, also unmarked or in bold', async () => {
    await anna.sendsContent(rich(paragraph(command('/image'), ' a red fox')))
    await anna.sees(/Prompt: a red fox/)
    await anna.sendsContent(rich(paragraph('/image a ', { type: 'bold', text: 'blue' }, ' fox')))
    await anna.sees(/Prompt: a blue fox/)
    await anna.sendsContent(rich(paragraph({ type: 'bold', text: '/balance' })))
    await anna.sees(/Balance: ₽500/)
  })

  it('a question about the first of its pictures is asked with it, and says that the others are not taken', async () => {
    const photo = await anna.sendsFile(await jpeg())
    await anna.sendsContent(rich(paragraph('what is on it?'), picture(photo), picture(photo)))
    await anna.sees('I took only the first file of this message')
    await anna.tapsFor(/^💬 Answer · /, /looked at what you attached/)
    const asked = { question: 'what is on it?', files: [{ medium: 'image' }] }
    expect(await turnsIn(sandbox, anna)).toMatchObject([asked])
  })

  it('an edited question is asked again', async () => {
    const question = await anna.sendsContent(said('what is rain? [short]'))
    await anna.sees(/short answer/)
    await anna.edits(question, said('what is snow? [short]'))
    await anna.sees(/snow[\s\S]*short answer|short answer[\s\S]*snow/)
    expect((await turnsIn(sandbox, anna)).map((turn) => turn.question)).toEqual([
      'what is rain? [short]',
      'what is snow? [short]',
    ])
  })

  it('a reply to it, and a quotation of it, are asked with its words', async () => {
    const { boris: group, anna: one } = await newGroup(sandbox)
    const before = await group.sendsContent(said('Whales sing.'))
    const at = `@sandbox_generation_bot`
    await one.asks(`${at} why? [short]`, /short answer/, { reply_to: before.message_id })
    await one.sends(`${at} who? [short]`, { reply_to: before.message_id, quote: 'Whales' })
    await expect
      .poll(async () => (await turnsIn(sandbox, one)).map(({ question }) => question))
      .toEqual(['> Whales sing.\n\nwhy? [short]', '> Whales\n\nwho? [short]'])
  })

  it('a mention in a group is answered, and one with nothing that can be read with what the bot accepts', async () => {
    const { anna: one } = await newGroup(sandbox)
    const bot = { type: 'mention', text: '@sandbox_generation_bot', username: 'sandbox_generation_bot' }
    await one.sendsContent(rich(paragraph(bot, ' what is hail? [short]')))
    await one.sees(/short answer/)
    await anna.sendsContent(rich({ type: 'hologram' }))
    await anna.sees(/Send me text, a picture/)
  })
})

describe('A message that refers to something:', () => {
  /** A chat of the person with other people, from which messages can be replied to here. */
  let elsewhere: SandboxUser
  beforeEach(async () => {
    elsewhere = anna.in(await groupOf(sandbox, anna))
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
    it('a text file is asked with its text, and a picture, with another picture, with both', async () => {
      const file = await anna.sendsFile(notes)
      await anna.sees('What should I do with this file?')
      await asksAbout(file)
      const text = { question: expect.stringMatching(/notes\.txt:\n```\nThe tide comes/) }
      await areAsked(text)
      const before = await anna.sendsFile(await jpeg())
      await asksAbout(before)
      await areAsked(text, { files: [image] })
      await anna.sendsFile(await jpeg([0, 0, 9]), 'what changed?', to(before))
      await areAsked(text, {}, { files: [image, image] })
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
      for (const [file, told] of files)
        await anna.seesBelow(await asksAbout(await anna.sendsFile(await file())), told)
      for (const content of [story, paid, { hologram: {} }])
        await anna.seesBelow(await asksAbout(await anna.sendsContent(content)), unseen)
      const below = await anna.sendsContent({ text: 'what is it?', reply_to_story: story.story })
      await anna.seesBelow(below, 'I can’t see what this is about')
      await nothingIsAsked()
    })

    it('quoted words below a video is asked with these words', async () => {
      const before = await anna.sendsFile(await film(), 'whales in the sea')
      await anna.sends('how large? [short]', { ...to(before), quote: 'whales' })
      await areAsked({ question: '> whales\n\nhow large? [short]' })
    })
  })

  it('the question after “Ask about it” is asked with what it replies to', async () => {
    const before = await anna.sendsContent(poll)
    await anna.sendsFile(await jpeg())
    await anna.tapsFor(/Ask about it/, 'What would you like to know about the picture?')
    await anna.sends('is it an answer?', to(before))
    await areAsked({ question: '> Tea?\n> - yes\n\nis it an answer?', files: [image] })
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

  describe('a command in reply', () => {
    it('takes a picture of another chat, also one sent as a file, as a frame', async () => {
      for (const file of [await jpeg(), await png()]) {
        const card = await anna.asks('/video a dog', /a dog/, toOther(await elsewhere.sendsFile(file)))
        expect(labelsOf(card)).toContain('Frames: 🖼')
      }
    })

    it('takes a text, of the person or of a text model, or the quoted words as the prompt', async () => {
      const said = await anna.sends('whales sing [short]')
      const answered = await anna.sees(/short answer/)
      await anna.asks('/speech', /whales sing \[short\][\s\S]*Price/, to(said))
      await anna.asks('/speech', /short answer[\s\S]*Price/, to(answered))
      const before = await elsewhere.sends('Read this: gulls cry')
      expect(
        (await anna.asks('/speech', /gulls cry[\s\S]*Price/, { ...toOther(before), quote: 'gulls cry' }))
          .text,
      ).not.toContain('Read this')
    })

    it('takes the text of a text file, and the words of a picture, which cannot be spoken', async () => {
      await anna.asks(
        '/speech',
        /The tide comes twice a day\.[\s\S]*Price/,
        toOther(await elsewhere.sendsFile(notes)),
      )
      await anna.asks(
        '/speech',
        /whales sing[\s\S]*Price/,
        toOther(await elsewhere.sendsFile(await jpeg(), 'whales sing')),
      )
      expect(await anna.transcript()).not.toContain('can’t use')
    })

    it('to something that no card takes says so', async () => {
      await anna.asks('/video a dog', '/video can’t use such a file', to(await anna.sendsContent(story)))
      await anna.tapsFor('🎬 A video from the words alone', (message) =>
        labelsOf(message).some((label) => label.startsWith('Generate')),
      )
    })
  })
})
