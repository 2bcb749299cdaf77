// MODEL-IMAGE-PHOTO: text to photograph, from English only; deprecated. Source: gateway-api.md, "Image: MODEL-IMAGE-PHOTO".

import { z } from 'zod'
import { sameInAll } from './field.ts'
import { asTask, choice, compoundChoice, pictures, text } from './fields.ts'
import { defineModel } from './model.ts'

/** A letter that is not Latin. This does not distinguish English from German. */
const foreignLetter = /[^\P{L}\p{Script=Latin}\p{Script=Common}]/u

/** Only the vendor knows the number of tokens, but a word has at least one. */
const maxTokens = 480
const wordsOf = (prompt: string): number => prompt.split(/\s+/u).filter((word) => word !== '').length

const englishPrompt = z
  .string()
  .refine((prompt) => !foreignLetter.test(prompt), 'must be in English')
  .refine((prompt) => wordsOf(prompt) <= maxTokens, `must be at most ${maxTokens} tokens`)

export const imagePhoto = defineModel({
  id: 'MODEL-IMAGE-PHOTO',
  label: 'model-photo',
  modality: 'image',
  commands: ['image'],
  capabilities: ['async', 'text_to_image'],
  status: 'deprecated',
  endpoint: '/v1/images/generations',
  mode: 'either',
  callbackPath: undefined,
  fields: [
    text('prompt', {
      label: 'field-prompt',
      hint: 'hint-photo-prompt',
      audience: 'asked',
      required: true,
      // gateway-api.md limits tokens; this is the length of a Telegram message.
      max: 4096,
      schema: englishPrompt,
      misfit: (typed) => (foreignLetter.test(typed) ? { reason: 'needs-english' } : undefined),
    }),
    choice('aspectRatio', {
      label: 'field-proportions',
      aspect: 'shape',
      audience: 'card',
      values: ['1:1', '3:4', '4:3', '9:16', '16:9'],
      default: '1:1',
    }),
    pictures('numberOfImages', 4, 4, 'hint-photo-pictures'),
    compoundChoice(
      'imageSize',
      { imageSize: z.enum(['1K', '2K']) },
      {
        label: 'field-sharpness',
        audience: 'card',
        // The tier "Fast" does not know this field at all, so the default is not sent.
        options: [
          { value: '1K', label: sameInAll('1K'), set: {}, means: { imageSize: '1K' } },
          { value: '2K', label: sameInAll('2K'), set: { imageSize: '2K' } },
        ],
        default: '1K',
      },
    ),
    choice('personGeneration', {
      label: 'field-people',
      hint: 'hint-photo-person-generation',
      audience: 'advanced',
      values: ['dont_allow', 'allow_adult', 'allow_all'],
      labels: {
        dont_allow: 'option-nobody',
        allow_adult: 'option-adults',
        allow_all: 'option-adults-and-children',
      },
      default: 'allow_adult',
      columns: 1,
    }),
    asTask,
  ],
  rules: [],
  rates: { image: { roubles: '5.28', per: 1 } },
  cost: ({ numberOfImages }) => ({ unit: 'image', quantity: 1, rate: 'image', count: numberOfImages }),
  delivers: ({ numberOfImages }) => ({ kind: 'image', count: numberOfImages }),
})
