// MODEL-VIDEO-REEL: text, frames, references or a video to video with sound, 3 to 15 seconds. Source: gateway-api.md,
// "Video: MODEL-VIDEO-REEL".

import { seed } from './common-fields.ts'
import { number, text, toggle } from './fields.ts'
import { defineModel } from './model.ts'
import { frameRules, frameSize, operatorFields, outputFormat, variants } from './video-common.ts'
import { areGiven, frameImages, framePositions, hasAudio, voice } from './video-inputs.ts'
import { referenceFields } from './video-references.ts'

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

export const videoReel = defineModel({
  id: 'MODEL-VIDEO-REEL',
  label: 'model-reel',
  modality: 'video',
  commands: ['video'],
  capabilities: ['async', 'text_to_video', 'image_to_video', 'video_to_video', 'audio_to_video'],
  status: 'active',
  endpoint: '/v1/videos/generations',
  mode: 'async',
  callbackPath: 'webhookURL',
  fields: [
    text('positivePrompt', {
      label: 'field-prompt',
      hint: 'hint-reel-prompt',
      audience: 'asked',
      required: true,
      max: 5120,
    }),
    frameSize(frames, '1080p', 'advanced'),
    number('duration', {
      label: 'field-duration',
      hint: 'hint-reel-duration',
      audience: 'card',
      min: 3,
      max: 15,
      default: 5,
      suggestions: [3, 5, 8, 10, 12, 15],
      unit: 'unit-seconds',
    }),
    toggle('settings.audio', {
      label: 'field-sound',
      audience: 'card',
      default: false,
      // A voice is heard only in a video with sound.
      onWith: (answers) => hasAudio(answers['inputs.audio']) || hasAudio(answers.references),
      // With a reference video the gateway ignores this and uses the sound of that video.
      when: ({ continueVideo, exampleVideo }) => !areGiven(continueVideo) && !areGiven(exampleVideo),
    }),
    variants,
    frameImages(8, framePositions, 'hint-reel-frames'),
    ...referenceFields,
    voice({
      label: 'field-voice-timbre',
      hint: 'hint-reel-voice',
      maxSeconds: 15,
    }),
    toggle('settings.promptExtend', {
      label: 'field-extend-the-prompt',
      hint: 'hint-reel-prompt-extend',
      audience: 'advanced',
      default: true,
    }),
    outputFormat,
    // gateway-api.md gives no range: whole numbers from zero are accepted.
    seed(Number.MAX_SAFE_INTEGER),
    ...operatorFields,
  ],
  rules: [
    ...frameRules(frames),
    { kind: 'excludes', left: ['inputs.referenceImages'], right: ['inputs.referenceVideos'] },
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
