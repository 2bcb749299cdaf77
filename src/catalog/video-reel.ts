// MODEL-VIDEO-REEL: text, frames, references or a video to video with sound, 3 to 15 seconds. Source: gateway-api.md,
// "Video: MODEL-VIDEO-REEL".

import { z } from 'zod'
import type { Attachment, Flat, Label } from './field.ts'
import { number, seed, text, toggle } from './fields.ts'
import { imageSchema, linkSchema, media } from './media.ts'
import { defineModel } from './model.ts'
import {
  areGiven,
  checkedIf,
  frameImages,
  framePositions,
  frameRules,
  frameSize,
  hasAudio,
  operatorFields,
  outputFormat,
  variants,
  voice,
} from './video-common.ts'

// References of MODEL-VIDEO-REEL: groups of images and one video, each with a tag for the prompt.

const tag = z.string().startsWith('@')
/** Tags for files without one. */
const usualTag = { group: '@1', video: '@video' } as const

const mostGroups = 3
const mostImages = 5

const group = z.strictObject({
  type: z.enum(['image', 'grid']),
  images: z.array(imageSchema).min(1).max(mostImages),
  tag,
  audio: linkSchema.exactOptional(),
})

type Group = z.output<typeof group>

const groups = z
  .array(group)
  .min(1)
  .max(mostGroups)
  .refine(([first, ...rest]) => rest.every(({ type }) => type === first?.type && type !== 'grid'), {
    error: 'all groups are of type image, or there is one of type grid',
  })
  // gateway-api.md does not require different tags, but a prompt could not refer to one of two groups with the same tag.
  .refine((all) => new Set(all.map((one) => one.tag)).size === all.length, { error: 'tags must differ' })

const byTag = (attachments: readonly Attachment[]) =>
  Map.groupBy(attachments, ({ note }) => note ?? usualTag.group)

const only = (medium: Attachment['medium'], attachments: readonly Attachment[]) =>
  attachments.filter((one) => one.medium === medium)

/** Whether the files with one tag make a group: images, and at most one voice. */
function isGroup(attachments: readonly Attachment[]): boolean {
  const images = only('image', attachments).length
  return images >= 1 && images <= mostImages && only('audio', attachments).length <= 1
}

/** The field for groups of references. Images are sent inside the request, a voice as a link. @param max the most groups */
function groupsField(
  name: string,
  type: Group['type'],
  max: number,
  spec: { label: Label; hint: Label; media: readonly ['image', 'audio'] | readonly ['image'] },
) {
  return media(
    name,
    { 'inputs.referenceImages': groups },
    {
      ...spec,
      audience: 'advanced',
      via: 'data',
      caption: 'tag',
      max: max * (mostImages + spec.media.length - 1),
      ...(spec.media.length > 1 ? { maxSeconds: 15 } : {}),
      fits: (attachments) => {
        const made = [...byTag(attachments)]
        const tagged = made.every(([name]) => tag.safeParse(name).success)
        return tagged && made.length <= max && made.every(([, members]) => isGroup(members))
      },
    },
    (attachments, url): Flat => ({
      'inputs.referenceImages': [...byTag(attachments)].map(([name, members]) => {
        const [sound] = only('audio', members)
        const images = only('image', members).map((one) => url(one))
        return { type, images, tag: name, ...(sound ? { audio: url(sound, 'link') } : {}) }
      }),
    }),
  )
}

const videos = z
  .array(z.strictObject({ type: z.enum(['reference', 'extend']), video: linkSchema, tag }))
  .length(1)

function videoField(name: string, type: 'reference' | 'extend', spec: { label: Label; hint: Label }) {
  return media(
    name,
    { 'inputs.referenceVideos': videos },
    {
      ...spec,
      audience: 'advanced',
      media: ['video'],
      via: 'link',
      caption: 'tag',
      maxSeconds: 15,
      minPixels: 1_866_240,
      fits: ([one, ...more]) => more.length === 0 && tag.safeParse(one?.note ?? usualTag.video).success,
    },
    ([one], url): Flat =>
      one ? { 'inputs.referenceVideos': [{ type, video: url(one), tag: one.note ?? usualTag.video }] } : {},
  )
}

const referenceFields = [
  groupsField('references', 'image', mostGroups, {
    label: 'field-characters-and-references',
    hint: 'hint-reel-references',
    media: ['image', 'audio'],
  }),
  groupsField('collage', 'grid', 1, {
    label: 'field-collage',
    hint: 'hint-reel-collage',
    media: ['image'],
  }),
  videoField('continueVideo', 'extend', {
    label: 'field-continue-a-video',
    hint: 'hint-reel-continue-video',
  }),
  videoField('exampleVideo', 'reference', {
    label: 'field-video-as-an-example',
    hint: 'hint-reel-example-video',
  }),
] as const

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
  implied: checkedIf,
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
    seed(),
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
