// MODEL-SPEECH-TURBO: a text read aloud. Source: gateway-api.md, "Speech: MODEL-SPEECH-TURBO".

import { z } from 'zod'
import { plainNumber } from '../money.ts'
import type { BareKey } from '../text-keys.ts'
import { type Flat, type Json, sameInAll } from './field.ts'
import { asTask, choice, codePoints, number, parsedText, text, toggle } from './fields.ts'
import { defineModel } from './model.ts'
import { json } from './request.ts'
import { languageLabels, languages } from './settings.ts'

/** Parses lines of `key = value`; undefined when a line has another form. */
function pairsOf(typed: string): [string, string][] | undefined {
  const pairs = typed.split('\n').flatMap((line): [string, string][] => {
    if (line.trim() === '') return []
    const at = line.indexOf('=')
    return [[line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]]
  })
  return pairs.length > 0 && pairs.every(([key, value]) => key && value) ? pairs : undefined
}

const arePairs = (typed: string) => pairsOf(typed) !== undefined

/** Reads a typed value: `10` and `-0.5` become numbers, `true` and `false` booleans; any other value is text. */
function readValue(typed: string): Json {
  if (typed === 'true' || typed === 'false') return typed === 'true'
  const [, sign = '', digits = ''] = /^(-?)(.*)$/s.exec(typed) ?? []
  const plain = plainNumber(digits)
  return plain === undefined ? typed : Number(`${sign}${plain}`)
}

// gateway-api.md does not show the content of `voice_modify`.
const modification = z.record(z.string(), json)
const pronunciation = z.strictObject({ word: z.string().min(1), replacement: z.string().min(1) })

const voice = [
  text('voice_setting.voice_id', {
    label: 'field-voice',
    hint: 'hint-speech-voice',
    audience: 'card',
    source: 'voices',
    max: 200,
  }),
  number('voice_setting.speed', {
    label: 'field-speed',
    hint: 'hint-speech-speed',
    audience: 'card',
    // gateway-api.md requires the object around the speed; the default, which is always sent, creates it.
    required: 'object',
    min: 0.5,
    max: 2,
    default: 1,
    suggestions: [0.5, 0.75, 1, 1.25, 1.5, 2],
  }),
  choice('voice_setting.emotion', {
    label: 'field-emotion',
    audience: 'card',
    values: ['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral'],
    labels: {
      happy: 'option-happy',
      sad: 'option-sad',
      angry: 'option-angry',
      fearful: 'option-fearful',
      disgusted: 'option-disgusted',
      surprised: 'option-surprised',
      neutral: 'option-neutral',
    },
  }),
  number('voice_setting.vol', {
    label: 'field-volume',
    hint: 'hint-speech-volume',
    audience: 'advanced',
    min: 0,
    max: 10,
    suggestions: [0.5, 1, 2, 5],
  }),
  number('voice_setting.pitch', {
    label: 'field-pitch',
    hint: 'hint-speech-pitch',
    audience: 'advanced',
    min: -12,
    max: 12,
    integer: true,
    suggestions: [-6, -3, 0, 3, 6],
  }),
  toggle('voice_setting.english_normalization', {
    label: 'field-normalize-english-words',
    hint: 'hint-speech-english-normalization',
    audience: 'advanced',
    default: false,
  }),
] as const

/** gateway-api.md names these adjustments, but neither their fields nor their ranges: `names` has other fields, the ranges are ours. */
const adjustment = <P extends string>(path: P, label: BareKey) =>
  number(path, {
    label,
    hint: 'hint-speech-adjustment',
    audience: 'advanced',
    min: -100,
    max: 100,
    integer: true,
    suggestions: [-50, -20, 20, 50],
  })

const adjustments = [
  adjustment('voice_modify.pitch', 'field-voice-depth'),
  adjustment('voice_modify.intensity', 'field-voice-intensity'),
  adjustment('voice_modify.timbre', 'field-timbre'),
  text('voice_modify.sound_effects', {
    label: 'field-sound-effect',
    hint: 'hint-speech-sound-effect',
    audience: 'advanced',
    max: 100,
  }),
] as const

/** "Above 3000 characters streaming is advised." A task needs none, and a stream has no address. */
const longestWhole = 3000
const streamedIf = ({ text, async, stream, output_format }: Flat): Flat => {
  const isLong = codePoints(String(text)) > longestWhole
  return isLong && async === false && stream === undefined && output_format !== 'url' ? { stream: true } : {}
}

// gateway-api.md prints rates and channels without quotes: they are sent as numbers, or as texts by the operator's `asText`.
const audio = [
  choice('audio_setting.format', {
    label: 'field-format',
    hint: 'hint-speech-format',
    audience: 'advanced',
    values: ['mp3', 'wav', 'flac', 'pcm'],
    labels: {
      mp3: sameInAll('MP3'),
      wav: sameInAll('WAV'),
      flac: sameInAll('FLAC'),
      pcm: sameInAll('PCM'),
    },
    // Our own default: Telegram plays MP3 as a voice message without conversion.
    default: 'mp3',
    columns: 4,
  }),
  choice('audio_setting.sample_rate', {
    label: 'field-sample-rate-hz',
    audience: 'advanced',
    values: [8000, 16000, 22050, 24000, 32000, 44100],
  }),
  choice('audio_setting.bitrate', {
    label: 'field-bitrate-bps',
    audience: 'advanced',
    values: [32000, 64000, 128000, 256000],
    columns: 4,
  }),
  choice('audio_setting.channel', {
    label: 'field-channels',
    audience: 'advanced',
    values: [1, 2],
    labels: { 1: 'option-mono', 2: 'option-stereo' },
  }),
] as const

export const speechTurbo = defineModel({
  id: 'MODEL-SPEECH-TURBO',
  label: 'model-speech',
  modality: 'audio',
  commands: ['speech'],
  capabilities: ['async', 'text_to_speech'],
  status: 'active',
  endpoint: '/v1/audio/speech',
  mode: 'either',
  callbackPath: undefined,
  fields: [
    text('text', {
      label: 'field-text',
      hint: 'hint-speech-text',
      audience: 'asked',
      required: true,
      max: 10_000,
    }),
    ...voice,
    choice('language_boost', {
      label: 'field-language',
      hint: 'hint-speech-language',
      audience: 'advanced',
      values: languages,
      labels: languageLabels,
      columns: 2,
    }),
    parsedText(
      'pronunciation_dict',
      { 'pronunciation_dict.tone': z.array(pronunciation) },
      {
        label: 'field-pronunciation',
        hint: 'hint-speech-pronunciation',
        audience: 'advanced',
        max: 4000,
        fits: arePairs,
        put: (typed) => ({
          'pronunciation_dict.tone': (pairsOf(typed) ?? []).map(([word, replacement]) => ({
            word,
            replacement,
          })),
        }),
      },
    ),
    parsedText(
      'voice_modify',
      { voice_modify: modification },
      {
        label: 'field-voice-effects',
        hint: 'hint-speech-effects',
        audience: 'advanced',
        max: 1000,
        fits: arePairs,
        put: (typed) => ({
          voice_modify: Object.fromEntries(
            (pairsOf(typed) ?? []).map(([key, value]) => [key, readValue(value)]),
          ),
        }),
      },
    ),
    ...adjustments,
    ...audio,
    toggle('subtitle_enable', {
      label: 'field-subtitles',
      hint: 'hint-speech-subtitles',
      audience: 'advanced',
      default: false,
    }),
    choice('output_format', {
      label: 'field-form-of-the-answer',
      audience: 'operator',
      values: ['url', 'hex'],
      default: 'hex',
    }),
    toggle('stream', {
      label: 'field-streaming',
      audience: 'system',
      default: false,
    }),
    asTask,
  ],
  implied: streamedIf,
  rules: [{ kind: 'values', when: { stream: [true] }, path: 'output_format', values: ['hex'] }],
  rates: { character: { roubles: '39.62', per: 1_000_000 } },
  cost: ({ text }) => ({ unit: 'character', quantity: codePoints(text), rate: 'character', count: 1 }),
  // Who chooses a lossless format wants the file: a voice message is compressed.
  delivers: ({ 'audio_setting.format': format }) => ({ kind: 'voice', count: 1, asFile: format !== 'mp3' }),
})
