// The files that both MODEL-VIDEO-REEL and MODEL-VIDEO-WAN take: pictures as frames of the video, and a voice.

import { z } from 'zod'
import type { Attachment } from './attachment.ts'
import type { Answer, Flat, Label } from './field.ts'
import { imageSchema, linkSchema, media, oneFile } from './media.ts'

type Position = string | number

/** The names of the two ends, which are strings in the document, also where they look like numbers. */
export const frameEnds = z.enum(['first', 'last', '0', '-1'])
/** "A numeric index" is a whole number from zero here; of what, frames or pictures, the document does not say. */
export const framePositions = z.union([frameEnds, z.int().nonnegative()])

const positionOf = (note: string): Position =>
  /^\d+$/.test(note) && !frameEnds.safeParse(note).success ? Number(note) : note

/** The first and the last frame have two names each. */
const sameFrame: Readonly<Record<string, Position>> = { first: '0', last: '-1' }

/** Whether each note is a position, and no two pictures want to stand in the same. */
function areFrames(position: z.ZodType<Position>, attachments: readonly Attachment[]): boolean {
  const wanted = attachments.flatMap(({ note }) => (note === undefined ? [] : [positionOf(note)]))
  const places = new Set(wanted.map((one) => sameFrame[one] ?? one))
  return wanted.every((one) => position.safeParse(one).success) && places.size === wanted.length
}

/** Pictures with a position are sent with it, the others plain: in their order, as the gateway spreads them. */
export function frameImages(max: number, position: z.ZodType<Position>, hint: Label) {
  const item = z.union([imageSchema, z.strictObject({ image: imageSchema, frame: position })])
  return media(
    'frames',
    { 'inputs.frameImages': z.array(item).min(1).max(max) },
    {
      label: 'field-frames',
      hint,
      audience: 'card',
      media: ['image'],
      via: 'data',
      caption: 'frame',
      max,
      fits: (attachments) => areFrames(position, attachments),
    },
    (attachments, url): Flat => ({
      'inputs.frameImages': attachments.map((one) =>
        one.note === undefined ? url(one) : { image: url(one), frame: positionOf(one.note) },
      ),
    }),
  )
}

/** Whether files were sent in answer to a field. */
export const areGiven = (answer: Answer | undefined) => Array.isArray(answer) && answer.length > 0

export const voice = (spec: { label: Label; hint: Label; maxSeconds?: number }) =>
  oneFile('inputs.audio', linkSchema, { ...spec, audience: 'advanced', media: ['audio'], via: 'link' })
