// MODEL-3D-TEXT: text to a 3D model, billed by a table of its paid options. Source: gateway-api.md, "3D generation:
// MODEL-3D-TEXT".

import { z } from 'zod'
import { seed } from './common-fields.ts'
import type { Answers } from './field.ts'
import { choice, number, text, toggle } from './fields.ts'
import { oneFile } from './media.ts'
import { defineModel } from './model.ts'

const perRequest = (roubles: string) => ({ roubles, per: 1 })

/** By mode, resolution of the geometry, and what is paid extra. */
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
  label: { ru: 'Описание', en: 'Prompt' },
  hint: {
    ru: 'Опишите один предмет или персонажа: что это, какой формы, из чего сделан. До 600 символов.',
    en: 'Describe one object or character: what it is, its shape, what it is made of. Up to 600 characters.',
  },
  audience: 'asked',
  required: true,
  max: 600,
})

const cardFields = [
  choice('mode', {
    label: { ru: 'Режим', en: 'Mode' },
    hint: { ru: 'Предпросмотр дешевле.', en: 'The preview is cheaper.' },
    audience: 'card',
    values: ['preview', 'full'],
    labels: { preview: { ru: 'Предпросмотр', en: 'Preview' }, full: { ru: 'Полный', en: 'Full' } },
    default: 'full',
  }),
  choice('model_type', {
    label: { ru: 'Сетка', en: 'Mesh' },
    audience: 'card',
    values: ['standard', 'lowpoly', 'smart-topology'],
    labels: {
      standard: { ru: 'Обычная', en: 'Standard' },
      lowpoly: { ru: 'Low poly', en: 'Low poly' },
      'smart-topology': { ru: 'Умная', en: 'Smart' },
    },
    default: 'standard',
  }),
  choice('geometry_resolution', {
    label: { ru: 'Точность формы', en: 'Geometry' },
    hint: {
      ru: '2k и 4k стоят дороже и есть только у обычной сетки.',
      en: '2k and 4k cost more and exist for the standard mesh only.',
    },
    audience: 'card',
    values: ['standard', '2k', '4k'],
    labels: { standard: { ru: 'Обычная', en: 'Standard' } },
    default: 'standard',
    when: ({ model_type }) => model_type === 'standard',
  }),
  toggle('enable_rigging', {
    label: { ru: 'Скелет', en: 'Rigging' },
    hint: { ru: 'Кости, чтобы модель двигалась; платно.', en: 'Bones that let it move; paid extra.' },
    audience: 'card',
    default: false,
  }),
  toggle('enable_animation', {
    label: { ru: 'Анимация', en: 'Animation' },
    hint: { ru: 'Готовое движение; платно.', en: 'A ready-made motion; paid extra.' },
    audience: 'card',
    default: false,
    when: isRigged,
  }),
] as const

const lookFields = [
  text('texture_prompt', {
    label: { ru: 'Описание текстуры', en: 'Texture prompt' },
    hint: {
      ru: 'Цвета и материалы поверхности, до 600 символов.',
      en: 'Colours and materials of the surface, up to 600 characters.',
    },
    audience: 'advanced',
    max: 600,
  }),
  // A URL only: the document takes neither an id nor the bytes here.
  oneFile('texture_image', z.url({ protocol: /^https?$/ }), {
    label: { ru: 'Образец текстуры', en: 'Texture sample' },
    hint: { ru: 'Картинка с нужной поверхностью.', en: 'A picture of the surface you want.' },
    audience: 'advanced',
    media: ['image'],
    via: 'link',
  }),
  toggle('enable_pbr', {
    label: { ru: 'PBR-материалы', en: 'PBR materials' },
    hint: {
      ru: 'Карты блеска, металла и рельефа для реалистичного света.',
      en: 'Maps of gloss, metal and relief for realistic light.',
    },
    audience: 'advanced',
    default: false,
  }),
] as const

const meshFields = [
  choice('topology', {
    label: { ru: 'Грани', en: 'Faces' },
    audience: 'advanced',
    values: ['triangle', 'quad'],
    labels: {
      triangle: { ru: 'Треугольники', en: 'Triangles' },
      quad: { ru: 'Четырёхугольники', en: 'Quads' },
    },
    default: 'triangle',
    columns: 2,
  }),
  number('target_polycount', {
    label: { ru: 'Число граней', en: 'Number of faces' },
    hint: {
      ru: 'От 100 до 300000; у умной сетки до 15000.',
      en: 'From 100 to 300000; up to 15000 for the smart mesh.',
    },
    audience: 'advanced',
    min: 100,
    max: 300_000,
    integer: true,
    default: 30_000,
    suggestions: [5000, 15_000, 30_000, 100_000, 300_000],
  }),
  toggle('should_remesh', {
    label: { ru: 'Перестроить сетку', en: 'Rebuild the mesh' },
    audience: 'advanced',
    default: true,
  }),
  choice('symmetry_mode', {
    label: { ru: 'Симметрия', en: 'Symmetry' },
    audience: 'advanced',
    values: ['off', 'auto', 'on'],
    labels: {
      off: { ru: 'Выключена', en: 'Off' },
      auto: { ru: 'Авто', en: 'Auto' },
      on: { ru: 'Включена', en: 'On' },
    },
    default: 'auto',
  }),
] as const

const bodyFields = [
  choice('pose_mode', {
    label: { ru: 'Поза', en: 'Pose' },
    hint: {
      ru: 'Только для человекоподобных; для предметов не выбирайте.',
      en: 'For humanoids only; leave it open for objects.',
    },
    audience: 'advanced',
    values: ['a-pose', 't-pose'],
    labels: { 'a-pose': { ru: 'A-поза', en: 'A-pose' }, 't-pose': { ru: 'T-поза', en: 'T-pose' } },
    columns: 2,
  }),
  number('rigging_height_meters', {
    label: { ru: 'Рост', en: 'Height' },
    hint: { ru: 'Рост персонажа в метрах, от 0,01.', en: 'Height of the character in metres, from 0.01.' },
    audience: 'advanced',
    min: 0.01,
    // The document gives no upper bound.
    max: 1000,
    suggestions: [0.5, 1, 1.7, 3],
    unit: { ru: 'м', en: 'm' },
    when: isRigged,
  }),
  number('animation_action_id', {
    label: { ru: 'Номер движения', en: 'Motion number' },
    hint: { ru: 'Какое движение показать, от 0 до 696.', en: 'Which motion to show, from 0 to 696.' },
    audience: 'advanced',
    min: 0,
    max: 696,
    integer: true,
    when: isAnimated,
  }),
] as const

// The document gives no range: whole numbers from zero are taken.
export const model3d = defineModel({
  id: 'MODEL-3D-TEXT',
  label: { ru: '3D по описанию', en: '3D from text' },
  modality: 'object3d',
  commands: ['model3d'],
  capabilities: ['async', 'text-to-3D'],
  status: 'active',
  endpoint: '/v1/object3d/generations',
  mode: 'async',
  callbackPath: undefined,
  fields: [prompt, ...cardFields, ...lookFields, ...meshFields, ...bodyFields, seed(Number.MAX_SAFE_INTEGER)],
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
