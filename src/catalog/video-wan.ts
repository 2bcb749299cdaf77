// MODEL-VIDEO-WAN: text, frames or references to video with native sound, 1 to 15 seconds, billed by preset. Source:
// gateway-api.md, "Video: MODEL-VIDEO-WAN".

import { z } from 'zod'
import type { Flat, Label, Medium } from './field.ts'
import { at, choice, number, seed, text, toggle } from './fields.ts'
import { imageSchema, linkSchema, media } from './media.ts'
import { defineModel } from './model.ts'
import {
  areGiven,
  checkedIf,
  frameEnds,
  frameImages,
  frameRules,
  frameSize,
  operatorFields,
  outputFormat,
  variants,
  voice,
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

/** gateway-api.md gives no maximum; more than these nobody sends. */
const maxReferences = 30

function references<P extends string>(
  name: string,
  path: P,
  item: z.ZodType<string>,
  spec: { label: Label; hint: Label; medium: Medium; via: 'data' | 'link' },
) {
  const { medium, ...rest } = spec
  const shape = at(path, z.array(item).min(1))
  return media(
    name,
    shape,
    { ...rest, audience: 'advanced', media: [medium], max: maxReferences },
    (files, url): Flat => ({
      [path]: files.map((one) => url(one)),
    }),
  )
}

const referenceFields = [
  references('referenceImages', 'inputs.referenceImages', imageSchema, {
    label: 'field-reference-pictures',
    hint: 'hint-wan-reference-images',
    medium: 'image',
    via: 'data',
  }),
  references('referenceVideos', 'inputs.referenceVideos', linkSchema, {
    label: 'field-reference-videos',
    hint: 'hint-wan-reference-videos',
    medium: 'video',
    via: 'link',
  }),
] as const

export const videoWan = defineModel({
  id: 'MODEL-VIDEO-WAN',
  label: 'model-wan',
  modality: 'video',
  commands: ['video'],
  capabilities: ['async', 'text_to_video', 'image_to_video', 'video_to_video', 'audio_to_video'],
  status: 'active',
  endpoint: '/v1/videos/generations',
  mode: 'async',
  callbackPath: 'webhookURL',
  implied: checkedIf,
  fields: [
    text('positivePrompt', {
      label: 'field-prompt',
      hint: 'hint-wan-prompt',
      audience: 'asked',
      max: 5000,
    }),
    frameSize(frames, '1080p', 'card'),
    number('duration', {
      label: 'field-duration',
      hint: 'hint-wan-duration',
      audience: 'card',
      min: 1,
      max: 15,
      integer: true,
      default: 5,
      suggestions: [3, 5, 8, 10, 12, 15],
      unit: 'unit-seconds',
    }),
    toggle('settings.audio', {
      label: 'field-sound',
      audience: 'advanced',
      default: true,
    }),
    variants,
    frameImages(2, frameEnds, 'hint-wan-frames'),
    ...referenceFields,
    choice('settings.shotType', {
      label: 'field-shots',
      audience: 'advanced',
      values: ['single', 'multi'],
      labels: {
        single: 'option-one-shot',
        multi: 'option-several-shots',
      },
      default: 'single',
      columns: 2,
      // Multiple shots need references.
      when: ({ referenceImages, referenceVideos }) => areGiven(referenceImages) || areGiven(referenceVideos),
    }),
    voice({
      label: 'field-your-own-sound',
      hint: 'hint-wan-own-sound',
      speaks: true,
    }),
    text('negativePrompt', {
      label: 'field-what-to-avoid',
      hint: 'hint-wan-what-to-avoid',
      audience: 'advanced',
      max: 500,
    }),
    toggle('settings.promptEnhancer', {
      label: 'field-extend-the-prompt',
      hint: 'hint-wan-prompt-enhancer',
      audience: 'advanced',
      default: true,
    }),
    outputFormat,
    seed({ min: 0, max: 2_147_483_647 }),
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
  cost: ({ resolution, duration, numberResults }) => ({
    unit: 'second',
    quantity: duration,
    rate: resolution ?? '1080p',
    count: numberResults,
  }),
  delivers: ({ numberResults }) => ({ kind: 'video', count: numberResults }),
})
