// Body fields of MODEL-MUSIC. `v5_5` has the limits of "V4_5 and later".

import { z } from 'zod'
import { broken, ruled, url } from './common.ts'

const share = z.number().min(0).max(1).optional()

const table = z.strictObject({
  model: z.literal('v5_5'),
  customMode: z.boolean(),
  instrumental: z.boolean(),
  callBackUrl: url,
  prompt: z.string().optional(),
  style: z.string().optional(),
  title: z.string().optional(),
  negativeTags: z.string().optional(),
  vocalGender: z.enum(['m', 'f']).optional(),
  styleWeight: share,
  weirdnessConstraint: share,
  audioWeight: share,
  personaId: z.string().optional(),
  personaModel: z.enum(['style_persona', 'voice_persona']).optional(),
})

export const music = ruled(table, ({ customMode, instrumental, prompt, style, title, personaId }) =>
  broken({
    'prompt is required': Boolean(prompt) || (customMode && instrumental),
    'prompt is too long': (prompt?.length ?? 0) <= (customMode ? 5000 : 500),
    'style is required when customMode is true': !customMode || Boolean(style),
    'title is required when customMode is true': !customMode || Boolean(title),
    'style is too long': !customMode || (style?.length ?? 0) <= 1000,
    'title is too long': !customMode || (title?.length ?? 0) <= 100,
    'personaId is for the custom mode only': customMode || personaId === undefined,
  }),
)
