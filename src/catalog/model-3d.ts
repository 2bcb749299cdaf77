// MODEL-3D-TEXT: text to a 3D model, billed by a table of its paid options. Source: gateway-api.md, "3D generation:
// MODEL-3D-TEXT".

import { z } from 'zod'
import { type Answers, sameInAll } from './field.ts'
import { choice, number, seed, text, toggle } from './fields.ts'
import { oneFile } from './media.ts'
import { defineModel } from './model.ts'

const perRequest = (roubles: string) => ({ roubles, per: 1 })

/** The rates by mode, resolution of the geometry and paid options. */
const rates = {
  'preview standard': perRequest('128'),
  'preview standard rigging': perRequest('160'),
  'preview standard rigging animation': perRequest('179'),
  'preview 2k': perRequest('160'),
  'preview 2k rigging': perRequest('192'),
  'preview 2k rigging animation': perRequest('211'),
  'preview 4k': perRequest('192'),
  'preview 4k rigging': perRequest('223'),
  'preview 4k rigging animation': perRequest('243'),
  'full standard': perRequest('192'),
  'full standard rigging': perRequest('223'),
  'full standard rigging animation': perRequest('243'),
  'full 2k': perRequest('223'),
  'full 2k rigging': perRequest('255'),
  'full 2k rigging animation': perRequest('275'),
  'full 4k': perRequest('255'),
  'full 4k rigging': perRequest('287'),
  'full 4k rigging animation': perRequest('306'),
} as const

function extras(rigging: boolean, animation: boolean) {
  if (animation) return ' rigging animation'
  return rigging ? ' rigging' : ''
}

const isRigged = ({ enable_rigging }: Answers) => enable_rigging === true
const isAnimated = (all: Answers) => isRigged(all) && all.enable_animation === true

const prompt = text('prompt', {
  label: 'field-prompt',
  hint: 'hint-3d-prompt',
  audience: 'asked',
  required: true,
  max: 600,
})

const cardFields = [
  choice('mode', {
    label: 'field-mode',
    hint: 'hint-3d-mode',
    pricedHint: 'hint-3d-mode-priced',
    audience: 'card',
    values: ['preview', 'full'],
    labels: { preview: 'option-preview', full: 'option-full' },
    default: 'full',
  }),
  choice('model_type', {
    label: 'field-mesh',
    audience: 'advanced',
    values: ['standard', 'lowpoly', 'smart-topology'],
    labels: {
      standard: 'option-standard',
      lowpoly: sameInAll('Low poly'),
      'smart-topology': 'option-smart',
    },
    default: 'standard',
  }),
  choice('geometry_resolution', {
    label: 'field-geometry',
    hint: 'hint-3d-geometry-resolution',
    audience: 'card',
    values: ['standard', '2k', '4k'],
    labels: { standard: 'option-standard' },
    default: 'standard',
    when: ({ model_type }) => model_type === 'standard',
  }),
  toggle('enable_rigging', {
    label: 'field-rigging',
    hint: 'hint-3d-enable-rigging',
    audience: 'card',
    default: false,
  }),
  toggle('enable_animation', {
    label: 'field-animation',
    hint: 'hint-3d-enable-animation',
    audience: 'card',
    default: false,
    when: isRigged,
  }),
] as const

const lookFields = [
  text('texture_prompt', {
    label: 'field-texture-prompt',
    hint: 'hint-3d-texture-prompt',
    audience: 'advanced',
    max: 600,
  }),
  // A URL only: gateway-api.md allows neither an id nor data here.
  oneFile('texture_image', z.url({ protocol: /^https?$/ }), {
    label: 'field-texture-sample',
    hint: 'hint-3d-texture-image',
    audience: 'advanced',
    media: ['image'],
    via: 'link',
  }),
  toggle('enable_pbr', {
    label: 'field-pbr-materials',
    hint: 'hint-3d-enable-pbr',
    audience: 'advanced',
    default: false,
  }),
] as const

const meshFields = [
  choice('topology', {
    label: 'field-faces',
    audience: 'advanced',
    values: ['triangle', 'quad'],
    labels: {
      triangle: 'option-triangles',
      quad: 'option-quads',
    },
    default: 'triangle',
    columns: 2,
  }),
  number('target_polycount', {
    label: 'field-number-of-faces',
    hint: 'hint-3d-target-polycount',
    audience: 'advanced',
    min: 100,
    max: 300_000,
    integer: true,
    default: 30_000,
    suggestions: [5000, 15_000, 30_000, 100_000, 300_000],
  }),
  toggle('should_remesh', {
    label: 'field-rebuild-the-mesh',
    audience: 'advanced',
    default: true,
  }),
  choice('symmetry_mode', {
    label: 'field-symmetry',
    audience: 'advanced',
    values: ['off', 'auto', 'on'],
    labels: {
      off: 'option-off',
      auto: 'option-auto',
      on: 'option-on',
    },
    default: 'auto',
  }),
] as const

const bodyFields = [
  choice('pose_mode', {
    label: 'field-pose',
    hint: 'hint-3d-pose-mode',
    audience: 'advanced',
    values: ['a-pose', 't-pose'],
    labels: { 'a-pose': 'option-a-pose', 't-pose': 'option-t-pose' },
    columns: 2,
  }),
  number('rigging_height_meters', {
    label: 'field-height',
    hint: 'hint-3d-rigging-height-meters',
    audience: 'advanced',
    min: 0.01,
    // gateway-api.md gives no maximum.
    max: Number.MAX_SAFE_INTEGER,
    suggestions: [0.5, 1, 1.7, 3],
    unit: 'unit-metres',
    when: isRigged,
  }),
  number('animation_action_id', {
    label: 'field-motion-number',
    hint: 'hint-3d-animation-action-id',
    audience: 'advanced',
    min: 0,
    max: 696,
    integer: true,
    when: isAnimated,
  }),
] as const

export const model3d = defineModel({
  id: 'MODEL-3D-TEXT',
  label: 'model-3d',
  modality: 'object3d',
  commands: ['model3d'],
  capabilities: ['async', 'text-to-3D'],
  status: 'active',
  endpoint: '/v1/object3d/generations',
  mode: 'async',
  callbackPath: undefined,
  fields: [prompt, ...cardFields, ...lookFields, ...meshFields, ...bodyFields, seed()],
  rules: [
    {
      kind: 'values',
      when: { model_type: ['lowpoly', 'smart-topology'] },
      path: 'geometry_resolution',
      values: ['standard'],
    },
    { kind: 'limit', when: { model_type: ['smart-topology'] }, path: 'target_polycount', max: 15_000 },
    { kind: 'values', when: { enable_rigging: [false] }, path: 'enable_animation', values: [false] },
  ],
  rates,
  cost: ({ mode, geometry_resolution, enable_rigging, enable_animation }) => ({
    unit: 'request',
    quantity: 1,
    rate: `${mode} ${geometry_resolution}${extras(enable_rigging, enable_animation)}`,
    count: 1,
  }),
  delivers: () => ({ kind: 'model3d', count: 1 }),
})
