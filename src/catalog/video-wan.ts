// MODEL-VIDEO-WAN: text to video with native sound, 1 to 15 seconds, billed by preset. Source: gateway-api.md,
// "Video: MODEL-VIDEO-WAN".

import { number, text, toggle } from './field.ts'
import { defineModel } from './model.ts'
import {
  frameRules,
  frameSize,
  operatorFields,
  outputFormat,
  presetOf,
  seed,
  variants,
} from './video-common.ts'

const frames = {
  '720p': {
    '16:9': [1280, 720],
    '9:16': [720, 1280],
    '1:1': [960, 960],
    '4:3': [1088, 832],
    '3:4': [832, 1088],
  },
  '1080p': {
    '16:9': [1920, 1080],
    '9:16': [1080, 1920],
    '1:1': [1440, 1440],
    '4:3': [1632, 1248],
    '3:4': [1248, 1632],
  },
} as const

export const videoWan = defineModel({
  id: 'MODEL-VIDEO-WAN',
  label: { ru: 'Ван', en: 'Wan' },
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
        ru: 'Опишите сцену: кто, где, что происходит и какие звуки слышны.',
        en: 'Describe the scene: who, where, what happens and what is heard.',
      },
      audience: 'asked',
      required: true,
      max: 5000,
    }),
    frameSize(frames, '1080p'),
    number('duration', {
      label: { ru: 'Длительность', en: 'Duration' },
      hint: { ru: 'От 1 до 15 целых секунд.', en: 'From 1 to 15 whole seconds.' },
      audience: 'card',
      min: 1,
      max: 15,
      integer: true,
      default: 5,
      suggestions: [3, 5, 8, 10, 12, 15],
      unit: { ru: 'с', en: 's' },
    }),
    toggle('settings.audio', {
      label: { ru: 'Звук', en: 'Sound' },
      audience: 'card',
      default: true,
    }),
    variants,
    text('negativePrompt', {
      label: { ru: 'Чего избегать', en: 'What to avoid' },
      audience: 'advanced',
      max: 500,
    }),
    toggle('settings.promptEnhancer', {
      label: { ru: 'Дополнять описание', en: 'Extend the prompt' },
      hint: {
        ru: 'Модель сама добавит подробностей; с одним зерном результат повторяется хуже.',
        en: 'The model adds details by itself; the same seed repeats less exactly.',
      },
      audience: 'advanced',
      default: true,
    }),
    outputFormat,
    seed(2_147_483_647),
    ...operatorFields,
  ],
  rules: frameRules(frames),
  rates: { '720p': { roubles: '13.21', per: 1 }, '1080p': { roubles: '19.81', per: 1 } },
  cost: ({ resolution, width, height, duration, numberResults }) => ({
    unit: 'second',
    quantity: duration,
    rate: resolution ?? presetOf(frames, width, height) ?? '1080p',
    count: numberResults,
  }),
  delivers: ({ numberResults }) => ({ kind: 'video', count: numberResults }),
})
