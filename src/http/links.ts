// Links by which the gateway fetches files that users sent. They are signed, valid for a day, and contain Telegram's file id, so nothing is
// stored.

import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { StandIn } from '../catalog/media.ts'
import type { Clock } from '../runtime/clock.ts'
import { dayMs } from '../runtime/durations.ts'
import { isSame } from '../runtime/is-same.ts'

export interface Links {
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

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-wav': 'wav',
}

const extensionOf = (mime: string): string =>
  extensions[mime] ?? (/^\w+\/([a-z0-9]{2,5})$/.exec(mime)?.[1] || 'bin')
