// Just before a request is submitted, the stand-ins of what the user sent give way to the files themselves, or to links
// that the gateway can fetch from our server for a while.

import { mapStrings, maxInlineBytes, readStandIn, type StandIn } from '../catalog/media.ts'

/** Where files come from; nothing here knows Telegram. */
export interface MediaSource {
  read(
    file: string,
    maxBytes: number,
  ): Promise<
    | { readonly ok: true; readonly bytes: Buffer }
    | { readonly ok: false; readonly reason: 'gone' | 'too-large' | 'unavailable' }
  >
  /** A signed address of our own server that soon expires; undefined when nobody outside can reach us. */
  readonly link: ((one: StandIn) => string) | undefined
}

export class MediaUnavailable extends Error {
  override name = 'MediaUnavailable'
  /** Whether it may be there later. */
  readonly isTemporary: boolean
  constructor(reason: string) {
    super(`a file can not be passed on: ${reason}`)
    this.isTemporary = reason === 'unavailable'
  }
}

/** @throws MediaUnavailable */
export async function putMedia(
  source: MediaSource,
  request: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return mapStrings(request, async (text) => {
    const one = readStandIn(text)
    return one ? replacement(source, one) : text
  })
}

async function replacement(source: MediaSource, one: StandIn): Promise<string> {
  if (one.via === 'link') {
    if (!source.link) throw new MediaUnavailable('no public address')
    return source.link(one)
  }
  const read = await source.read(one.file, maxInlineBytes)
  if (!read.ok) throw new MediaUnavailable(read.reason)
  return `data:${one.mime};base64,${read.bytes.toString('base64')}`
}
