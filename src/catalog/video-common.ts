// The fields that MODEL-VIDEO-REEL and MODEL-VIDEO-WAN share: frame sizes as presets or pairs, and the fields of the result.

import { z } from 'zod'
import {
  type Answer,
  type Attachment,
  type Axis,
  type Flat,
  type Label,
  type Option,
  sameInAll,
} from './field.ts'
import { choice, compoundChoice, number, text, toggle } from './fields.ts'
import { imageSchema, linkSchema, media, oneFile } from './media.ts'
import type { Rule } from './request.ts'

// Templates of upload addresses: `{generation}` stands for the id of the order. gateway-api.md lists one address per request, so the
// results of one order cannot have separate addresses.

/** The request path of the address. */
export const uploadPath = 'uploadEndpoint'

const placeholder = '{generation}'

export const fillUploadAddress = (template: string, generationId: string): string =>
  template.replaceAll(placeholder, generationId)

export const uploadTemplate = z
  .string()
  .refine((text) => z.url({ protocol: /^https?$/ }).safeParse(fillUploadAddress(text, 'g')).success, {
    error: 'an http(s) address',
  })
  .refine((text) => !/[{}]/.test(text.replaceAll(placeholder, '')), {
    error: `the only placeholder is ${placeholder}: one request has one address for all its results`,
  })

type Ratio = '16:9' | '9:16' | '4:3' | '3:4' | '1:1'
/** Width and height by preset and ratio; the vendor rejects other pairs. */
type Preset = '480p' | '720p' | '1080p'
type Frames<P extends string> = Readonly<Record<P, Readonly<Record<Ratio, readonly [number, number]>>>>

const presetsOf = <P extends string>(frames: Frames<P>): P[] => {
  const isPreset = (key: string): key is P => key in frames
  return Object.keys(frames).filter(isPreset)
}

/**
 * The field for the frame size: a preset, for which the model chooses the proportions, or a pair of the table.
 * @param quality where the quality is shown: on the card if it changes the price
 */
export function frameSize<P extends Preset>(
  frames: Frames<P>,
  preset: NoInfer<P>,
  quality: Axis['audience'],
) {
  const presets = presetsOf(frames)
  const options = presets.flatMap((name): Option[] => [
    {
      value: name,
      label: `option-${name}-auto`,
      set: { resolution: name },
      at: { quality: name, shape: 'auto' },
    },
    ...Object.entries(frames[name]).map(([ratio, [width, height]]) => ({
      value: `${width}x${height}`,
      label: sameInAll(`${name} ${ratio}`),
      set: { width, height },
      means: { resolution: name },
      at: { quality: name, shape: ratio },
    })),
  ])
  const shape = { resolution: z.enum(presets), width: z.int().positive(), height: z.int().positive() }
  return compoundChoice('size', shape, {
    label: 'field-size',
    hint: 'hint-video-size',
    audience: 'card',
    options,
    default: preset,
    columns: 3,
    axes: [
      { name: 'quality', label: 'field-resolution', audience: quality },
      {
        name: 'shape',
        label: 'field-proportions',
        hint: 'hint-video-size',
        audience: 'card',
        labels: { auto: 'option-auto' },
      },
    ],
  })
}

export function frameRules(frames: Frames<string>): Rule[] {
  const rows = presetsOf(frames).flatMap((preset) => Object.values(frames[preset] ?? {}))
  return [
    { kind: 'excludes', left: ['resolution'], right: ['width', 'height'] },
    { kind: 'together', paths: ['width', 'height'] },
    { kind: 'rows', paths: ['width', 'height'], rows },
  ]
}

export const variants = number('numberResults', {
  label: 'field-variants',
  hint: 'hint-video-variants',
  audience: 'advanced',
  min: 1,
  max: 4,
  integer: true,
  default: 1,
  suggestions: [1, 2, 3, 4],
})

/** "When true, the default of `safety.mode` becomes `fast`": it is sent, so that its price and surcharges are seen. */
export const checkedIf = ({ 'safety.checkContent': isChecked, 'safety.mode': mode }: Flat): Flat =>
  isChecked === true && mode === undefined ? { 'safety.mode': 'fast' } : {}

export const outputFormat = choice('outputFormat', {
  label: 'field-file-format',
  audience: 'advanced',
  values: ['MP4', 'WEBM', 'MOV'],
  default: 'MP4',
})

export const operatorFields = [
  number('outputQuality', {
    label: 'field-compression-quality',
    audience: 'operator',
    min: 20,
    max: 99,
    integer: true,
    default: 95,
  }),
  toggle('safety.checkContent', {
    label: 'field-content-check',
    audience: 'operator',
    default: false,
  }),
  choice('safety.mode', {
    label: 'field-depth-of-the-check',
    audience: 'operator',
    values: ['none', 'fast', 'full'],
    default: 'none',
  }),
  text('webhookURL', {
    label: 'field-callback-address',
    audience: 'system',
    max: 2000,
  }),
  text(uploadPath, {
    label: 'field-upload-address',
    audience: 'operator',
    max: 2000,
    schema: uploadTemplate,
  }),
] as const

// Media fields of both MODEL-VIDEO-REEL and MODEL-VIDEO-WAN: images as frames of the video, and a voice.

type Position = string | number

/** The names of the first and the last frame: strings in gateway-api.md, even the numeric ones. */
export const frameEnds = z.enum(['first', 'last', '0', '-1'])
/** "A numeric index": a whole number from zero. gateway-api.md does not say whether it counts frames or images. */
export const framePositions = z.union([frameEnds, z.int().nonnegative()])

const positionOf = (note: string): Position =>
  /^\d+$/.test(note) && !frameEnds.safeParse(note).success ? Number(note) : note

/** The first and the last frame have two names each. */
const sameFrame: Readonly<Record<string, Position>> = { first: '0', last: '-1' }

/** Whether each note is a position, and no position is used twice. */
function areFrames(position: z.ZodType<Position>, attachments: readonly Attachment[]): boolean {
  const wanted = attachments.flatMap(({ note }) => (note === undefined ? [] : [positionOf(note)]))
  const places = new Set(wanted.map((one) => sameFrame[one] ?? one))
  return wanted.every((one) => position.safeParse(one).success) && places.size === wanted.length
}

/** Images with a position are sent with it; the gateway spreads the others evenly in their order. */
export function frameImages(max: number, position: z.ZodType<Position>, hint: Label) {
  const item = z.union([imageSchema, z.strictObject({ image: imageSchema, frame: position })])
  return media(
    'frames',
    { 'inputs.frameImages': z.array(item).min(1).max(max) },
    {
      label: 'field-frames',
      hint,
      audience: 'card',
      media: ['image'],
      via: 'data',
      caption: 'frame',
      max,
      fits: (attachments) => areFrames(position, attachments),
    },
    (attachments, url): Flat => ({
      'inputs.frameImages': attachments.map((one) =>
        one.note === undefined ? url(one) : { image: url(one), frame: positionOf(one.note) },
      ),
    }),
  )
}

/** Whether files were sent in answer to a field. */
export const areGiven = (answer: Answer | undefined) => Array.isArray(answer) && answer.length > 0

export const hasAudio = (answer: Answer | undefined): boolean =>
  Array.isArray(answer) && answer.some(({ medium }) => medium === 'audio')

export const voice = (spec: { label: Label; hint: Label; maxSeconds?: number; speaks?: true }) =>
  oneFile('inputs.audio', linkSchema, { ...spec, audience: 'advanced', media: ['audio'], via: 'link' })
