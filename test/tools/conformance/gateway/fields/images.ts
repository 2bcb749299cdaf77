// Body fields of MODEL-IMAGE-DESIGN and MODEL-IMAGE-PHOTO.

import { z } from 'zod'

export const design = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1),
  n: z.int().min(1).max(6).optional(),
  size: z
    .string()
    .regex(/^\d+[x:]\d+$/)
    .optional(),
  style: z.string().optional(),
  style_id: z.uuid().optional(),
  response_format: z.enum(['url', 'b64_json']).optional(),
  controls: z.record(z.string(), z.unknown()).optional(),
  async: z.boolean().optional(),
})

export const photo = z.strictObject({
  model: z.string(),
  // "English only": letters of other scripts are refused. 480 tokens are at most about 4000 characters.
  prompt: z
    .string()
    .min(1)
    .max(4000)
    .regex(/^[^\p{Script=Cyrillic}\p{Script=Han}]*$/u, 'English only'),
  numberOfImages: z.int().min(1).max(4).optional(),
  imageSize: z.enum(['1K', '2K']).optional(),
  aspectRatio: z.enum(['1:1', '3:4', '4:3', '9:16', '16:9']).optional(),
  personGeneration: z.enum(['dont_allow', 'allow_adult', 'allow_all']).optional(),
  async: z.boolean().optional(),
})
