// A program that reads a PDF which needs more heap than V8 allows, and exits when all of its threads have ended. V8 ends the process if
// the file is read in one of its threads.

import { pdfText } from '../../../src/bot/chat/words.ts'
import { pdfOf, pdfOfManyLetters } from './pdf.ts'

/** Keeps the event loop busy, so that this process cannot watch the reader. */
function haltMs(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

async function readPdfs(): Promise<void> {
  await pdfText(pdfOf('first'))
  const reading = pdfText(pdfOfManyLetters())
  haltMs(5000)
  const texts = [await reading, await pdfText(pdfOf('next'))]
  process.stdout.write(JSON.stringify(texts))
}

await readPdfs()
