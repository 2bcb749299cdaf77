// Just before a request is submitted, the placeholders of the user's files are replaced by the files themselves, or by links from which
// the gateway can fetch them from our server for a while.

import { mediumOf } from '../catalog/field.ts'
import {
  callbackStandIn,
  mapStrings,
  maxInlineBytes,
  maxInlineTotal,
  readStandIn,
  type StandIn,
} from '../catalog/media.ts'
import { inOrders, pictureForModel } from '../media/convert.ts'
import { mimeIn } from '../media/format.ts'
import type { FileRead, Files } from '../telegram/files.ts'

export interface MediaSource extends Files {
  /** A signed address of our own server, valid for a short time; undefined without a public address. */
  readonly link: ((one: StandIn) => string) | undefined
}

export class MediaUnavailable extends Error {
  override name = 'MediaUnavailable'
  readonly retry: Retry
  constructor(reason: string, retry: Retry) {
    super(`a file cannot be passed on: ${reason}`)
    this.retry = retry
  }
}

/** `few-times`: a later try may succeed, but the file may be gone as well. */
type Retry = 'later' | 'few-times' | 'never'

type Unread = Extract<PassedFile, { ok: false }>['reason']

const retryAfter: Readonly<Record<Unread, Retry>> = {
  gone: 'never',
  'too-large': 'never',
  unavailable: 'later',
  'gone-or-unavailable': 'few-times',
  // It could be read when it was sent, so perhaps only the machine is too busy.
  unreadable: 'few-times',
}

/** A file as a model gets it. */
type PassedFile =
  | { readonly ok: true; readonly bytes: Buffer; readonly mime: string }
  | Extract<FileRead, { ok: false }>
  /** A picture that cannot be decoded. */
  | { readonly ok: false; readonly reason: 'unreadable' }

/** Reads a file for a model. Its type is that of its bytes, and the declared one where they leave it open. */
export async function readForModel(
  files: Files,
  { file, mime: said }: Pick<StandIn, 'file' | 'mime'>,
  maxBytes: number,
): Promise<PassedFile> {
  const read = await files.read(file, maxBytes)
  if (!read.ok) return read
  const mime = mimeIn(read.bytes, said) ?? said
  if (mediumOf(mime) !== 'image') return { ...read, mime }
  const picture = await pictureForModel(read.bytes, inOrders)
  return picture ? { ok: true, ...picture } : { ok: false, reason: 'unreadable' }
}

/** @throws MediaUnavailable */
export async function putMedia(
  source: MediaSource,
  request: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const inline = { bytes: 0 }
  return mapStrings(request, async (text) => {
    // This happens only if processes have different values of PUBLIC_URL: an address that leads nowhere is never sent.
    if (text === callbackStandIn) throw new MediaUnavailable('no public address', 'never')
    const placeholder = readStandIn(text)
    return placeholder ? replacement(source, placeholder, inline) : text
  })
}

/** @param inline the total size of the files inside the request so far; Telegram does not tell the size of every file in advance */
async function replacement(
  source: MediaSource,
  placeholder: StandIn,
  inline: { bytes: number },
): Promise<string> {
  if (placeholder.via === 'link') {
    if (!source.link) throw new MediaUnavailable('no public address', 'never')
    return source.link(placeholder)
  }
  const read = await readForModel(source, placeholder, maxInlineBytes)
  if (!read.ok) throw new MediaUnavailable(read.reason, retryAfter[read.reason])
  inline.bytes += read.bytes.length
  if (inline.bytes > maxInlineTotal) throw new MediaUnavailable('the files are too large together', 'never')
  return `data:${read.mime};base64,${read.bytes.toString('base64')}`
}
