// MODEL-MUSIC (`v5_5`): songs and instrumental music. Source: gateway-api.md, "Music: MODEL-MUSIC".

import { z } from 'zod'
import type { Answers, Called, Label } from './field.ts'
import { choice, number, text, toggle } from './fields.ts'
import { defineModel } from './model.ts'

const isCustom = ({ customMode }: Answers) => customMode === true

function wordsCalled(answers: Answers): Called | undefined {
  if (!isCustom(answers)) return undefined
  if (answers.instrumental === true) return { label: 'field-words-not-sung', hint: 'hint-music-not-sung' }
  return { label: 'field-lyrics', hint: 'hint-music-lyrics' }
}

const weight = (path: 'styleWeight' | 'weirdnessConstraint', label: Label, hint: Label) =>
  number(path, {
    label,
    hint,
    audience: 'advanced',
    min: 0,
    max: 1,
    suggestions: [0.25, 0.5, 0.75, 1],
  })

// gateway-api.md gives lengths by version label and does not say which label `v5_5` has. It is later than `V4_5`, so the column
// "V4_5 and later" applies.
const maxLyrics = 5000
const maxDescription = 500
const maxStyle = 1000
const maxTitle = 100

/** Genres that one tap adds to the style. */
const genres = ['pop', 'rock', 'hip-hop', 'electronic', 'folk', 'jazz', 'ballad', 'lullaby'] as const

/** The whole words within the first 60 characters, or as much of the first word. */
const beginning = /^.{1,60}(?!\S)|^.{60}/u

/** The first line of the lyrics that is no tag, or else the style. */
function usualTitle({ prompt, style }: Answers): string | undefined {
  const lines = [prompt, style].flatMap((words) => (typeof words === 'string' ? words.split('\n') : []))
  const line = lines.map((one) => one.trim()).find((one) => /\p{L}/u.test(one) && !one.startsWith('['))
  return line && beginning.exec(line)?.[0].replace(/[\s,.;:!-]+$/u, '')
}

const card = [
  toggle('customMode', {
    label: 'field-my-own-lyrics',
    // For instrumental music this toggle only opens the style and the title.
    called: ({ instrumental }) =>
      instrumental === true ? { label: 'field-own-style-and-title' } : undefined,
    audience: 'card',
    asks: 'prompt',
    required: true,
    default: false,
  }),
  toggle('instrumental', {
    label: 'field-no-vocals',
    audience: 'card',
    required: true,
    default: false,
    states: { on: 'option-without-vocals', off: 'option-with-vocals' },
  }),
  text('style', {
    label: 'field-style',
    hint: 'hint-music-style',
    audience: 'card',
    max: maxStyle,
    suggestions: genres.map((value) => ({ value, label: `genre-${value}` as const, set: {} })),
    many: true,
    when: isCustom,
  }),
  text('title', {
    label: 'field-title',
    hint: 'hint-music-title',
    audience: 'card',
    max: maxTitle,
    usual: usualTitle,
    when: isCustom,
  }),
  choice('vocalGender', {
    label: 'field-vocals',
    audience: 'advanced',
    values: ['f', 'm'],
    labels: { f: 'option-female', m: 'option-male' },
    columns: 2,
    when: ({ instrumental }) => instrumental !== true,
  }),
] as const

const advanced = [
  text('negativeTags', {
    label: 'field-what-to-avoid',
    hint: 'hint-music-negative-tags',
    audience: 'advanced',
    // gateway-api.md gives no limit; the limit of the style is used.
    max: maxStyle,
  }),
  weight('styleWeight', 'field-style-weight', 'hint-music-style-weight'),
  weight('weirdnessConstraint', 'field-weirdness', 'hint-music-weirdness'),
  // The influence of an input sound. No field of gateway-api.md takes one, so it would change nothing for a user.
  number('audioWeight', { label: 'field-audio-weight', audience: 'operator', min: 0, max: 1 }),
  text('personaId', {
    label: 'field-persona',
    hint: 'hint-music-persona-id',
    audience: 'advanced',
    max: 200,
    when: isCustom,
  }),
  choice('personaModel', {
    label: 'field-persona-use',
    audience: 'advanced',
    values: ['style_persona', 'voice_persona'],
    labels: { style_persona: 'option-style', voice_persona: 'option-voice' },
    default: 'style_persona',
    columns: 2,
    when: (answers) => isCustom(answers) && answers.personaId !== undefined,
  }),
] as const

export const music = defineModel({
  id: 'MODEL-MUSIC',
  gatewayId: 'v5_5',
  label: 'model-music',
  modality: 'audio',
  commands: ['music'],
  capabilities: ['async', 'text_to_music'],
  status: 'active',
  endpoint: '/v1/audio/generations',
  mode: 'async',
  callbackPath: 'callBackUrl',
  fields: [
    text('prompt', {
      label: 'field-song',
      hint: 'hint-music-prompt',
      called: wordsCalled,
      audience: 'asked',
      max: maxLyrics,
    }),
    ...card,
    ...advanced,
    text('callBackUrl', {
      label: 'field-callback-address',
      audience: 'system',
      required: true,
      max: 2000,
      schema: z.url({ protocol: /^https?$/ }),
    }),
  ],
  rules: [
    { kind: 'requires', when: { customMode: [false] }, anyOf: ['prompt'] },
    { kind: 'requires', when: { customMode: [true], instrumental: [false] }, anyOf: ['prompt'] },
    { kind: 'requires', when: { customMode: [true] }, anyOf: ['style'] },
    { kind: 'requires', when: { customMode: [true] }, anyOf: ['title'] },
    { kind: 'limit', when: { customMode: [false] }, path: 'prompt', max: maxDescription },
    { kind: 'only', when: { customMode: [true] }, paths: ['personaId'] },
  ],
  rates: { request: { roubles: '6.6', per: 1 } },
  cost: () => ({ unit: 'request', quantity: 1, rate: 'request', count: 1 }),
  delivers: () => ({ kind: 'audio', count: 1, files: 2 }),
})
