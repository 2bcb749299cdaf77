// The facts of a file at an address that a user gave. Its first bytes tell what it is, and the parts in which its container keeps the length
// and the size are read, where the server gives parts. The file itself is never fetched: the gateway gets the address.

import type { FileFacts, Medium } from '../catalog/field.ts'
import { isTakenPicture, mediumOf } from '../catalog/field.ts'
import { mimeIn } from '../runtime/file-format.ts'
import { firstOf, type PublicWeb, webUrl } from '../runtime/public-web.ts'
import { bytesUpTo } from '../runtime/undici.ts'
import { type Part, partFacts, probePicture } from './convert.ts'

type RemoteFile =
  | ({ readonly ok: true; readonly medium: Medium } & FileFacts)
  /** `not-media`: a page, or a file that is neither picture nor video nor sound. */
  | { readonly ok: false; readonly reason: 'not-public' | 'unreachable' | 'not-media' }

export interface RemoteFiles {
  read(address: string): Promise<RemoteFile>
}

interface Settings {
  readonly web: PublicWeb
  /** The address of our own server, whose links are for the gateway only. */
  readonly ownUrl: string | undefined
  readonly deadlineMs?: number
}

/** The whole time for one file: the sender waits. */
const usualDeadlineMs = 15_000
/** Enough for the index of a short video. */
const partBytes = 256 * 1024
/** The index of a long film. */
const maxPartBytes = 4 * 1024 * 1024
const maxParts = 6

export function createRemoteFiles({ web, ownUrl, deadlineMs = usualDeadlineMs }: Settings): RemoteFiles {
  return {
    async read(address) {
      if (!mayBeTold(address, ownUrl)) return { ok: false, reason: 'not-public' }
      const signal = AbortSignal.timeout(deadlineMs)
      const ask = (from: number, to: number) => readPart(web, address, from, to, signal)
      const head = await ask(0, partBytes)
      if (typeof head === 'string') return { ok: false, reason: head }
      const type = mimeIn(head.bytes, head.type) ?? ''
      const medium = mediumOf(type)
      if (!medium) return { ok: false, reason: 'not-media' }
      const file = { ok: true, mime: type, ...(head.size === undefined ? {} : { bytes: head.size }) } as const
      if (medium !== 'image') return { ...file, ...(await measured(ask, head, medium, type)) }
      return { ...file, medium, ...(isTakenPicture(type) ? await probePicture(head.bytes) : {}) }
    },
  }
}

/** A link to a file at the Bot API has the bot's token in it, and it must not be repeated. */
const withToken = /bot\d+(:|%3a)/i
/** Such addresses lead nowhere (RFC 2606): in a request they stand for files of other users. */
const nowhere = /(^|\.)invalid\.?$/

function mayBeTold(address: string, ownUrl: string | undefined): boolean {
  const url = webUrl(address)
  if (!url || withToken.test(url.href) || nowhere.test(url.hostname)) return false
  return ownUrl === undefined || !url.href.startsWith(new URL(ownUrl).href)
}

interface Piece extends Part {
  /** The declared type. */
  readonly type: string
  /** In bytes, of the whole file. */
  readonly size: number | undefined
}

type Ask = (from: number, to: number) => Promise<Piece | 'not-public' | 'unreachable'>

/** The kind, the length and the pixels of a video or a sound, as far as a few parts of it tell them. */
async function measured(ask: Ask, head: Piece, said: Medium, type: string) {
  const parts: Part[] = [head]
  const { size = head.bytes.length } = head
  let facts = await partFacts(parts, size)
  for (let asked = 1; facts?.wants && asked < maxParts; asked += 1) {
    const { from, to } = facts.wants
    if (to - from > maxPartBytes) break
    const part = await ask(from, Math.min(size, Math.max(to, from + partBytes)))
    if (typeof part === 'string' || part.bytes.length < to - from) break
    parts.push(part)
    facts = (await partFacts(parts, size)) ?? facts
  }
  const { medium = said, seconds, width, height } = facts ?? {}
  return {
    medium,
    mime: type.replace(/^\w+/, medium),
    // A video of fifteen seconds ends with a sound that is some milliseconds longer.
    ...(seconds === undefined ? {} : { seconds: Math.round(seconds * 10) / 10 }),
    ...(width && height ? { width, height } : {}),
  }
}

/** Reads the bytes from `from` to before `to`, or those before `to` of a server that gives no parts. */
async function readPart(
  web: PublicWeb,
  address: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<Piece | 'not-public' | 'unreachable'> {
  const opened = await web.open(address, { signal, headers: { range: `bytes=${from}-${to - 1}` } })
  if (!opened.ok) return opened.reason === 'forbidden' ? 'not-public' : 'unreachable'
  const { statusCode, headers, body } = opened.answer
  const given = givenRange(statusCode, firstOf(headers['content-range']), firstOf(headers['content-length']))
  const enough = to - from
  const bytes = given?.at === from ? await bytesUpTo(body, enough).catch(() => undefined) : undefined
  body.destroy()
  if (!given || !bytes) return 'unreachable'
  return {
    at: from,
    bytes: bytes.subarray(0, enough),
    size: given.size,
    type: firstOf(headers['content-type']) ?? '',
  }
}

function givenRange(status: number, range = '', length = '') {
  if (status === 200) return { at: 0, size: Number(length) || undefined }
  const [, at, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? []
  return status === 206 && at !== undefined ? { at: Number(at), size: Number(size) || undefined } : undefined
}
