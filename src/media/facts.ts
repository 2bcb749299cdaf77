// The facts about a media file: the answer of the decoder process that reads it.

import { z } from 'zod'

const videoFacts = z.object({
  width: z.number(),
  height: z.number(),
  /** The exact length. */
  seconds: z.number().nonnegative(),
  /** Whole seconds, from one to a day. */
  duration: z.number(),
  container: z.enum(['mp4', 'webm', 'mov']),
  /** Whether players expect this codec in an MP4. */
  isPlayed: z.boolean(),
})
const audioFacts = z.object({
  /** The exact length; Telegram requires `wholeSeconds` of it. */
  seconds: z.number().positive(),
  container: z.enum(['mp3', 'wav', 'ogg', 'flac', 'm4a', 'other']),
  codec: z.string(),
})

export const mediaFacts = z.object({ video: videoFacts.optional(), audio: audioFacts.optional() })

export type VideoFacts = Readonly<z.output<typeof videoFacts>>
export type AudioFacts = Readonly<z.output<typeof audioFacts>>
export type MediaFacts = Readonly<z.output<typeof mediaFacts>>

/** A day; Telegram treats any longer time as a day. A table of a few bytes can claim millions of years. */
const longestSeconds = 24 * 60 * 60

export const wholeSeconds = (seconds: number): number =>
  Math.min(longestSeconds, Math.max(1, Math.round(seconds)))
