// Files that users send in scenarios, and the gateway's record of the requests with them.

import { z } from 'zod'
import { clip, colored, makeMp3, type Rgb } from '../media/media-files.ts'
import type { TestSandbox } from './sandbox.ts'
import type { FileToSend } from './user.ts'

export const jpeg = async (color: Rgb = [200, 30, 30]): Promise<FileToSend> => ({
  kind: 'photo',
  name: 'picture.jpg',
  bytes: await colored(320, 240, color).jpeg().toBuffer(),
})

/** A picture that is sent as a file, without compression. */
export const png = async (color: Rgb = [30, 30, 200]): Promise<FileToSend> => ({
  kind: 'document',
  name: 'picture.png',
  bytes: await colored(320, 240, color).png().toBuffer(),
})

export const film = async (): Promise<FileToSend> => ({
  kind: 'video',
  name: 'film.mp4',
  bytes: await clip('1920x1088.mp4'),
})

let sung: Promise<Buffer> | undefined

export async function song(): Promise<FileToSend> {
  sung ??= makeMp3(2)
  return { kind: 'audio', name: 'song.mp3', bytes: await sung }
}

export const dataUri = (mime: string, { bytes }: FileToSend): string =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`

const account = z.object({
  charged: z.int(),
  requests: z.array(
    z.object({ method: z.string(), path: z.string(), body: z.record(z.string(), z.unknown()).optional() }),
  ),
})

/** The gateway's newest request of any text operation, with its path, as JSON. */
export async function lastAsked(sandbox: TestSandbox): Promise<string> {
  const { requests } = account.parse(await sandbox.get('/api/gateway/account'))
  const isText = ({ path }: { path: string }) => /completions|messages|responses|generateContent/.test(path)
  return JSON.stringify(requests.findLast(isText) ?? {})
}

/** The bodies of all orders at the gateway, oldest first. The gateway shortens long texts in them. */
export async function ordered(sandbox: TestSandbox, path: RegExp = /generations$|speech$/) {
  const { requests } = account.parse(await sandbox.get('/api/gateway/account'))
  return requests.filter((one) => one.method === 'POST' && path.test(one.path)).map(({ body }) => body ?? {})
}
