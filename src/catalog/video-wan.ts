// MODEL-VIDEO-WAN: text, frames or references to video with native sound, 1 to 15 seconds, billed by preset. Source:
// gateway-api.md, "Video: MODEL-VIDEO-WAN".

import { z } from 'zod'
import type { Medium } from './attachment.ts'
import { seed } from './common-fields.ts'
import type { Flat, Label } from './field.ts'
import { at, choice, number, text, toggle } from './fields.ts'
import { imageSchema, linkSchema, media } from './media.ts'
import { defineModel } from './model.ts'
import { frameRules, frameSize, operatorFields, outputFormat, presetOf, variants } from './video-common.ts'
import { areGiven, frameEnds, frameImages, voice } from './video-inputs.ts'

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

/** The document gives no maximum: `max` is what is offered in the chat. */
function references<P extends string>(
  name: string,
  path: P,
  item: z.ZodType<string>,
  spec: { label: Label; hint: Label; max: number; medium: Medium; via: 'data' | 'link' },
) {
  const { medium, ...rest } = spec
  const shape = at(path, z.array(item).min(1))
  return media(
    name,
    shape,
    { ...rest, audience: 'advanced', media: [medium] },
    (files, url): Flat => ({
      [path]: files.map((one) => url(one)),
    }),
  )
}

const referenceFields = [
  references('referenceImages', 'inputs.referenceImages', imageSchema, {
    label: { ru: 'Картинки-образцы', en: 'Reference pictures' },
    hint: {
      ru: 'До 5 картинок: герои, вещи или стиль, которые появятся в видео. Длительность — до 10 секунд.',
      en: 'Up to 5 pictures: characters, things or a style for the video. It lasts up to 10 seconds then.',
    },
    max: 5,
    medium: 'image',
    via: 'data',
  }),
  references('referenceVideos', 'inputs.referenceVideos', linkSchema, {
    label: { ru: 'Видео-образцы', en: 'Reference videos' },
    hint: {
      ru: 'До 3 видео, на которые будет похож результат. Длительность — до 10 секунд.',
      en: 'Up to 3 videos that the result takes after. It lasts up to 10 seconds then.',
    },
    max: 3,
    medium: 'video',
    via: 'link',
  }),
] as const

export const videoWan = defineModel({
  id: 'MODEL-VIDEO-WAN',
  label: { ru: 'Ван', en: 'Wan' },
  modality: 'video',
  commands: ['video'],
  capabilities: ['async', 'text_to_video', 'image_to_video', 'video_to_video', 'audio_to_video'],
  status: 'active',
  endpoint: '/v1/videos/generations',
  mode: 'async',
  callbackPath: 'webhookURL',
  fields: [
    text('positivePrompt', {
      label: { ru: 'Описание', en: 'Prompt' },
      hint: {
        ru: 'Опишите сцену: кто, где, что происходит и какие звуки слышны. Не нужно, если есть кадры.',
        en: 'Describe the scene: who, where, what happens and what is heard. Not needed when there are frames.',
      },
      audience: 'asked',
      max: 5000,
    }),
    frameSize(frames, '1080p'),
    number('duration', {
      label: { ru: 'Длительность', en: 'Duration' },
      hint: {
        ru: 'От 1 до 15 целых секунд; с образцами — до 10.',
        en: 'From 1 to 15 whole seconds; up to 10 with references.',
      },
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
    frameImages(2, frameEnds, {
      ru: 'Одна картинка станет первым кадром, две — первым и последним. Место можно подписать: «первый» или «последний».',
      en: 'One picture is the first frame, two are the first and the last. A caption can say the place: “first” or “last”.',
    }),
    ...referenceFields,
    choice('settings.shotType', {
      label: { ru: 'Съёмка', en: 'Shots' },
      audience: 'advanced',
      values: ['single', 'multi'],
      labels: {
        single: { ru: 'Один план', en: 'One shot' },
        multi: { ru: 'Несколько планов', en: 'Several shots' },
      },
      default: 'single',
      columns: 2,
      // There is nothing to choose without references.
      when: ({ referenceImages, referenceVideos }) => areGiven(referenceImages) || areGiven(referenceVideos),
    }),
    voice({
      label: { ru: 'Своя звуковая дорожка', en: 'Your own sound' },
      hint: {
        ru: 'Звук, под который делается видео: губы и движения попадут в него.',
        en: 'A sound that the video is made to: lips and motion follow it.',
      },
    }),
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
  rules: [
    ...frameRules(frames),
    { kind: 'requires', when: { 'inputs.frameImages': 'absent' }, anyOf: ['positivePrompt'] },
    {
      kind: 'excludes',
      left: ['inputs.frameImages'],
      right: ['inputs.referenceImages', 'inputs.referenceVideos'],
    },
    { kind: 'excludes', left: ['inputs.referenceImages'], right: ['inputs.referenceVideos'] },
    { kind: 'limit', when: { 'inputs.referenceImages': 'present' }, path: 'duration', max: 10 },
    { kind: 'limit', when: { 'inputs.referenceVideos': 'present' }, path: 'duration', max: 10 },
    {
      kind: 'requires',
      when: { 'settings.shotType': ['multi'] },
      anyOf: ['inputs.referenceImages', 'inputs.referenceVideos'],
    },
  ],
  rates: { '720p': { roubles: '13.21', per: 1 }, '1080p': { roubles: '19.81', per: 1 } },
  cost: ({ resolution, width, height, duration, numberResults }) => ({
    unit: 'second',
    quantity: duration,
    rate: resolution ?? presetOf(frames, width, height) ?? '1080p',
    count: numberResults,
  }),
  delivers: ({ numberResults }) => ({ kind: 'video', count: numberResults }),
})
