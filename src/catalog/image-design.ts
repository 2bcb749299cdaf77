// MODEL-IMAGE-DESIGN: text to image in a named or an own style. Source: gateway-api.md, "Image: MODEL-IMAGE-DESIGN".

import { z } from 'zod'
import { asTask } from './common-fields.ts'
import type { Label, Option } from './field.ts'
import { choice, compoundChoice, lengthBetween, operatorObject, parsedText, text } from './fields.ts'
import { pictures } from './image-common.ts'
import { defineModel } from './model.ts'
import { json } from './request.ts'

/** `WIDTHxHEIGHT` or `W:H`. The document gives no bounds: whole numbers of up to four digits are taken. */
const size = z.string().regex(/^[1-9]\d{0,3}[x:][1-9]\d{0,3}$/, 'must be WIDTHxHEIGHT or W:H')

/** As people write it: `1024 × 768`, `1024*768`, `16 : 9`, with a Cyrillic letter for the cross. */
const asSize = (typed: string): string =>
  typed.replace(/\s*([x×*:х])\s*/i, (_, by) => (by === ':' ? by : 'x'))

const usualRatios = ['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3'].map(
  (value): Option => ({ value, label: { ru: value, en: value }, set: { size: value } }),
)

/** The document names some styles and does not say that there are no others. */
const style = lengthBetween(1, 100)

const styles: Readonly<Record<string, Label>> = {
  any: { ru: 'Любой', en: 'Any' },
  realistic_image: { ru: 'Как фото', en: 'Realistic' },
  digital_illustration: { ru: 'Рисунок', en: 'Illustration' },
  vector_illustration: { ru: 'Вектор', en: 'Vector' },
  icon: { ru: 'Иконка', en: 'Icon' },
}

const sizeFields = [
  compoundChoice(
    'size',
    { size },
    {
      label: { ru: 'Пропорции', en: 'Proportions' },
      audience: 'card',
      options: usualRatios,
      default: '1:1',
      // Its default would be written over the exact size.
      when: ({ exact_size }) => exact_size === undefined,
    },
  ),
  parsedText(
    'exact_size',
    { size },
    {
      label: { ru: 'Точный размер', en: 'Exact size' },
      hint: {
        ru: 'Ширина и высота в точках, например 1024x768, или пропорции, например 21:9.',
        en: 'Width and height in pixels, like 1024x768, or proportions, like 21:9.',
      },
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
      label: { ru: 'Стиль', en: 'Style' },
      audience: 'card',
      options: Object.entries(styles).map(([value, label]) => ({ value, label, set: { style: value } })),
      when: ({ other_style }) => other_style === undefined,
    },
  ),
  text('style_id', {
    label: { ru: 'Свой стиль', en: 'Own style' },
    hint: {
      ru: 'Выберите стиль, который вы создали, или пришлите его номер (UUID).',
      en: 'Choose a style that you have created, or send its id (a UUID).',
    },
    audience: 'card',
    max: 36,
    schema: z.uuid(),
    source: 'styles',
  }),
  parsedText(
    'other_style',
    { style },
    {
      label: { ru: 'Другой стиль', en: 'Another style' },
      hint: {
        ru: 'Название стиля по-английски, если вы знаете его у этой модели.',
        en: 'The name of a style, if you know one that this model has.',
      },
      audience: 'advanced',
      max: 100,
      fits: (typed) => style.safeParse(typed).success,
      put: (typed) => ({ style: typed }),
    },
  ),
] as const

export const imageDesign = defineModel({
  id: 'MODEL-IMAGE-DESIGN',
  label: { ru: 'Дизайн', en: 'Design' },
  modality: 'image',
  commands: ['image'],
  capabilities: ['async', 'text_to_image'],
  status: 'active',
  endpoint: '/v1/images/generations',
  mode: 'either',
  callbackPath: undefined,
  fields: [
    text('prompt', {
      label: { ru: 'Описание', en: 'Prompt' },
      hint: {
        ru: 'Опишите картинку: что на ней, где, какие цвета и настроение.',
        en: 'Describe the picture: what is in it, where, which colours and mood.',
      },
      audience: 'asked',
      required: true,
      // "Maximum length depends on the model variant": one message of Telegram, and the variant may refuse earlier.
      max: 4096,
    }),
    ...sizeFields,
    pictures('n', 6, 1),
    ...styleFields,
    choice('response_format', {
      label: { ru: 'Вид ответа', en: 'Form of the answer' },
      audience: 'operator',
      values: ['url', 'b64_json'],
      default: 'url',
    }),
    // Not shown in the document: what the object may hold.
    operatorObject('controls', z.record(z.string(), json), { ru: 'Управление', en: 'Controls' }),
    asTask,
  ],
  rules: [],
  rates: { image: { roubles: '5.28', per: 1 } },
  cost: ({ n }) => ({ unit: 'image', quantity: 1, rate: 'image', count: n }),
  delivers: ({ n }) => ({ kind: 'image', count: n }),
})
