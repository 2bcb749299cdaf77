// Body fields of MODEL-VIDEO-WAN.

import { z } from 'zod'
import { anyImage, broken, ruled, sizeProblems, uuidOrUrl, vendorVideo } from './common.ts'

const pairs =
  '1280x720 720x1280 960x960 1088x832 832x1088 1920x1080 1080x1920 1440x1440 1632x1248 1248x1632'.split(' ')

const frame = z.union([
  anyImage,
  z.strictObject({ image: anyImage, frame: z.enum(['first', 'last', '0', '-1']).optional() }),
])

const table = z.strictObject({
  model: z.string(),
  positivePrompt: z.string().min(1).max(5000).optional(),
  negativePrompt: z.string().max(500).optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  resolution: z.enum(['720p', '1080p']).optional(),
  duration: z.int().min(1).max(15).optional(),
  seed: z.int().min(0).max(2_147_483_647).optional(),
  inputs: z
    .strictObject({
      frameImages: z.array(frame).min(1).max(2).optional(),
      referenceImages: z.array(anyImage).min(1).optional(),
      referenceVideos: z.array(uuidOrUrl).min(1).optional(),
      audio: uuidOrUrl.optional(),
    })
    .optional(),
  settings: z
    .strictObject({
      audio: z.boolean().optional(),
      promptEnhancer: z.boolean().optional(),
      shotType: z.enum(['single', 'multi']).optional(),
    })
    .optional(),
  ...vendorVideo,
})

export const wan = ruled(table, (body) => {
  const { frameImages, referenceImages, referenceVideos } = body.inputs ?? {}
  const given = [frameImages, referenceImages, referenceVideos].filter((one) => one !== undefined)
  const hasReferences = referenceImages !== undefined || referenceVideos !== undefined
  return [
    ...sizeProblems(body, pairs),
    ...broken({
      'positivePrompt is required without frameImages': Boolean(body.positivePrompt ?? frameImages),
      'frameImages, referenceImages and referenceVideos are incompatible': given.length <= 1,
      'at most 10 seconds with references': !hasReferences || (body.duration ?? 5) <= 10,
      'multi requires references': body.settings?.shotType !== 'multi' || hasReferences,
    }),
  ]
})
