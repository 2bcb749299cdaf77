// MODEL-VIDEO-REEL: text to video with sound, 3 to 15 seconds. Source: gateway-api.md, "Video: MODEL-VIDEO-REEL".

import { z } from 'zod'
import { choice, compoundChoice, number, type Option, text, toggle } from './field.ts'
import { defineModel } from './model.ts'

const presets = ['480p', '720p', '1080p'] as const

/** Any other pair is rejected by the vendor. */
const frames = {
  '480p': { '16:9': [848, 480], '9:16': [480, 848], '4:3': [736, 560], '3:4': [560, 736], '1:1': [640, 640] },
  '720p': {
    '16:9': [1280, 720],
    '9:16': [720, 1280],
    '4:3': [1088, 832],
    '3:4': [832, 1088],
    '1:1': [960, 960],
  },
  '1080p': {
    '16:9': [1920, 1088],
    '9:16': [1088, 1920],
    '4:3': [1664, 1248],
    '3:4': [1248, 1664],
    '1:1': [1440, 1440],
  },
} as const

const pairs = presets.flatMap((preset) => Object.values(frames[preset]))

const sizes = presets.flatMap((preset): Option[] => [
  { value: preset, label: { ru: `${preset} авто`, en: `${preset} auto` }, set: { resolution: preset } },
  ...Object.entries(frames[preset]).map(([ratio, [width, height]]) => ({
    value: `${width}x${height}`,
    label: { ru: `${preset} ${ratio}`, en: `${preset} ${ratio}` },
    set: { width, height },
  })),
])

export const videoReel = defineModel({
  id: 'MODEL-VIDEO-REEL',
  label: { ru: 'Рил', en: 'Reel' },
  modality: 'video',
  capabilities: ['async', 'text_to_video', 'image_to_video'],
  status: 'active',
  endpoint: '/v1/videos/generations',
  mode: 'async',
  callbackPath: 'webhookURL',
  fields: [
    text('positivePrompt', {
      label: { ru: 'Описание', en: 'Prompt' },
      hint: {
        ru: 'Опишите, что происходит в кадре: кто, где, что делает, как движется камера.',
        en: 'Describe what happens in the frame: who, where, doing what, how the camera moves.',
      },
      audience: 'asked',
      required: true,
      max: 5120,
    }),
    compoundChoice(
      'size',
      {
        resolution: z.enum(presets),
        width: z.int().positive(),
        height: z.int().positive(),
      },
      {
        label: { ru: 'Размер', en: 'Size' },
        hint: {
          ru: '«Авто» — пропорции выберет модель.',
          en: '“Auto” lets the model choose the proportions.',
        },
        audience: 'card',
        options: sizes,
        default: '1080p',
        columns: 3,
      },
    ),
    number('duration', {
      label: { ru: 'Длительность', en: 'Duration' },
      hint: { ru: 'От 3 до 15 секунд.', en: 'From 3 to 15 seconds.' },
      audience: 'card',
      min: 3,
      max: 15,
      default: 5,
      suggestions: [3, 5, 8, 10, 12, 15],
      unit: { ru: 'с', en: 's' },
    }),
    toggle('settings.audio', {
      label: { ru: 'Звук', en: 'Sound' },
      audience: 'card',
      default: false,
    }),
    number('numberResults', {
      label: { ru: 'Варианты', en: 'Variants' },
      hint: {
        ru: 'Сколько разных видео сделать; каждое оплачивается.',
        en: 'How many different videos to make; each is paid for.',
      },
      audience: 'card',
      min: 1,
      max: 4,
      integer: true,
      default: 1,
      suggestions: [1, 2, 3, 4],
    }),
    toggle('settings.promptExtend', {
      label: { ru: 'Дополнять описание', en: 'Extend the prompt' },
      hint: { ru: 'Модель сама добавит подробностей.', en: 'The model adds details by itself.' },
      audience: 'advanced',
      default: true,
    }),
    choice('outputFormat', {
      label: { ru: 'Формат файла', en: 'File format' },
      audience: 'advanced',
      values: ['MP4', 'WEBM', 'MOV'],
      default: 'MP4',
    }),
    number('seed', {
      label: { ru: 'Зерно', en: 'Seed' },
      hint: {
        ru: 'Целое число; одинаковое зерно даёт похожий результат. Пусто — случайное.',
        en: 'A whole number; the same seed gives a similar result. Empty means random.',
      },
      audience: 'advanced',
      min: 0,
      // The document gives no range: whole numbers from zero are taken.
      max: Number.MAX_SAFE_INTEGER,
      integer: true,
    }),
    number('outputQuality', {
      label: { ru: 'Качество сжатия', en: 'Compression quality' },
      audience: 'operator',
      min: 20,
      max: 99,
      integer: true,
      default: 95,
    }),
    toggle('safety.checkContent', {
      label: { ru: 'Проверка содержимого', en: 'Content check' },
      audience: 'operator',
      default: false,
    }),
    choice('safety.mode', {
      label: { ru: 'Глубина проверки', en: 'Depth of the check' },
      audience: 'operator',
      values: ['none', 'fast', 'full'],
      default: 'none',
    }),
    text('webhookURL', {
      label: { ru: 'Адрес уведомления', en: 'Callback address' },
      audience: 'system',
      max: 2000,
    }),
    text('uploadEndpoint', {
      label: { ru: 'Адрес выгрузки', en: 'Upload address' },
      audience: 'operator',
      max: 2000,
    }),
  ],
  rules: [
    { kind: 'excludes', left: ['resolution'], right: ['width', 'height'] },
    { kind: 'together', paths: ['width', 'height'] },
    { kind: 'rows', paths: ['width', 'height'], rows: pairs },
  ],
  rates: { second: { roubles: '18.49', per: 1 } },
  cost: ({ duration, numberResults }) => ({
    unit: 'second',
    quantity: duration,
    rate: 'second',
    count: numberResults,
  }),
  delivers: ({ numberResults }) => ({ kind: 'video', count: numberResults }),
})
