// Body fields of MODEL-3D-TEXT.

import { z } from 'zod'
import { broken, ruled, url } from './common.ts'

const table = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1).max(600),
  mode: z.enum(['preview', 'full']).optional(),
  model_type: z.enum(['standard', 'lowpoly', 'smart-topology']).optional(),
  topology: z.enum(['triangle', 'quad']).optional(),
  target_polycount: z.int().min(100).max(300_000).optional(),
  should_remesh: z.boolean().optional(),
  symmetry_mode: z.enum(['off', 'auto', 'on']).optional(),
  enable_pbr: z.boolean().optional(),
  pose_mode: z.enum(['a-pose', 't-pose']).optional(),
  texture_prompt: z.string().max(600).optional(),
  texture_image: url.optional(),
  geometry_resolution: z.enum(['standard', '2k', '4k']).optional(),
  enable_rigging: z.boolean().optional(),
  rigging_height_meters: z.number().min(0.01).optional(),
  enable_animation: z.boolean().optional(),
  animation_action_id: z.int().min(0).max(696).optional(),
  seed: z.int().optional(),
})

export const object3d = ruled(table, (body) =>
  broken({
    'smart-topology has at most 15000 polygons':
      body.model_type !== 'smart-topology' || (body.target_polycount ?? 0) <= 15_000,
    '2k and 4k only with model_type standard':
      (body.geometry_resolution ?? 'standard') === 'standard' ||
      (body.model_type ?? 'standard') === 'standard',
    'enable_animation requires enable_rigging': !body.enable_animation || body.enable_rigging === true,
  }),
)
