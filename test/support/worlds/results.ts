// Results in the tests of delivery: files as their server gives them, orders of them, and what the chat shows.

import { imageDesign } from '../../../src/catalog/image-design.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { music } from '../../../src/catalog/music.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { readBalance } from '../../../src/ledger/ledger.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { addShape, clip, colored, cube, glbOf, makeMp3, newModel } from '../media/media-files.ts'
import { labelsOf, type SandboxMessage } from '../users/user.ts'
import { type Delivery, file, type Made, type Serve } from './delivery.ts'

const chair = newModel()
addShape(chair, cube())
const picture = async (red: number) => file(await colored(64, 64, [red, 9, 99]).png().toBuffer(), 'image/png')

export const video = file(await clip('64x64.mp4'), 'video/mp4')
export const glb = file(await glbOf(chair), 'model/gltf-binary')
export const track = file(await makeMp3(1), 'audio/mpeg')
export const pictures = await Promise.all([picture(0), picture(80), picture(160)])
/** A file that is too large for Telegram. */
export const large: Serve = (_, res) =>
  res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 51 * 1024 * 1024 }).write('x')

type Files = readonly Serve[]
/** @param n the number of results; each costs 92.45 roubles */
export const videos = (files: Files, n = files.length) => ({
  model: videoReel,
  answers: { positivePrompt: 'a cat', numberResults: n },
  files,
})
/** @param n the number of results; each costs 5.28 roubles */
export const images = (files: Files, n = files.length) => ({
  model: imageDesign,
  answers: { prompt: 'a fox', n },
  files,
})
/** The price of `single`. */
export const singlePrice = 5_28n
/** An order of one picture. A video costs more time: its cover is made by a spawned program. */
export const single = images(pictures.slice(0, 1))
export const object3d = (files: Files) => ({ model: model3d, answers: { prompt: 'a chair' }, files })
export const speech = (files: Files) => ({ model: speechTurbo, answers: { text: 'Good morning' }, files })
export const song = (files: Files) => ({ model: music, answers: { prompt: 'a song about the sea' }, files })
/** An order whose task failed. */
export const failed = { ...videos([], 1), error: 'the cat is wet' }

export const broken: Fault = { kind: 'error', status: 500, description: 'Internal Server Error' }
export const refusal = (status: number, description: string, more = {}): Fault => ({
  ...{ kind: 'error', status, description },
  ...more,
})
/** Telegram carries out the request, but its answer is lost. */
export const unheard: Fault = { kind: 'cut', after: true }

/** What the user sees below the status message, or from it on: kinds of messages, documents by extension; `+` for buttons. */
export async function shown(
  { anna, generation }: Made,
  from: 'below' | 'status' = 'below',
): Promise<string[]> {
  const first = Number(generation.statusMessageId) + (from === 'below' ? 1 : 0)
  const later = (await anna.chat()).filter(({ message_id }) => message_id >= first)
  return later.map((message) => `${kindOf(message)}${labelsOf(message).length > 0 ? '+' : ''}`)
}

export function kindOf({ document, ...message }: SandboxMessage): string {
  if (document) return `.${document.file_name?.split('.').at(-1)}`
  return (['photo', 'video', 'voice', 'audio'] as const).find((kind) => message[kind]) ?? 'text'
}

/** The words of the newest message. */
export async function lastWords({ anna }: Made): Promise<string> {
  const { text, caption } = (await anna.chat()).at(-1) ?? {}
  return text ?? caption ?? ''
}

/** The messages about files that could not be fetched. */
export const warnings = async ({ anna }: Made) =>
  (await anna.chat()).flatMap(({ text = '' }) => (text.startsWith('⚠️') ? text : []))

export const statusOf = async ({ anna, generation }: Made) =>
  (await anna.chat()).find(({ message_id }) => message_id === generation.statusMessageId)?.text

/** What the user has paid in all. */
export const paidBy = async ({ db }: Delivery, { user }: Made) =>
  2000_00n - (await readBalance(db, user.id)).available
