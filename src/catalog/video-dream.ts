// MODEL-VIDEO-DREAM: text, pictures or an earlier video to video up to 4k, 5 or 9 seconds. Source: gateway-api.md,
// "Video: MODEL-VIDEO-DREAM".

import { z } from 'zod'
import type { Audience, Flat, Label } from './field.ts'
import { at, choice, longestPrompt, parsedText, telegramMessage, text, toggle } from './fields.ts'
import { media } from './media.ts'
import { defineModel } from './model.ts'

const seconds = { '5s': 5, '9s': 9 } as const

type Frame = 'keyframes.frame0' | 'keyframes.frame1'
interface Words {
  readonly label: Label
  readonly hint: Label
}
interface End extends Words {
  readonly frame: 'first' | 'last'
}

/** Pictures are allowed only as addresses; data URIs are not allowed, unlike in other models. */
const keyframe = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('image'), url: z.url({ protocol: /^https?$/ }) }),
  z.strictObject({ type: z.literal('generation'), id: z.string().min(1) }),
])

function picture<F extends Frame>(name: string, path: F, audience: Audience, end: End) {
  return media(
    name,
    at(path, keyframe),
    { ...end, audience, media: ['image'], via: 'link' },
    ([one], url): Flat => (one ? { [path]: { type: 'image', url: url(one) } } : {}),
  )
}

/** A field for one of the user's own videos, sent as the id of its generation. */
function earlierVideo<F extends Frame>(name: string, frame: F, words: Words) {
  return parsedText(name, at(frame, keyframe), {
    ...words,
    audience: 'advanced',
    source: 'videos',
    max: 200,
    fits: (id) => /^\S+$/.test(id),
    put: (id) => ({ [frame]: { type: 'generation', id } }),
  })
}

const keyframeFields = [
  picture('firstPicture', 'keyframes.frame0', 'card', {
    frame: 'first',
    label: 'field-first-frame',
    hint: 'hint-dream-first-frame',
  }),
  picture('lastPicture', 'keyframes.frame1', 'advanced', {
    frame: 'last',
    label: 'field-last-frame',
    hint: 'hint-dream-last-frame',
  }),
  earlierVideo('continueMyVideo', 'keyframes.frame0', {
    label: 'field-continue-my-video',
    hint: 'hint-dream-continue-my-video',
  }),
  earlierVideo('leadToMyVideo', 'keyframes.frame1', {
    label: 'field-lead-to-my-video',
    hint: 'hint-dream-lead-to-my-video',
  }),
] as const

const keysOf = (typed: string): string[] => typed.split(',').flatMap((key) => key.trim() || [])

const effects = parsedText(
  'concepts',
  { concepts: z.array(z.strictObject({ key: z.string() })) },
  {
    label: 'field-effects',
    hint: 'hint-dream-concepts',
    audience: 'advanced',
    source: 'concepts',
    many: true,
    max: 1000,
    fits: (typed) => keysOf(typed).length > 0,
    put: (typed) => ({ concepts: [...new Set(keysOf(typed))].map((key) => ({ key })) }),
  },
)

export const videoDream = defineModel({
  id: 'MODEL-VIDEO-DREAM',
  label: 'model-dream',
  modality: 'video',
  commands: ['video'],
  capabilities: ['async', 'text_to_video', 'image_to_video', 'video_to_video', 'high_quality'],
  status: 'active',
  endpoint: '/v1/videos/generations',
  mode: 'async',
  callbackPath: 'callback_url',
  fields: [
    text('prompt', {
      label: 'field-prompt',
      hint: 'hint-dream-prompt',
      audience: 'asked',
      required: true,
      max: longestPrompt,
    }),
    choice('resolution', {
      label: 'field-resolution',
      aspect: 'quality',
      audience: 'card',
      values: ['540p', '720p', '1080p', '4k'],
      default: '720p',
      columns: 4,
    }),
    choice('aspect_ratio', {
      label: 'field-proportions',
      aspect: 'shape',
      audience: 'card',
      values: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
      default: '16:9',
    }),
    choice('duration', {
      label: 'field-duration',
      audience: 'card',
      values: ['5s', '9s'],
      labels: { '5s': 'option-5-s', '9s': 'option-9-s' },
      default: '5s',
    }),
    toggle('loop', {
      label: 'field-loop',
      hint: 'hint-dream-loop',
      audience: 'advanced',
      default: false,
    }),
    ...keyframeFields,
    effects,
    text('callback_url', {
      label: 'field-callback-address',
      audience: 'system',
      max: 2000,
    }),
  ],
  rules: [],
  ownLimits: { prompt: telegramMessage },
  rates: { second: { roubles: '52.82', per: 1 } },
  cost: ({ duration }) => ({ unit: 'second', quantity: seconds[duration], rate: 'second', count: 1 }),
  delivers: () => ({ kind: 'video', count: 1 }),
})
