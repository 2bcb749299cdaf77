// What the document makes the same for MODEL-VIDEO-REEL and MODEL-VIDEO-WAN: frame sizes as presets or pairs, and the
// fields around the result.

import { z } from 'zod'
import type { Option } from './field.ts'
import { choice, compoundChoice, number, text, toggle } from './fields.ts'
import type { Rule } from './rules.ts'

type Ratio = '16:9' | '9:16' | '4:3' | '3:4' | '1:1'
/** Width and height by preset and ratio; any other pair is rejected by the vendor. */
export type Frames<P extends string> = Readonly<Record<P, Readonly<Record<Ratio, readonly [number, number]>>>>

const presetsOf = <P extends string>(frames: Frames<P>): P[] => {
  const isPreset = (key: string): key is P => key in frames
  return Object.keys(frames).filter(isPreset)
}

/** A frame size: a preset, where the model chooses the proportions, or a pair of the table. */
export function frameSize<P extends string>(frames: Frames<P>, preset: P) {
  const presets = presetsOf(frames)
  const options = presets.flatMap((name): Option[] => [
    { value: name, label: { ru: `${name} авто`, en: `${name} auto` }, set: { resolution: name } },
    ...Object.entries(frames[name]).map(([ratio, [width, height]]) => ({
      value: `${width}x${height}`,
      label: { ru: `${name} ${ratio}`, en: `${name} ${ratio}` },
      set: { width, height },
    })),
  ])
  const shape = { resolution: z.enum(presets), width: z.int().positive(), height: z.int().positive() }
  return compoundChoice('size', shape, {
    label: { ru: 'Размер', en: 'Size' },
    hint: { ru: '«Авто» — пропорции выберет модель.', en: '“Auto” lets the model choose the proportions.' },
    audience: 'card',
    options,
    default: preset,
    columns: 3,
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

/** The preset that a pair belongs to, for models that bill by it. */
export function presetOf<P extends string>(
  frames: Frames<P>,
  width?: number,
  height?: number,
): P | undefined {
  return presetsOf(frames).find((preset) =>
    Object.values(frames[preset]).some(([w, h]) => w === width && h === height),
  )
}

export const variants = number('numberResults', {
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
})

export const outputFormat = choice('outputFormat', {
  label: { ru: 'Формат файла', en: 'File format' },
  audience: 'advanced',
  values: ['MP4', 'WEBM', 'MOV'],
  default: 'MP4',
})

export const operatorFields = [
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
] as const
