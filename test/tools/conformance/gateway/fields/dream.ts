// Body fields of MODEL-VIDEO-DREAM.

import { z } from 'zod'
import { url } from './common.ts'

const keyframe = z.union([
  z.strictObject({ type: z.literal('image'), url }),
  z.strictObject({ type: z.literal('generation'), id: z.string() }),
])

export const dream = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1),
  resolution: z.enum(['540p', '720p', '1080p', '4k']).optional(),
  duration: z.enum(['5s', '9s']).optional(),
  aspect_ratio: z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9']).optional(),
  loop: z.boolean().optional(),
  keyframes: z.strictObject({ frame0: keyframe.optional(), frame1: keyframe.optional() }).optional(),
  concepts: z.array(z.strictObject({ key: z.string() })).optional(),
  callback_url: url.optional(),
})
