// The text of a document that somebody sent, within limits of bytes, memory, pages and time.

import type { Document } from 'grammy/types'
import { createGate } from '../../media/gate.ts'
import { runInThread } from '../../media/thread.ts'
import type { BotDeps } from '../context.ts'

const maxFileBytes = 10 * 1024 * 1024
/** Code points of one file; the rest is left out. */
const maxFileText = 200_000
const pdfWorker = new URL('./pdf-worker.ts', import.meta.url)
/** Of its own, so that what strangers send never holds up the delivery of results. */
const pdfLimits = { timeoutMs: 20_000, memoryBytes: 256 * 1024 * 1024, gate: createGate(2) }

/** Whether a question can have the text of this document in it; its bytes decide whether there is any. */
export const mayHaveText = ({ file_size: size = 0, mime_type: mime = '' }: Document): boolean =>
  size <= maxFileBytes && !/^(image|video|audio)\//.test(mime)

/** The name and the text of a document, for a model. Undefined for what is neither text nor a PDF with text. */
export async function readDocument(
  { files }: Pick<BotDeps, 'files'>,
  { file_id: fileId, file_name: name = 'file', mime_type: mime = '' }: Document,
): Promise<string | undefined> {
  const read = await files.read(fileId, maxFileBytes)
  if (!read.ok) return undefined
  const text = mime === 'application/pdf' ? await pdfText(read.bytes) : plainText(read.bytes)
  return text && `${name}:\n\`\`\`\n${shortened(text)}\n\`\`\``
}

export async function pdfText(bytes: Buffer): Promise<string | undefined> {
  const text = await runInThread(pdfWorker, bytes, pdfLimits)
  return text?.toString() || undefined
}

function plainText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A code point is one or two UTF-16 units. */
function shortened(text: string): string {
  const points = [...text.slice(0, 2 * maxFileText + 2)]
  return points.length > maxFileText ? `${points.slice(0, maxFileText).join('')}\n…` : text
}
