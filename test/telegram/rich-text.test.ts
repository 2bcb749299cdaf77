// A rich message as a plain text with entities.

import type { MessageEntity, Update } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { readRich, withWords } from '../../src/telegram/words.ts'

const paragraph = (text: unknown) => ({ type: 'paragraph', text })
const read = (...blocks: unknown[]) => readRich({ blocks })
const textOf = (...blocks: unknown[]) => read(...blocks).text
/** The entities with the text that each covers. */
const marksIn = (...blocks: unknown[]) => {
  const { text, entities } = read(...blocks)
  return entities.map(({ type, offset, length, ...more }: MessageEntity) => [
    type,
    text.slice(offset, offset + length),
    ...Object.values(more),
  ])
}

const formula = (expression: string) => ({ type: 'mathematical_expression', expression })
const list = (...items: object[]) => ({ type: 'list', items })
const item = (label: string, ...blocks: unknown[]) => ({ label, blocks })
const quote = { type: 'blockquote', blocks: [paragraph('be')], credit: 'Will' }
const rows = [
  [{ text: 'a' }, { text: 'b' }],
  [{ text: '1' }, {}],
]
const emoji = { type: 'custom_emoji', custom_emoji_id: '1', alternative_text: '🐈' }
const cat = { type: 'photo', photo: [], caption: { text: 'a cat' } }
const task = { ...item('', paragraph('done')), has_checkbox: true, is_checked: true }
const place = { type: 'map', location: { latitude: 1.5, longitude: 2 }, caption: { text: 'here' } }

describe('the text of a rich message', () => {
  it('is that of all kinds of blocks', () => {
    const texts: readonly (readonly [blocks: readonly unknown[], text: string])[] = [
      [[paragraph('one'), paragraph(['t', { type: 'bold', text: 'w' }, 'o'])], 'one\n\ntwo'],
      [[{ type: 'heading', size: 1, text: 'Title' }, paragraph('one')], 'Title\n\none'],
      [[{ type: 'pre', language: 'js', text: 'a()\nb()' }], 'a()\nb()'],
      [[paragraph('a'), { type: 'divider' }, { type: 'footer', text: 'b' }], 'a\n\n---\n\nb'],
      [[formula('E = mc^2')], '$E = mc^2$'],
      [[paragraph(['if ', formula('x^2')])], 'if $x^2$'],
      [
        [list(item('1.', paragraph('one'), list(item('•', paragraph('in')))), item('2.', paragraph('two')))],
        '1. one\n   • in\n2. two',
      ],
      [[list(task)], '- [x] done'],
      [[quote], 'be\nWill'],
      [[{ type: 'expandable_blockquote', text: 'long' }], 'long'],
      [[{ type: 'table', cells: rows, caption: 'sums' }], 'a | b\n1\nsums'],
      [[{ type: 'details', summary: 'more', blocks: [paragraph('inside')] }], 'more\ninside'],
      [[place], '1.5, 2\nhere'],
      [[paragraph(['a', emoji])], 'a🐈'],
      [[{ type: 'buttons', buttons: [{ text: 'yes', url: 'https://t.me' }] }], 'yes'],
      [[{ type: 'collage', blocks: [cat], caption: { text: 'pets' } }], 'a cat\npets'],
    ]
    expect(texts.map(([blocks]) => [blocks, textOf(...blocks)])).toEqual(texts)
  })

  it('is read around a part that is unknown or broken, and in an unknown part', () => {
    const unknown = { type: 'hologram', depth: 3, blocks: [paragraph('inside')] }
    const broken = [
      null,
      7,
      { type: 'list', items: 'x' },
      { type: 'table', cells: [[null]] },
      paragraph({ type: 4 }),
    ]
    expect(textOf(paragraph('one'), unknown, ...broken, paragraph('two'))).toBe('one\n\ninside\n\ntwo')
    for (const rich of [undefined, null, 'x', {}, { blocks: 'x' }]) expect(readRich(rich).text).toBe('')
  })

  it('is read as far as a nesting that Telegram allows', () => {
    let deep: unknown = paragraph('deep')
    for (let level = 0; level < 16; level += 1) deep = { type: 'blockquote', blocks: [deep] }
    expect(textOf(deep)).toBe('deep')
    for (let level = 0; level < 100_000; level += 1) deep = { type: 'blockquote', blocks: [deep] }
    expect(textOf(paragraph('one'), deep)).toBe('one')
  })
})

it('the entities of a rich message are its links, commands, mentions and code', () => {
  const command = { type: 'bot_command', text: '/chat', bot_command: '/chat' }
  const link = { type: 'url', text: ['the ', { type: 'italic', text: 'page' }], url: 'https://a.org/' }
  const bare = { type: 'url', text: 'https://b.org', url: 'https://b.org' }
  const mention = { type: 'mention', text: '@bot', username: 'bot' }
  const pre = { type: 'pre', language: 'js', text: 'a()' }
  expect(marksIn(paragraph([command, ' see ', link, ' ', bare, ' ', mention]), pre)).toEqual([
    ['bot_command', '/chat'],
    ['text_link', 'the page', 'https://a.org/'],
    ['italic', 'page'],
    ['url', 'https://b.org'],
    ['mention', '@bot'],
    ['pre', 'a()', 'js'],
  ])
})

describe('an update with a rich message', () => {
  const message = (content: object): Update => ({
    update_id: 1,
    message: {
      message_id: 1,
      date: 0,
      chat: { id: 1, type: 'private', first_name: 'Anna' },
      from: { id: 1, is_bot: false, first_name: 'Anna' },
      ...content,
    },
  })
  const sizes = [{ file_id: 'x', file_unique_id: 'x', width: 1, height: 1 }]
  const rich = (...blocks: unknown[]) => ({ rich_message: { blocks } })
  const photo = { type: 'photo', photo: sizes, caption: { text: 'a cat' } }

  it('is a photo with a caption when a picture is in it', () => {
    const { message: plain } = withWords(message(rich(paragraph('what is it?'), photo)))
    expect(plain).toMatchObject({ photo: sizes, caption: 'what is it?\n\na cat' })
    expect(plain).not.toHaveProperty('text')
  })

  it('has the file of a block, if it has an id', () => {
    const file = { file_id: 'f' }
    for (const type of ['video', 'animation', 'audio', 'document'])
      expect(withWords(message(rich({ type, [type]: file }))).message).toMatchObject({ [type]: file })
    const note = { type: 'voice_note', voice_note: { file_id: 'v' } }
    expect(withWords(message(rich(note))).message).toMatchObject({ voice: { file_id: 'v' } })
    const { message: plain } = withWords(message(rich({ type: 'video', video: {} })))
    expect(plain).not.toHaveProperty('video')
  })

  it('is read in a reply and in an edit', () => {
    const words = rich(paragraph('words'))
    const replying = withWords(message({ text: 'hm', reply_to_message: { message_id: 2, ...words } }))
    expect(replying.message?.reply_to_message).toMatchObject({ text: 'words' })
    const { message: edited } = message(words)
    const update = { update_id: 1, edited_message: { ...edited, edit_date: 1 } } as unknown as Update
    expect(withWords(update).edited_message).toMatchObject({ text: 'words' })
  })
})
