// MODEL-MUSIC (`v5_5`): songs and instrumental music. Source: gateway-api.md, "Music: MODEL-MUSIC".

import { z } from 'zod'
import type { Answers, Label } from './field.ts'
import { choice, number, text, toggle } from './fields.ts'
import { defineModel } from './model.ts'

const isCustom = ({ customMode }: Answers) => customMode === true

const weight = (
  path: 'styleWeight' | 'weirdnessConstraint' | 'audioWeight',
  label: Label,
  { ru, en }: Label,
) =>
  number(path, {
    label,
    hint: { ru: `${ru} От 0 до 1.`, en: `${en} From 0 to 1.` },
    audience: 'advanced',
    min: 0,
    max: 1,
    suggestions: [0.25, 0.5, 0.75, 1],
  })

// The document gives lengths by version label and not which one is `v5_5`, only that it is later than `V4_5`: the
// column "V4_5 and later" is taken.
const maxLyrics = 5000
const maxDescription = 500
const maxStyle = 1000
const maxTitle = 100

const card = [
  toggle('customMode', {
    label: { ru: 'Свои слова', en: 'My own lyrics' },
    audience: 'card',
    required: true,
    default: false,
  }),
  toggle('instrumental', {
    label: { ru: 'Без вокала', en: 'No vocals' },
    audience: 'card',
    required: true,
    default: false,
  }),
  text('style', {
    label: { ru: 'Стиль', en: 'Style' },
    hint: {
      ru: 'Жанр, настроение, инструменты; до 1000 знаков.',
      en: 'Genre, mood, instruments; up to 1000 characters.',
    },
    audience: 'card',
    max: maxStyle,
    when: isCustom,
  }),
  text('title', {
    label: { ru: 'Название', en: 'Title' },
    hint: { ru: 'До 100 знаков.', en: 'Up to 100 characters.' },
    audience: 'card',
    max: maxTitle,
    when: isCustom,
  }),
  choice('vocalGender', {
    label: { ru: 'Вокал', en: 'Vocals' },
    audience: 'card',
    values: ['f', 'm'],
    labels: { f: { ru: 'Женский', en: 'Female' }, m: { ru: 'Мужской', en: 'Male' } },
    columns: 2,
    when: ({ instrumental }) => instrumental !== true,
  }),
] as const

const advanced = [
  text('negativeTags', {
    label: { ru: 'Чего избегать', en: 'What to avoid' },
    hint: { ru: 'Стили через запятую.', en: 'Styles, separated by commas.' },
    audience: 'advanced',
    // The document gives no limit; as much as may be said of the style.
    max: maxStyle,
  }),
  weight(
    'styleWeight',
    { ru: 'Верность стилю', en: 'Style weight' },
    { ru: 'Насколько строго держаться стиля.', en: 'How closely to keep to the style.' },
  ),
  weight(
    'weirdnessConstraint',
    { ru: 'Необычность', en: 'Weirdness' },
    { ru: 'Насколько можно экспериментировать.', en: 'How far to experiment.' },
  ),
  weight(
    'audioWeight',
    { ru: 'Влияние звука', en: 'Audio weight' },
    { ru: 'Насколько слушаться исходного звука.', en: 'How much the input audio counts.' },
  ),
  text('personaId', {
    label: { ru: 'Персона', en: 'Persona' },
    hint: { ru: 'Идентификатор персоны у шлюза.', en: 'The id of a persona at the gateway.' },
    audience: 'advanced',
    max: 200,
    when: isCustom,
  }),
  choice('personaModel', {
    label: { ru: 'Что взять от персоны', en: 'What to take from the persona' },
    audience: 'advanced',
    values: ['style_persona', 'voice_persona'],
    labels: { style_persona: { ru: 'Стиль', en: 'Style' }, voice_persona: { ru: 'Голос', en: 'Voice' } },
    default: 'style_persona',
    columns: 2,
    when: (answers) => isCustom(answers) && answers.personaId !== undefined,
  }),
] as const

export const music = defineModel({
  id: 'MODEL-MUSIC',
  gatewayId: 'v5_5',
  label: { ru: 'Музыка', en: 'Music' },
  modality: 'audio',
  commands: ['music'],
  capabilities: ['async', 'text_to_music'],
  status: 'active',
  endpoint: '/v1/audio/generations',
  mode: 'async',
  callbackPath: 'callBackUrl',
  fields: [
    text('prompt', {
      label: { ru: 'О чём песня', en: 'What the song is about' },
      hint: {
        ru: 'Опишите песню, до 500 знаков. Если включить «Свои слова» — сам текст песни, до 5000.',
        en: 'Describe the song, up to 500 characters. With “My own lyrics” on: the lyrics themselves, up to 5000.',
      },
      audience: 'asked',
      max: maxLyrics,
    }),
    ...card,
    ...advanced,
    text('callBackUrl', {
      label: { ru: 'Адрес уведомления', en: 'Callback address' },
      audience: 'system',
      required: true,
      max: 2000,
      schema: z.url({ protocol: /^https?$/ }),
    }),
  ],
  rules: [
    { kind: 'requires', when: { customMode: [false] }, anyOf: ['prompt'] },
    { kind: 'requires', when: { customMode: [true], instrumental: [false] }, anyOf: ['prompt'] },
    { kind: 'requires', when: { customMode: [true] }, anyOf: ['style'] },
    { kind: 'requires', when: { customMode: [true] }, anyOf: ['title'] },
    { kind: 'limit', when: { customMode: [false] }, path: 'prompt', max: maxDescription },
    { kind: 'only', when: { customMode: [true] }, paths: ['personaId'] },
  ],
  rates: { request: { roubles: '6.6', per: 1 } },
  cost: () => ({ unit: 'request', quantity: 1, rate: 'request', count: 1 }),
  delivers: () => ({ kind: 'audio', count: 1, files: 2 }),
})
