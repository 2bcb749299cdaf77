// Pictures of users on their way to a model. All of them pass here, so that a model gets only what every model takes: see pictures.ts.

import { z } from 'zod'
import { maxInlineBytes } from '../catalog/media.ts'
import { decode, filesOfUsers } from './decoders.ts'

const picture = z.object({
  bytes: z.instanceof(Buffer),
  mime: z.enum(['image/jpeg', 'image/png', 'image/webp']),
})

/** The largest pictures that are not reduced. */
interface Limits {
  readonly bytes: number
  /** Pixels of the longer side. */
  readonly side: number
}
/** Models look at no more pixels, and the request stays in memory as long as the answer is being written. */
export const inQuestions: Limits = { bytes: 1024 * 1024, side: 2048 }
/** The size of a frame in 4K. */
export const inOrders: Limits = { bytes: maxInlineBytes, side: 4096 }

/** @returns undefined when the picture cannot be decoded here */
export const pictureForModel = (
  bytes: Buffer,
  options: Limits,
): Promise<z.output<typeof picture> | undefined> =>
  decode('picture', bytes, picture, { timeoutMs: 60_000, gate: filesOfUsers, options })
