// Files of users at signed links: a picture as models take it, any other file as Telegram sends it, in pieces and never held as a whole. How
// many are sent at once, and for how long, is limited, since a reader need not read.

import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { mediumOf } from '../catalog/field.ts'
import { maxFileBytes, type StandIn } from '../catalog/media.ts'
import { inOrders, pictureForModel } from '../media/convert.ts'
import { type Clock, dayMs, minuteMs } from '../runtime/clock.ts'
import { extensionOf, headBytes, mimeIn } from '../runtime/file-format.ts'
import { isSame } from '../runtime/ids.ts'
import type { FileRead, OpenedFile, OpenFiles } from '../telegram/files.ts'
import { end } from './request.ts'

export interface FileDeps {
  readonly clock: Clock
  readonly links: Links
  readonly files: OpenFiles
}

type Link = NonNullable<ReturnType<Links['read']>>

const most = { inAll: 32, ofOneFile: 8 }
const retryAfterSeconds = 10
/** From the request to the last byte. */
const sendWithinMs = 2 * minuteMs

export function createFileRoute({ clock, links, files }: FileDeps) {
  const sending: string[] = []
  const isFull = (file: string) =>
    sending.length >= most.inAll || sending.filter((one) => one === file).length >= most.ofOneFile

  return async (req: IncomingMessage, res: ServerResponse, path: string): Promise<void> => {
    const link = links.read(path)
    if (!link) return end(res, 404)
    if (isFull(link.file)) return endFull(res)
    sending.push(link.file)
    const over = new AbortController()
    const ended = new AbortController()
    res.once('close', () => over.abort())
    void clock.wait(sendWithinMs, ended.signal).then(() => {
      if (ended.signal.aborted) return
      over.abort()
      res.destroy()
    })
    try {
      await answer(req, res, link, await files.open(link.file, maxFileBytes), over.signal)
    } finally {
      ended.abort()
      sending.splice(sending.indexOf(link.file), 1)
    }
  }
}

function endFull(res: ServerResponse): void {
  res.setHeader('retry-after', retryAfterSeconds)
  end(res, 503)
}

type Failed = Extract<FileRead, { readonly ok: false }>['reason']

const statusOf = (reason: Failed): number => (reason === 'gone' || reason === 'too-large' ? 404 : 503)

async function answer(
  { method }: IncomingMessage,
  res: ServerResponse,
  { mime }: Link,
  opened: OpenedFile,
  signal: AbortSignal,
): Promise<void> {
  if (!opened.ok) return end(res, statusOf(opened.reason))
  // The size of a picture is known when it has been brought into the form that models take.
  const size = mediumOf(mime) === 'image' ? undefined : opened.size
  if (method === 'HEAD') return void res.writeHead(200, headersOf(mime, size)).end()
  const body = await opened.read(signal)
  if (typeof body === 'string') return end(res, statusOf(body))
  const pieces = body.bytes[Symbol.asyncIterator]()
  const head = await firstOf(pieces).catch(() => undefined)
  if (head === undefined) return end(res, 503)
  const type = mimeIn(head, mime) ?? mime
  if (mediumOf(type) === 'image') return sendPicture(res, rest(head, pieces), signal)
  res.writeHead(200, headersOf(type, body.size))
  await send(res, rest(head, pieces), signal)
}

async function sendPicture(
  res: ServerResponse,
  pieces: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await buffer(pieces).catch(() => undefined)
  const picture = bytes && (await pictureForModel(bytes, inOrders))
  if (!picture) return end(res, 503)
  res.writeHead(200, headersOf(picture.mime, picture.bytes.length))
  await send(res, [picture.bytes], signal)
}

/** A reader that hangs up, or a file that breaks off, ends the connection; nobody is left to be told. */
const send = (
  res: ServerResponse,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> => pipeline(pieces, res, { signal }).catch(() => void res.destroy())

/** The headers prevent a browser from showing the file as a page: its type may be what the sender stated. */
const headersOf = (mime: string, size: number | undefined) => ({
  'content-type': mime,
  ...(size === undefined ? {} : { 'content-length': size }),
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
})

/** As much as shows the type of the file. */
async function firstOf(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < headBytes) {
    const { done, value } = await pieces.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  return head
}

async function* rest(head: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

// Links by which the gateway fetches files that users sent. They are signed, valid for a day, and contain Telegram's file id, so nothing is
// stored.

interface Links {
  /** The path of a file, to be appended to the public address. */
  path(one: StandIn): string
  /** @returns undefined for an invalid signature or an expired link */
  read(path: string): { readonly file: string; readonly mime: string } | undefined
}

/** How long a link is valid: longer than a task waits in the gateway's queue. */
const lifetimeMs = dayMs

const claims = z.tuple([z.string(), z.string(), z.number()])

/** @param secret known only to this installation and the same in all its processes */
export function createLinks(secret: string, clock: Clock): Links {
  const key = createHmac('sha256', 'file links').update(secret).digest()
  const sign = (payload: string) => createHmac('sha256', key).update(payload).digest('base64url')
  return {
    path({ file, mime }) {
      const claim = JSON.stringify([file, mime, clock.now().getTime() + lifetimeMs])
      const payload = Buffer.from(claim).toString('base64url')
      // Some readers derive the file type from the end of the address.
      return `/files/${payload}.${sign(payload)}/file.${extensionOf(mime)}`
    },
    read(path) {
      const [, payload = '', signature = ''] = /^\/files\/([\w-]+)\.([\w-]+)\/file\.\w+$/.exec(path) ?? []
      if (!isSame(signature, sign(payload))) return undefined
      const [file, mime, until] = claimsIn(payload) ?? ['', '', 0]
      return clock.now().getTime() < until ? { file, mime } : undefined
    },
  }
}

/** @returns undefined for claims that another version of this app signed */
function claimsIn(payload: string) {
  try {
    return claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
