// The text of a PDF. A few kilobytes can unpack to gigabytes and take minutes to read, so it runs only in decoder processes: see
// decoders.ts.

import { getDocumentProxy } from 'unpdf'

const maxPages = 300
/** The most text, in UTF-16 units. */
const maxLength = 400_000

/** The number of pages, and the text of the first ones, empty when they contain none. @throws when the bytes are not a PDF */
export async function readPdf(bytes: Buffer): Promise<{ readonly text: string; readonly pages: number }> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  try {
    const pages = Math.min(pdf.numPages, maxPages)
    let text = ''
    for (let number = 1; number <= pages && text.length < maxLength; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent()
      const words = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      text += `${words.join('')}\n`
    }
    return { text: tidy(text.slice(0, maxLength)), pages: pdf.numPages }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Collapses spaces and empty lines. Removes NUL, which some fonts produce and PostgreSQL does not store in a text. */
const tidy = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
