// Downloads an artifact from the link that the gateway has given: from the public internet, or from the gateway itself, which may have a
// private address. Size and total time are limited (a timeout between bytes would not stop a server that sends very slowly). A file that
// came within the gateway's answer is a data URI.

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Missing } from '../../db/schema.ts'
import { type Format, formatOf } from '../../runtime/file-format.ts'
import {
  createPublicWeb,
  firstOf,
  hostAndPort,
  type PublicWeb,
  type WebSettings,
} from '../../runtime/public-web.ts'
import { bytesUpTo, type Dispatcher } from '../../runtime/undici.ts'

type Downloaded =
  | { readonly ok: true; readonly bytes: Buffer; readonly format: Format }
  | { readonly ok: false; readonly reason: Missing | 'too-large' }

export interface Downloads {
  get(url: string): Promise<Downloaded>
  close(): Promise<void>
}

export interface DownloadSettings extends Pick<WebSettings, 'resolve'> {
  /** The only host and port whose address may be private. */
  readonly gatewayUrl: string
  readonly maxBytes?: number
  readonly deadlineMs?: number
}

export function createDownloads({ gatewayUrl, resolve, ...limits }: DownloadSettings): Downloads {
  const web = createPublicWeb({ mayBePrivate: [hostAndPort(new URL(gatewayUrl))], resolve })
  return {
    get: async (address) =>
      address.startsWith('data:') ? inlineFile(address) : download(web, address, limits),
    close: web.close,
  }
}

function inlineFile(address: string): Downloaded {
  const comma = address.indexOf(',')
  const head = address.slice('data:'.length, Math.max(0, comma))
  const body = comma < 0 ? '' : address.slice(comma + 1)
  const bytes = /;base64$/i.test(head) ? Buffer.from(body, 'base64') : percentDecoded(body)
  const [type = ''] = head.split(';')
  const format = formatOf(bytes, { type, urls: [] })
  return format ? { ok: true, bytes, format } : { ok: false, reason: 'not-a-file' }
}

function percentDecoded(text: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(text))
  } catch {
    return Buffer.alloc(0)
  }
}

type Limits = Pick<DownloadSettings, 'maxBytes' | 'deadlineMs'>

/** Telegram's limit, and a time that is enough for 50 MB. */
const defaults = { maxBytes: 50 * 1024 * 1024, deadlineMs: 120_000 }

async function download(
  web: PublicWeb,
  address: string,
  { maxBytes = defaults.maxBytes, deadlineMs = defaults.deadlineMs }: Limits,
): Promise<Downloaded> {
  const opened = await web.open(address, { signal: AbortSignal.timeout(deadlineMs) })
  if (!opened.ok) return opened
  const { answer, url } = opened
  return readFile(answer, [url.href, address], maxBytes).catch(() => ({ ok: false, reason: 'unavailable' }))
}

/** @param urls the final one, and the one that the gateway gave */
async function readFile(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  urls: readonly string[],
  maxBytes: number,
): Promise<Downloaded> {
  const reason =
    refusal(statusCode) ?? (Number(headers['content-length'] ?? 0) > maxBytes ? 'too-large' : undefined)
  const received = reason ? undefined : await bytesUpTo(body, maxBytes)
  if (!received || received.length > maxBytes) {
    body.destroy()
    return { ok: false, reason: reason ?? 'too-large' }
  }
  const bytes = await unpack(received, firstOf(headers['content-encoding']) ?? '', maxBytes)
  if (!bytes) return { ok: false, reason: 'too-large' }
  const [type = ''] = (firstOf(headers['content-type']) ?? '').split(';')
  const format = formatOf(bytes, { type: type.trim(), urls })
  return format ? { ok: true, bytes, format } : { ok: false, reason: 'not-a-file' }
}

/** 202: the file is not ready yet. */
const temporary = new Set([202, 408, 425, 429])

function refusal(status: number): Missing | undefined {
  if (status >= 500 || temporary.has(status)) return 'unavailable'
  if (status >= 200 && status < 300) return undefined
  return status === 404 || status === 410 ? 'gone' : 'refused'
}

const unpackers: Readonly<
  Record<string, (bytes: Buffer, bounds: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * Decompresses a file that a server sent compressed although it was asked not to, as storages do with files that were uploaded compressed;
 * undefined when the result is larger than `maxBytes`. A file that is not compressed as `encoding` says is returned
 * unchanged: its format is recognised by its bytes.
 */
async function unpack(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer | undefined> {
  const unpacker = unpackers[encoding.trim().toLowerCase()]
  if (!unpacker) return bytes
  try {
    return await unpacker(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return isTooLarge ? undefined : bytes
  }
}
