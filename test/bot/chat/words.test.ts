// The words of a message as Markdown for a text model, and the text that is read from documents of users, whatever bytes they contain.

import type { MessageEntity } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { readTextFile } from '../../../src/bot/cards/attachment.ts'
import { markedWords, mayHaveText, readDocument } from '../../../src/bot/chat/words.ts'
import { readPdf } from '../../../src/media/convert.ts'
import { pdfOf, pdfWithNul } from '../../support/media/pdf.ts'

/** A text, and entities that cover parts of it. */
const marked = (text: string, ...parts: [string, object][]) =>
  markedWords({
    text,
    entities: parts.map(
      ([part, entity]) => ({ offset: text.indexOf(part), length: part.length, ...entity }) as MessageEntity,
    ),
  })
const link = { type: 'text_link', url: 'https://a.org/' }
const caption_entities = [{ type: 'text_link', url: 'https://a.org/', offset: 0, length: 2 } as const]

it.each([
  ['a hidden link', marked('see this page now', ['this page', link]), 'see [this page](https://a.org/) now'],
  ['two links', marked('ab', ['a', link], ['b', link]), '[a](https://a.org/)[b](https://a.org/)'],
  ['a link in a caption', markedWords({ caption: 'it', caption_entities }), '[it](https://a.org/)'],
  [
    'code on lines of its own, with its language',
    marked('why?\na()\nb()\nhm', ['a()\nb()', { type: 'pre', language: 'js' }]),
    'why?\n```js\na()\nb()\n```\nhm',
  ],
  [
    'code within a line, fenced by more marks than it has',
    marked('x a ``` b y', ['a ``` b', { type: 'pre' }]),
    'x \n````\na ``` b\n````\n y',
  ],
  ['a quotation', marked('hm\na\nb\nc', ['a\nb\n', { type: 'blockquote' }]), 'hm\n> a\n> b\nc'],
  ['other formatting', marked('bold url', ['bold', { type: 'bold' }], ['url', { type: 'url' }]), 'bold url'],
])('the Markdown of %s', (_, markdown, expected) => expect(markdown).toBe(expected))

const textOf = async (...given: Parameters<typeof readPdf>) => (await readPdf(...given))?.text || undefined

const document = (mime_type: string, file_size = 100) => ({
  file_id: 'f',
  file_unique_id: 'u',
  file_name: 'notes.txt',
  mime_type,
  file_size,
})
const readingAll = (bytes: Buffer, mime = 'text/plain') =>
  readDocument({ files: { read: async () => ({ ok: true, bytes }) } }, document(mime))
const reading = async (bytes: Buffer, mime?: string) => (await readingAll(bytes, mime))?.quoted

describe('a document of the type PDF', () => {
  it('yields the text of its pages, of more than 300 that of the first 300', async () => {
    const pages = Array.from({ length: 400 }, (_, index) => `page ${index + 1}.`)
    const text = await textOf(pdfOf(...pages))
    expect(text?.split('\n')).toEqual(pages.slice(0, 300))
  })

  it('yields at most 400 000 characters, and as a prompt no more than a text file may have', async () => {
    // One page, with all words in one place.
    const bytes = pdfOf(`${'x'.repeat(50)}) Tj 0 0 Td (`.repeat(9000))
    expect(await textOf(bytes)).toHaveLength(400_000)
    const files = { read: async () => ({ ok: true, bytes }) as const }
    expect(await readTextFile(files, document('application/pdf'))).toHaveLength(64 * 1024)
  })

  it('yields its text without characters that PostgreSQL cannot store', async () => {
    expect(await textOf(pdfWithNul('HelloAWorld'))).toBe('HelloWorld')
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('%PDF-1.4 and then nothing')],
    ['no text', pdfOf('')],
  ])('with %s in it yields no text', async (_, bytes) => {
    expect(await textOf(bytes)).toBeUndefined()
  })
})

describe('a text file', () => {
  it('is quoted with its name', async () => {
    expect(await reading(Buffer.from('Привет'))).toBe('notes.txt:\n```\nПривет\n```')
  })

  it('in the encoding of the Russian Notepad (windows-1251) is decoded', async () => {
    expect(await reading(Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))).toContain('Привет')
  })

  it('has the length of its content without the name; an empty one yields no text', async () => {
    expect(await readingAll(Buffer.from('два 😀'))).toMatchObject({ length: 5 })
    expect(await readingAll(Buffer.alloc(0))).toBeUndefined()
  })

  it('is cut after 200 000 characters, never inside a character', async () => {
    const text = await reading(Buffer.from('😀'.repeat(200_001)))
    expect(text).toBe(`notes.txt:\n\`\`\`\n${'😀'.repeat(200_000)}\n…\n\`\`\``)
    expect(await reading(Buffer.from('😀'.repeat(200_000)))).not.toContain('…')
  })

  it.each([
    ['that is not text', Buffer.from([1, 0, 2])],
    ['of an encoding that our users do not have', Buffer.from('Größe und Länge', 'latin1')],
  ])('%s yields no text', async (_, bytes) => {
    expect(await reading(bytes)).toBeUndefined()
  })
})

it('documents above the limit of size and other media are not read at all', () => {
  expect(mayHaveText(document('application/pdf', 11 * 1024 * 1024))).toBe(false)
  expect(mayHaveText(document('video/mp4'))).toBe(false)
  expect(mayHaveText(document('application/pdf'))).toBe(true)
})
