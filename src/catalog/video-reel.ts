// MODEL-VIDEO-REEL: text, frames, references or a video to video with sound, 3 to 15 seconds. Source: gateway-api.md,
// "Video: MODEL-VIDEO-REEL".

import { seed } from './common-fields.ts'
import { number, text, toggle } from './fields.ts'
import { defineModel } from './model.ts'
import { frameRules, frameSize, operatorFields, outputFormat, variants } from './video-common.ts'
import { areGiven, frameImages, framePositions, voice } from './video-inputs.ts'
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
  label: { ru: 'Рил', en: 'Reel' },
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
        ru: 'Опишите, что происходит в кадре: кто, где, что делает, как движется камера. Героев и образцы можно называть именами с @.',
        en: 'Describe what happens in the frame: who, where, doing what, how the camera moves. Characters and references can be called by their @names.',
      },
      audience: 'asked',
      required: true,
      max: 5120,
    }),
    frameSize(frames, '1080p'),
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
      // Switched off by the gateway beside a reference video, whose sound is taken.
      when: ({ continueVideo, exampleVideo }) => !areGiven(continueVideo) && !areGiven(exampleVideo),
    }),
    variants,
    frameImages(8, framePositions, {
      ru: 'До 8 картинок. Одна станет первым кадром, две — первым и последним, остальные встанут между ними поровну. Место можно подписать: «первый», «последний» или номер.',
      en: 'Up to 8 pictures. One is the first frame, two are the first and the last, more are spread evenly between them. A caption can say the place: “first”, “last” or a number.',
    }),
    ...referenceFields,
    voice({
      label: { ru: 'Тембр голоса', en: 'Voice' },
      hint: {
        ru: 'Звук до 15 секунд: этим голосом будут говорить в видео.',
        en: 'A sound up to 15 seconds: the video will speak with this voice.',
      },
      maxSeconds: 15,
    }),
    toggle('settings.promptExtend', {
      label: { ru: 'Дополнять описание', en: 'Extend the prompt' },
      hint: { ru: 'Модель сама добавит подробностей.', en: 'The model adds details by itself.' },
      audience: 'advanced',
      default: true,
    }),
    outputFormat,
    // The document gives no range: whole numbers from zero are taken.
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
