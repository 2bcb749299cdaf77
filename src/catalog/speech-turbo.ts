// MODEL-SPEECH-TURBO: a text read aloud. Source: gateway-api.md, "Speech: MODEL-SPEECH-TURBO".

import { z } from 'zod'
import { asTask } from './common-fields.ts'
import type { Json } from './field.ts'
import { choice, codePoints, number, parsedText, text, toggle } from './fields.ts'
import { languageLabels, languages } from './languages.ts'
import { defineModel } from './model.ts'
import { json } from './request.ts'

/** Lines of `key = value`; undefined when a line is something else. */
function pairsOf(typed: string): [string, string][] | undefined {
  const pairs = typed.split('\n').flatMap((line): [string, string][] => {
    if (line.trim() === '') return []
    const at = line.indexOf('=')
    return [[line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]]
  })
  return pairs.length > 0 && pairs.every(([key, value]) => key && value) ? pairs : undefined
}

const arePairs = (typed: string) => pairsOf(typed) !== undefined

/** `10` and `-0.5` are numbers, `true` and `false` are themselves, all else is text. */
function readValue(typed: string): Json {
  if (typed === 'true' || typed === 'false') return typed === 'true'
  return /^-?\d{1,12}([.,]\d{1,6})?$/.test(typed) ? Number(typed.replace(',', '.')) : typed
}

// Not shown in the document: what `voice_modify` holds.
const modification = z.record(z.string(), json)
const pronunciation = z.strictObject({ word: z.string().min(1), replacement: z.string().min(1) })

const voice = [
  text('voice_setting.voice_id', {
    label: { ru: 'Голос', en: 'Voice' },
    hint: { ru: 'Идентификатор голоса или клона голоса.', en: 'The id of a voice or of a voice clone.' },
    audience: 'card',
    source: 'voices',
    max: 200,
  }),
  number('voice_setting.speed', {
    label: { ru: 'Скорость', en: 'Speed' },
    hint: { ru: 'От 0,5 до 2; 1 — обычная.', en: 'From 0.5 to 2; 1 is usual.' },
    audience: 'card',
    // The document wants the object and nothing in it; the usual speed, always written, makes it be there.
    required: 'object',
    min: 0.5,
    max: 2,
    default: 1,
    suggestions: [0.5, 0.75, 1, 1.25, 1.5, 2],
  }),
  choice('voice_setting.emotion', {
    label: { ru: 'Эмоция', en: 'Emotion' },
    audience: 'card',
    values: ['happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral'],
    labels: {
      happy: { ru: 'Радость', en: 'Happy' },
      sad: { ru: 'Грусть', en: 'Sad' },
      angry: { ru: 'Гнев', en: 'Angry' },
      fearful: { ru: 'Страх', en: 'Fearful' },
      disgusted: { ru: 'Отвращение', en: 'Disgusted' },
      surprised: { ru: 'Удивление', en: 'Surprised' },
      neutral: { ru: 'Спокойно', en: 'Neutral' },
    },
  }),
  number('voice_setting.vol', {
    label: { ru: 'Громкость', en: 'Volume' },
    hint: { ru: 'От 0 до 10.', en: 'From 0 to 10.' },
    audience: 'advanced',
    min: 0,
    max: 10,
    suggestions: [0.5, 1, 2, 5],
  }),
  number('voice_setting.pitch', {
    label: { ru: 'Высота', en: 'Pitch' },
    hint: { ru: 'В полутонах, целое от −12 до 12.', en: 'In semitones, whole, from -12 to 12.' },
    audience: 'advanced',
    min: -12,
    max: 12,
    integer: true,
    suggestions: [-6, -3, 0, 3, 6],
  }),
  toggle('voice_setting.english_normalization', {
    label: { ru: 'Английские слова по правилам', en: 'Normalize English words' },
    hint: {
      ru: 'Выравнивает английские слова в речи на другом языке.',
      en: 'Normalizes English words inside speech in another language.',
    },
    audience: 'advanced',
    default: false,
  }),
] as const

// The document prints the rates and channels bare: they are taken as numbers.
const audio = [
  choice('audio_setting.format', {
    label: { ru: 'Формат', en: 'Format' },
    hint: {
      ru: 'MP3 и WAV придут голосовым сообщением, FLAC и PCM — файлом.',
      en: 'MP3 and WAV come as a voice message, FLAC and PCM as a file.',
    },
    audience: 'advanced',
    values: ['mp3', 'wav', 'flac', 'pcm'],
    labels: {
      mp3: { ru: 'MP3', en: 'MP3' },
      wav: { ru: 'WAV', en: 'WAV' },
      flac: { ru: 'FLAC', en: 'FLAC' },
      pcm: { ru: 'PCM', en: 'PCM' },
    },
    // Not in the document: what Telegram plays as a voice message without being converted.
    default: 'mp3',
    columns: 4,
  }),
  choice('audio_setting.sample_rate', {
    label: { ru: 'Частота, Гц', en: 'Sample rate, Hz' },
    audience: 'advanced',
    values: [8000, 16000, 22050, 24000, 32000, 44100],
  }),
  choice('audio_setting.bitrate', {
    label: { ru: 'Битрейт, бит/с', en: 'Bitrate, bps' },
    audience: 'advanced',
    values: [32000, 64000, 128000, 256000],
    columns: 4,
  }),
  choice('audio_setting.channel', {
    label: { ru: 'Каналы', en: 'Channels' },
    audience: 'advanced',
    values: [1, 2],
    labels: { 1: { ru: 'Моно', en: 'Mono' }, 2: { ru: 'Стерео', en: 'Stereo' } },
  }),
] as const

export const speechTurbo = defineModel({
  id: 'MODEL-SPEECH-TURBO',
  label: { ru: 'Голос Турбо', en: 'Turbo voice' },
  modality: 'audio',
  commands: ['speech'],
  capabilities: ['async', 'text_to_speech'],
  status: 'active',
  endpoint: '/v1/audio/speech',
  mode: 'either',
  callbackPath: undefined,
  fields: [
    text('text', {
      label: { ru: 'Текст', en: 'Text' },
      hint: {
        ru: 'Что прочитать вслух, до 10 000 знаков.',
        en: 'What to read aloud, up to 10,000 characters.',
      },
      audience: 'asked',
      required: true,
      max: 10_000,
    }),
    ...voice,
    choice('language_boost', {
      label: { ru: 'Язык', en: 'Language' },
      hint: { ru: 'Подсказка, на каком языке текст.', en: 'A hint which language the text is in.' },
      audience: 'advanced',
      values: languages,
      labels: languageLabels,
    }),
    parsedText(
      'pronunciation_dict',
      { 'pronunciation_dict.tone': z.array(pronunciation) },
      {
        label: { ru: 'Произношение', en: 'Pronunciation' },
        hint: {
          ru: 'По строке на слово: слово = как читать.',
          en: 'One word a line: word = how to read it.',
        },
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
        label: { ru: 'Обработка голоса', en: 'Voice effects' },
        hint: {
          ru: 'Высота, сила, тембр и эффекты, по строке на каждый: pitch = 10.',
          en: 'Pitch, intensity, timbre and effects, one a line: pitch = 10.',
        },
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
    ...audio,
    toggle('subtitle_enable', {
      label: { ru: 'Субтитры', en: 'Subtitles' },
      audience: 'advanced',
      default: false,
    }),
    choice('output_format', {
      label: { ru: 'Вид ответа', en: 'Form of the answer' },
      audience: 'operator',
      values: ['url', 'hex'],
      default: 'hex',
    }),
    toggle('stream', {
      label: { ru: 'Поток', en: 'Streaming' },
      audience: 'operator',
      default: false,
    }),
    asTask,
  ],
  rules: [{ kind: 'values', when: { stream: [true] }, path: 'output_format', values: ['hex'] }],
  rates: { character: { roubles: '39.62', per: 1_000_000 } },
  cost: ({ text }) => ({ unit: 'character', quantity: codePoints(text), rate: 'character', count: 1 }),
  delivers: () => ({ kind: 'voice', count: 1 }),
})
