// The worker thread that reads PDFs, in a process of its own (file-text.ts); importing this file starts it.

import { answerInThread } from '../../media/thread.ts'
import { readPdf } from './pdf.ts'

const limits = { maxPages: 300, maxLength: 400_000 }

answerInThread(async (bytes) => new TextEncoder().encode(await readPdf(new Uint8Array(bytes), limits)))
