// MODEL-VIDEO-DREAM: text to video up to 4k, 5 or 9 seconds. Source: gateway-api.md, "Video: MODEL-VIDEO-DREAM".

import { choice, text, toggle } from './field.ts'
import { defineModel } from './model.ts'

const seconds = { '5s': 5, '9s': 9 } as const

export const videoDream = defineModel({
  id: 'MODEL-VIDEO-DREAM',
  label: { ru: 'Дрим', en: 'Dream' },
  modality: 'video',
  capabilities: ['async', 'text_to_video', 'image_to_video', 'high_quality'],
  status: 'active',
  endpoint: '/v1/videos/generations',
  mode: 'async',
  callbackPath: 'callback_url',
  fields: [
    text('prompt', {
      label: { ru: 'Описание', en: 'Prompt' },
      hint: {
        ru: 'Опишите сцену; движение камеры пишется прямо здесь: «камера медленно отъезжает».',
        en: 'Describe the scene; camera motion is written right here: “the camera slowly pulls back”.',
      },
      audience: 'asked',
      required: true,
      // The document gives no limit; one message of Telegram is enough for a scene.
      max: 4096,
    }),
    choice('resolution', {
      label: { ru: 'Качество', en: 'Resolution' },
      audience: 'card',
      values: ['540p', '720p', '1080p', '4k'],
      default: '720p',
      columns: 4,
    }),
    choice('aspect_ratio', {
      label: { ru: 'Пропорции', en: 'Proportions' },
      audience: 'card',
      values: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
      default: '16:9',
    }),
    choice('duration', {
      label: { ru: 'Длительность', en: 'Duration' },
      audience: 'card',
      values: ['5s', '9s'],
      labels: { '5s': { ru: '5 с', en: '5 s' }, '9s': { ru: '9 с', en: '9 s' } },
      default: '5s',
    }),
    toggle('loop', {
      label: { ru: 'Зациклить', en: 'Loop' },
      hint: { ru: 'Последний кадр перейдёт в первый.', en: 'The last frame blends into the first.' },
      audience: 'card',
      default: false,
    }),
    text('callback_url', {
      label: { ru: 'Адрес уведомления', en: 'Callback address' },
      audience: 'system',
      max: 2000,
    }),
  ],
  rules: [],
  rates: { second: { roubles: '52.82', per: 1 } },
  cost: ({ duration }) => ({ unit: 'second', quantity: seconds[duration], rate: 'second', count: 1 }),
  delivers: () => ({ kind: 'video', count: 1 }),
})
