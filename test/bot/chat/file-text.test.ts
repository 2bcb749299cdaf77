// The text that is read from documents of users, whatever bytes they contain.

import { describe, expect, it } from 'vitest'
import { mayHaveText, readDocument, readPdf } from '../../../src/bot/chat/words.ts'
import { pdfOf, pdfWithNul } from '../../support/media/pdf.ts'

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
  it('yields the text of its pages', async () => {
    expect(await textOf(pdfOf('First page', 'Second page'))).toBe('First page\nSecond page')
  })

  it('of more than 300 pages yields the text of the first 300', async () => {
    const pages = Array.from({ length: 400 }, (_, index) => `page ${index + 1}.`)
    const text = await textOf(pdfOf(...pages))
    expect(text?.split('\n')).toEqual(pages.slice(0, 300))
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
