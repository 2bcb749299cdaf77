// MODEL-IMAGE-DESIGN: text to image in a named or an own style. Source: gateway-api.md, "Image: MODEL-IMAGE-DESIGN".

import { z } from 'zod'
import { type Label, type Option, sameInAll } from './field.ts'
import {
  asTask,
  choice,
  compoundChoice,
  lengthBetween,
  longestPrompt,
  operatorObject,
  parsedText,
  pictures,
  telegramMessage,
  text,
} from './fields.ts'
import { defineModel } from './model.ts'
import { json } from './request.ts'

/** `WIDTHxHEIGHT` or `W:H`. gateway-api.md gives no limits: whole numbers of up to four digits are accepted. */
const size = z.string().regex(/^[1-9]\d{0,3}[x:][1-9]\d{0,3}$/, 'must be WIDTHxHEIGHT or W:H')

/** Accepts `1024 × 768`, `1024*768`, `16 : 9`, and the Cyrillic letter for `x`. */
const asSize = (typed: string): string =>
  typed.replace(/\s*([x×*:х])\s*/i, (_, by) => (by === ':' ? by : 'x'))

const usualRatios = ['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3', '21:9'].map(
  (value): Option => ({ value, label: sameInAll(value), set: { size: value } }),
)

/** gateway-api.md names some styles, not necessarily all. */
const style = lengthBetween(1, 100)

const styles: Readonly<Record<string, Label>> = {
  any: 'option-any',
  realistic_image: 'option-realistic',
  digital_illustration: 'option-illustration',
  vector_illustration: 'option-vector',
  icon: 'option-icon',
}

const sizeFields = [
  compoundChoice(
    'size',
    { size },
    {
      label: 'field-proportions',
      aspect: 'shape',
      audience: 'card',
      options: usualRatios,
      default: '1:1',
      // The exact size takes the place of this choice, whose default would overwrite it.
      when: ({ exact_size }) => exact_size === undefined,
    },
  ),
  parsedText(
    'exact_size',
    { size },
    {
      label: 'field-exact-size',
      hint: 'hint-design-exact-size',
      audience: 'advanced',
      min: 3,
      max: 20,
      fits: (typed) => size.safeParse(asSize(typed)).success,
      put: (typed) => ({ size: asSize(typed) }),
    },
  ),
] as const

const styleFields = [
  compoundChoice(
    'style',
    { style },
    {
      label: 'field-style',
      audience: 'card',
      options: Object.entries(styles).map(([value, label]) => ({ value, label, set: { style: value } })),
      columns: 2,
      when: ({ other_style }) => other_style === undefined,
    },
  ),
  text('style_id', {
    label: 'field-own-style',
    hint: 'hint-design-own-style',
    audience: 'advanced',
    max: 36,
    schema: z.uuid(),
    source: 'styles',
  }),
  parsedText(
    'other_style',
    { style },
    {
      label: 'field-another-style',
      hint: 'hint-design-other-style',
      audience: 'advanced',
      max: 100,
      fits: (typed) => style.safeParse(typed).success,
      put: (typed) => ({ style: typed }),
    },
  ),
] as const

export const imageDesign = defineModel({
  id: 'MODEL-IMAGE-DESIGN',
  label: 'model-design',
  modality: 'image',
  commands: ['image'],
  capabilities: ['async', 'text_to_image'],
  status: 'active',
  endpoint: '/v1/images/generations',
  mode: 'either',
  callbackPath: undefined,
  fields: [
    text('prompt', {
      label: 'field-prompt',
      hint: 'hint-design-prompt',
      audience: 'asked',
      required: true,
      max: longestPrompt,
    }),
    ...sizeFields,
    pictures('n', 6, 1, 'hint-design-pictures'),
    ...styleFields,
    choice('response_format', {
      label: 'field-form-of-the-answer',
      audience: 'operator',
      values: ['url', 'b64_json'],
      default: 'url',
    }),
    // gateway-api.md does not show the content of the object.
    operatorObject('controls', z.record(z.string(), json), 'field-controls'),
    asTask,
  ],
  rules: [],
  // "Maximum length depends on the model variant".
  ownLimits: { prompt: telegramMessage },
  rates: { image: { roubles: '5.28', per: 1 } },
  cost: ({ n }) => ({ unit: 'image', quantity: 1, rate: 'image', count: n }),
  delivers: ({ n }) => ({ kind: 'image', count: n }),
})
