// The operator's settings of the catalog, from one JSON file (`CATALOG_FILE`): real ids, paths, margins, surcharges, rates, on/off.

import { z } from 'zod'
import type { BareKey } from '../text-keys.ts'
import { json } from './request.ts'

// The languages that a speech model can be told to expect: the values of the gateway and their labels.

export const languages = [
  'Chinese',
  'Chinese,Yue',
  'English',
  'Arabic',
  'Russian',
  'Spanish',
  'French',
  'Portuguese',
  'German',
  'Turkish',
  'Dutch',
  'Ukrainian',
  'Vietnamese',
  'Indonesian',
  'Japanese',
  'Italian',
  'Korean',
  'Thai',
  'Polish',
  'Romanian',
  'Greek',
  'Czech',
  'Finnish',
  'Hindi',
  'Bulgarian',
  'Danish',
  'Hebrew',
  'Malay',
  'Persian',
  'Slovak',
  'Swedish',
  'Croatian',
  'Filipino',
  'Hungarian',
  'Norwegian',
  'Slovenian',
  'Catalan',
  'Nynorsk',
  'Tamil',
  'Afrikaans',
  'auto',
] as const
type Language = (typeof languages)[number]

/** The only value that is not valid as part of a key of the locale files. */
const cantonese = 'Chinese,Yue'

const labelOf = (language: Language): BareKey =>
  language === cantonese ? 'language-Cantonese' : `language-${language}`

export const languageLabels = Object.fromEntries(
  languages.map((language) => [language, labelOf(language)]),
) as Record<Language, BareKey>

// Decimal numbers in the operator's settings. They are quoted, since a JSON number is not exact.

const roubles = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'write a decimal in quotes, like "18.49"')

export const aboveZero = roubles.refine(
  (text) => !/^[0.]+$/.test(text),
  'write a decimal above zero, like "18.49"',
)

const scalar = z.union([z.string(), z.number(), z.boolean()])
const words = z.string().min(1).max(40)
const wordsByLanguage = z
  .record(z.string().regex(/^[a-z]{2,3}(-\w+)?$/, 'write a language, like "ru"'), words)
  .refine((label) => Object.keys(label).length > 0, {
    error: 'write it in at least one language, like {"ru": "4k"}',
  })

/** A higher price for requests that match all conditions of `when`, by path. */
const surcharge = z
  .strictObject({
    /** A value, a list of accepted values, or `{"min": 2}` for numbers and for the length of lists and texts. */
    when: z.record(
      z.string(),
      z.union([scalar, z.array(scalar).min(1), z.strictObject({ min: z.number() })], {
        error: 'write a value, a list of values, or {"min": 2}',
      }),
    ),
    /** The label for the user, by language; by default the label of the option. */
    label: wordsByLanguage.exactOptional(),
    /** Multiplies the price without additions; at least one. */
    multiplier: roubles.regex(/^0*[1-9]/, 'a surcharge never makes cheaper: write "1" or more').default('1'),
    /** An addition to the user's price in roubles, multiplied by the units of `per` only. */
    add: roubles.default('0'),
    per: z.enum(['second', 'result', 'request']).default('request'),
  })
  .refine(({ when }) => Object.keys(when).length > 0, {
    path: ['when'],
    error: 'write when it applies, like {"resolution": "4k"}',
  })

export const modelSettings = z.strictObject({
  /** The real id at the gateway; by default that of gateway-api.md. A model without one is not offered. */
  gatewayId: z.string().regex(/^\S+$/, 'write the id of the model at the gateway, without spaces').optional(),
  path: z
    .string()
    .regex(
      /^(\/[\w.~%:-]+)+$/,
      'write a path like "/v1/images/generations", without spaces and without / at the end',
    )
    .optional(),
  enabled: z.boolean().default(true),
  /** Whether it opens before the other models of its first command. */
  first: z.boolean().default(false),
  /** The name that users read, by language; by default that of the model. */
  label: z.union([words, wordsByLanguage]).exactOptional(),
  /** The greatest length of a text, or the greatest number, by field, where the id takes less than gateway-api.md says. */
  limits: z.record(z.string(), z.number().positive()).default({}),
  /** The fields that the id does not take. */
  without: z.array(z.string()).default([]),
  /** User price = gateway price x multiplier + surcharges, rounded up once. */
  multiplier: aboveZero.default('1'),
  /** The price is rounded up to a multiple of this, in roubles. */
  rounding: z
    .string()
    .regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,2})?$/, 'write roubles in quotes, like "0.01", "0.10", "1" or "5"')
    .default('0.01'),
  surcharges: z.array(surcharge).max(10).default([]),
  /** How long a task may run before its order is refunded; by default this is derived from the times of the model's earlier tasks. */
  giveUpAfterMinutes: z.int().min(1).max(1440).exactOptional(),
  /** How long an order usually takes, in seconds, as long as too few orders of the model tell it. */
  usualSeconds: z.int().min(1).max(7200).exactOptional(),
  /** Gateway rates that differ from gateway-api.md; null means unknown, and then the model cannot be ordered. */
  rates: z.record(z.string(), aboveZero.nullable()).default({}),
  /** Fixed request values for all orders, by path: `{"safety.mode": "fast"}`. Users do not see their fields. */
  request: z.record(z.string(), json).default({}),
  /** Other names that the gateway has for fields which gateway-api.md does not show, by path: `{"turns.text": "content"}`. */
  names: z.record(z.string(), z.string().regex(/^\w{1,60}$/, 'write the name of a field')).default({}),
  /** Numbers that the gateway takes as texts, by path: `["audio_setting.sample_rate"]`. */
  asText: z.array(z.string()).default([]),
  /** Initial values of fields, by request path: `{"resolution": "720p"}`. Users may change them. */
  defaults: z.record(z.string(), json).default({}),
  /** A program with its arguments that prints a fresh upload address for each order; `{generation}` is the id of the order. */
  uploadCommand: z.array(z.string().min(1)).min(1).max(20).exactOptional(),
  /** Voices that are offered as buttons; any other id can be typed. */
  voices: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(200),
        label: z.union([words, wordsByLanguage]).exactOptional(),
        gender: z.enum(['female', 'male']).exactOptional(),
        /** The language that the voice speaks best. */
        language: z.enum(languages).exclude(['auto']).exactOptional(),
        /** What users hear before they choose the voice. */
        sample: z
          .string()
          .regex(/^(https?:\/\/\S{4,500}|[\w-]{20,200})$/, 'write an address, or a file id of Telegram')
          .exactOptional(),
      }),
    )
    .max(60)
    // A keyboard has at most 100 buttons.
    .refine((voices) => voices.filter(({ sample }) => sample).length <= 30, 'write at most 30 samples')
    .default([]),
  /** Names of values of fields, which are offered as buttons: `{"animation_action_id": [{"value": 12, "label": "Jump"}]}`. */
  options: z
    .record(
      z.string(),
      z
        .array(z.strictObject({ value: z.union([z.string(), z.number()]), label: words.or(wordsByLanguage) }))
        .max(60),
    )
    .default({}),
  /** A deprecated model stands behind the others; by default as gateway-api.md says. */
  status: z.enum(['active', 'deprecated']).exactOptional(),
  /** The vendor of the model, in lower case as the gateway's catalog writes it. */
  vendor: z
    .string()
    .regex(/^[^\sA-Z][^A-Z]{0,39}$/, 'write it in lower case')
    .exactOptional(),
})

export type Surcharge = z.output<typeof surcharge>
export type ModelSettings = z.output<typeof modelSettings>
export type CatalogSettings = Readonly<Record<string, ModelSettings>>

export const defaultModelSettings: ModelSettings = modelSettings.parse({})

// Turns zod's issues into sentences that say what to write. Messages that the schemas define themselves are kept.

const written: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number without quotes',
  int: 'a whole number without quotes',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
}

const own = /^Invalid (input|option|key)|^Too (small|big)|^Unrecognized/

export function whatToWrite(issue: z.core.$ZodIssue): string {
  // The schema defines the message itself.
  if (issue.code !== 'unrecognized_keys' && !own.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `write ${written[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `write ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'too_small':
      return `write ${issue.origin === 'string' ? 'a text that is not empty' : `at least ${issue.minimum}`}`
    case 'too_big':
      return `write at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'unrecognized_keys':
      return `there is no setting ${issue.keys.map((key) => `"${key}"`).join(' and ')}: correct or remove it`
    default:
      return issue.message
  }
}

export const noField = (path: string): string =>
  `no field "${path}": correct or remove it (npm run catalog -- --fields lists the fields)`

/** The place of an issue, like `textModels[0].request.n`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')

/** The message of an error on one line, without the name of its class. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
