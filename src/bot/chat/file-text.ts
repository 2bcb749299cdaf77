// Reads the text of a document, within limits of bytes, memory, pages and time.

import type { Document } from 'grammy/types'
import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import { decode, filesOfUsers } from '../../media/decoders.ts'
import { plainTextOf } from '../../media/plain-text.ts'
import { cutTo } from '../../runtime/cut-text.ts'
import type { Files } from '../../telegram/files.ts'
import { shownName } from '../../users/name.ts'

const maxFileBytes = 10 * 1024 * 1024
/** Code points of a file's name, which is paid for as a part of the question. */
const longestName = 100
/** Code points of a file's text; the rest is left out. */
const maxFileText = 200_000
const pdfLimits = { timeoutMs: 20_000, gate: filesOfUsers }
/** Processor time for one PDF. Three hundred pages take a second or two; a few kilobytes of nested forms would take for ever. */
const pdfCpuMs = 8000

/** The facts of a document that are needed to read it. */
export type Readable = Pick<Document, 'file_id'> &
  Partial<Pick<Document, 'file_name' | 'mime_type' | 'file_size'>>

/** Whether the size and the type of a document allow that it contains text; its bytes decide. */
export const mayHaveText = ({ file_size: size = 0, mime_type: mime = '' }: Readable): boolean =>
  size <= maxFileBytes && !/^(image|video|audio)\//.test(mime)

interface DocumentText {
  /** The name and the text of the file, as they are sent to a text model. */
  readonly quoted: string
  /** Code points of the text alone. */
  readonly length: number
}

/** @returns undefined unless the document is a text or a PDF with text */
export async function readDocument(
  { files }: { readonly files: Files },
  { file_id: fileId, file_name: name = '', mime_type: mime = '' }: Readable,
): Promise<DocumentText | undefined> {
  const read = await files.read(fileId, maxFileBytes)
  if (!read.ok) return undefined
  const isPdf = mime === 'application/pdf' || read.bytes.indexOf('%PDF-') === 0
  const text = beginningOf((isPdf ? await pdfText(read.bytes) : documentText(read.bytes)) ?? '')
  const called = cutTo(shownName(name), longestName) || 'file'
  if (text === '') return undefined
  return { quoted: `${called}:\n\`\`\`\n${text}\n\`\`\``, length: codePoints(text) }
}

/** A file that contains a NUL character is taken for binary data. */
function documentText(bytes: Buffer): string | undefined {
  const text = plainTextOf(bytes)
  return text?.includes('\0') ? undefined : text
}

export async function pdfText(bytes: Buffer, cpuMs = pdfCpuMs): Promise<string | undefined> {
  return (await decode('pdf', bytes, z.string(), { ...pdfLimits, cpuMs })) || undefined
}

function beginningOf(text: string): string {
  const cut = cutTo(text, maxFileText)
  return cut === text ? text : `${cut}\n…`
}
