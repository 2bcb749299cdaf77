// A program that reads a PDF which needs more heap than V8 allows, and exits when all of its threads have ended. V8 ends the process if
// the file is read in one of its threads.

import { readPdf } from '../../../src/media/convert.ts'
import { pdfOf, pdfOfManyLetters } from './pdf.ts'

const textOf = async (...given: Parameters<typeof readPdf>) => (await readPdf(...given))?.text || undefined

/** Keeps the event loop busy, so that this process cannot watch the reader. */
function haltMs(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

async function readPdfs(): Promise<void> {
  await textOf(pdfOf('first'))
  const reading = textOf(pdfOfManyLetters())
  haltMs(5000)
  const texts = [await reading, await textOf(pdfOf('next'))]
  process.stdout.write(JSON.stringify(texts))
}

await readPdfs()
