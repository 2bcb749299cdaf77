// A text too long for one message (Telegram splits at 4096) comes as a file.

import type { Document } from 'grammy/types'
import type { Files } from '../../telegram/files.ts'

/** A long prompt in any script; what is longer is not a prompt. */
const textFileLimit = 64 * 1024

/** Undefined for what is not a small file of UTF-8 text, or can not be read. */
export async function readTextFile(
  files: Files,
  document: Document | undefined,
): Promise<string | undefined> {
  if (!document?.mime_type?.startsWith('text/') || (document.file_size ?? 0) > textFileLimit) return undefined
  const read = await files.read(document.file_id, textFileLimit)
  if (!read.ok) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.bytes)
  } catch {
    return undefined
  }
}
