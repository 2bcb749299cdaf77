// Body fields of MODEL-VIDEO-REEL.

import { z } from 'zod'
import { anyImage, broken, ruled, sizeProblems, uuidOrUrl, vendorVideo } from './common.ts'

const pairs =
  '848x480 480x848 736x560 560x736 640x640 1280x720 720x1280 1088x832 832x1088 960x960 1920x1088 1088x1920 1664x1248 1248x1664 1440x1440'.split(
    ' ',
  )

const tag = z.string().startsWith('@')

const group = z.strictObject({
  type: z.enum(['image', 'grid']),
  images: z.array(anyImage).min(1).max(5),
  tag,
  audio: uuidOrUrl.optional(),
})

const frame = z.union([
  anyImage,
  z.strictObject({
    image: anyImage,
    frame: z.union([z.enum(['first', 'last', '0', '-1']), z.int()]).optional(),
  }),
])

const table = z.strictObject({
  model: z.string(),
  positivePrompt: z.string().min(1).max(5120),
  width: z.int().optional(),
  height: z.int().optional(),
  resolution: z.enum(['480p', '720p', '1080p']).optional(),
  duration: z.number().min(3).max(15).optional(),
  seed: z.int().optional(),
  inputs: z
    .strictObject({
      referenceImages: z.array(group).min(1).max(3).optional(),
      frameImages: z.array(frame).min(1).max(8).optional(),
      referenceVideos: z
        .array(z.strictObject({ type: z.enum(['reference', 'extend']), video: uuidOrUrl, tag }))
        .length(1)
        .optional(),
      audio: uuidOrUrl.optional(),
    })
    .optional(),
  settings: z
    .strictObject({ audio: z.boolean().optional(), promptExtend: z.boolean().optional() })
    .optional(),
  ...vendorVideo,
})

export const reel = ruled(table, (body) => {
  const { referenceImages: groups, referenceVideos } = body.inputs ?? {}
  return [
    ...sizeProblems(body, pairs),
    ...broken({
      'referenceImages are incompatible with referenceVideos': !groups || !referenceVideos,
      'all groups share one type': new Set(groups?.map(({ type }) => type)).size <= 1,
      'exactly one group of type grid': groups?.[0]?.type !== 'grid' || groups.length === 1,
    }),
  ]
})
