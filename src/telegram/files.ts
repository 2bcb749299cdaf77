// Reads files of users from Telegram. Their URLs contain the bot token, so no URL, and no error that contains one, leaves this
// module.

import { type Api, GrammyError } from 'grammy'
import type { FileFacts } from '../catalog/field.ts'
import { bytesUpTo, type Dispatcher, request } from '../runtime/undici.ts'

export type FileRead =
  | { readonly ok: true; readonly bytes: Buffer }
  /** The file is gone, or larger than `maxBytes`: a retry is useless. */
  | { readonly ok: false; readonly reason: 'gone' | 'too-large' }
  /** `gone-or-unavailable`: Telegram does not say which of them. */
  | { readonly ok: false; readonly reason: 'unavailable' | 'gone-or-unavailable' }

export interface Files {
  read(fileId: string, maxBytes: number): Promise<FileRead>
}

/** Can also read only the beginning of a file. */
export interface FilesAndHeads extends Files {
  /** At most this number of the first bytes; undefined when they cannot be read. */
  head(fileId: string, bytes: number): Promise<Buffer | undefined>
}

export type OpenedFile =
  | {
      readonly ok: true
      /** In bytes, as Telegram states it. */
      readonly size: number | undefined
      /** The bytes as they arrive, with their number if the server states it. They end with an error when the signal aborts. */
      read(signal: AbortSignal): Promise<FileBytes | 'gone' | 'unavailable'>
    }
  | Extract<FileRead, { readonly ok: false }>

interface FileBytes {
  readonly size: number | undefined
  readonly bytes: AsyncIterable<Buffer>
}

export interface OpenFiles {
  open(fileId: string, maxBytes: number): Promise<OpenedFile>
}

/** The time limit for one file, however slowly it arrives. */
const usualTimeoutMs = 60_000
const headTimeoutMs = 10_000

/**
 * @param root of the Bot API server, which also serves the files
 * @param dispatcher its connections
 */
export function createFiles(
  api: Api,
  root: string,
  dispatcher: Dispatcher,
  timeoutMs = usualTimeoutMs,
): FilesAndHeads & OpenFiles {
  const open: OpenFiles['open'] = async (fileId, maxBytes) => {
    try {
      const { file_path: path, file_size: size } = await api.getFile(fileId)
      if (size !== undefined && size > maxBytes) return { ok: false, reason: 'too-large' }
      if (path === undefined) return { ok: false, reason: 'gone' }
      const url = `${root}/file/bot${api.token}/${path}`
      return { ok: true, size, read: (signal) => openBytes(url, dispatcher, signal) }
    } catch (error) {
      return { ok: false, reason: reasonOf(error) }
    }
  }
  return {
    open,
    async read(fileId, maxBytes) {
      const file = await open(fileId, maxBytes)
      if (!file.ok) return file
      const bytes = await firstBytes(file, maxBytes, timeoutMs)
      if (!Buffer.isBuffer(bytes)) return { ok: false, reason: bytes }
      return bytes.length > maxBytes ? { ok: false, reason: 'too-large' } : { ok: true, bytes }
    },
    async head(fileId, most) {
      const file = await open(fileId, Number.POSITIVE_INFINITY)
      const bytes = file.ok && (await firstBytes(file, most, Math.min(timeoutMs, headTimeoutMs)))
      return Buffer.isBuffer(bytes) ? bytes.subarray(0, most) : undefined
    },
  }
}

/**
 * "wrong file_id or the file is temporarily unavailable": the Bot API server also says this when Telegram's servers are overloaded or away.
 */
function reasonOf(error: unknown): 'gone' | 'gone-or-unavailable' | 'unavailable' {
  if (!(error instanceof GrammyError) || error.error_code !== 400) return 'unavailable'
  return error.description.includes('temporarily unavailable') ? 'gone-or-unavailable' : 'gone'
}

/** @returns no error, since one could contain the address */
async function openBytes(
  url: string,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<FileBytes | 'gone' | 'unavailable'> {
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher, signal })
    // A body that is not read to its end emits an error, which would be unhandled.
    body.on('error', () => undefined)
    if (statusCode === 200) return { size: Number(headers['content-length']) || undefined, bytes: body }
    body.destroy()
    return statusCode === 404 ? 'gone' : 'unavailable'
  } catch {
    return 'unavailable'
  }
}

async function firstBytes(
  file: Extract<OpenedFile, { readonly ok: true }>,
  enough: number,
  timeoutMs: number,
): Promise<Buffer | 'gone' | 'unavailable'> {
  const opened = await file.read(AbortSignal.timeout(timeoutMs))
  if (typeof opened === 'string') return opened
  return bytesUpTo(opened.bytes, enough).catch(() => 'unavailable' as const)
}

/** The fields that Telegram's kinds of files have in common. */
export interface TelegramFile {
  readonly file_id: string
  readonly file_size?: number
  readonly mime_type?: string
  readonly width?: number
  readonly height?: number
  readonly length?: number
  readonly duration?: number
}

/** The facts without the type, which is stated by whoever sent the file. Telegram gives zeros for sizes that it does not know. */
export function measuresOf({ file_size, duration, length, ...file }: TelegramFile): Omit<FileFacts, 'mime'> {
  const { width = length, height = length } = file
  return {
    ...(file_size === undefined ? {} : { bytes: file_size }),
    ...(width && height ? { width, height } : {}),
    ...(duration === undefined ? {} : { seconds: duration }),
  }
}
