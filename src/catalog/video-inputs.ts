// Media fields of both MODEL-VIDEO-REEL and MODEL-VIDEO-WAN: images as frames of the video, and a voice.

import { z } from 'zod'
import type { Attachment } from './attachment.ts'
import type { Answer, Flat, Label } from './field.ts'
import { imageSchema, linkSchema, media, oneFile } from './media.ts'

type Position = string | number

/** The names of the first and the last frame: strings in gateway-api.md, even the numeric ones. */
export const frameEnds = z.enum(['first', 'last', '0', '-1'])
/** "A numeric index": a whole number from zero. gateway-api.md does not say whether it counts frames or images. */
export const framePositions = z.union([frameEnds, z.int().nonnegative()])

const positionOf = (note: string): Position =>
  /^\d+$/.test(note) && !frameEnds.safeParse(note).success ? Number(note) : note

/** The first and the last frame have two names each. */
const sameFrame: Readonly<Record<string, Position>> = { first: '0', last: '-1' }

/** Whether each note is a position, and no position is used twice. */
function areFrames(position: z.ZodType<Position>, attachments: readonly Attachment[]): boolean {
  const wanted = attachments.flatMap(({ note }) => (note === undefined ? [] : [positionOf(note)]))
  const places = new Set(wanted.map((one) => sameFrame[one] ?? one))
  return wanted.every((one) => position.safeParse(one).success) && places.size === wanted.length
}

/** Images with a position are sent with it; the gateway spreads the others evenly in their order. */
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

export const hasAudio = (answer: Answer | undefined): boolean =>
  Array.isArray(answer) && answer.some(({ medium }) => medium === 'audio')

export const voice = (spec: { label: Label; hint: Label; maxSeconds?: number }) =>
  oneFile('inputs.audio', linkSchema, { ...spec, audience: 'advanced', media: ['audio'], via: 'link' })
