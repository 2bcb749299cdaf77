// The text of a PDF that somebody sent. A few kilobytes can unpack to gigabytes and keep the reader busy for minutes, so this
// is for a thread: see file-text.ts.

import { getDocumentProxy } from 'unpdf'

export interface PdfLimits {
  readonly maxPages: number
  /** UTF-16 units; it may be exceeded by the last page. */
  readonly maxLength: number
}

/** The text of the first pages; empty when there is none. @throws when it is no PDF */
export async function readPdf(bytes: Uint8Array, { maxPages, maxLength }: PdfLimits): Promise<string> {
  const pdf = await getDocumentProxy(bytes)
  try {
    const pages = Math.min(pdf.numPages, maxPages)
    let text = ''
    for (let number = 1; number <= pages && text.length < maxLength; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent()
      const words = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      text += `${words.join('')}\n`
    }
    return tidy(text)
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Keeps the lines; of several spaces or empty lines one is left. PostgreSQL has no text with a NUL in it, and some fonts give one. */
const tidy = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
