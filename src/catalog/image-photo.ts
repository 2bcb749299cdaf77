// MODEL-IMAGE-PHOTO: text to photograph, from English only; deprecated. Source: gateway-api.md, "Image: MODEL-IMAGE-PHOTO".

import { z } from 'zod'
import { type Misfit, sameInAll } from './field.ts'
import { asTask, choice, codePoints, compoundChoice, pictures, telegramMessage, text } from './fields.ts'
import { defineModel } from './model.ts'

/** A letter that is not Latin. This does not distinguish English from German. */
const foreignLetter = /[^\P{L}\p{Script=Latin}\p{Script=Common}]/u

const maxTokens = 480
/** The average of English texts; only the vendor can count. */
const charactersPerToken = 4.4

/** An estimate that is rather too low: a word has at least one token. */
function tokensIn(prompt: string): number {
  const words = prompt.split(/\s+/u).filter((word) => word !== '')
  return Math.max(words.length, Math.floor(codePoints(prompt) / charactersPerToken))
}

function misfit(prompt: string): Misfit | undefined {
  if (foreignLetter.test(prompt)) return { reason: 'needs-english' }
  const tokens = tokensIn(prompt)
  const characters = Math.floor(maxTokens * charactersPerToken)
  return tokens > maxTokens ? { reason: 'too-many-tokens', tokens, max: maxTokens, characters } : undefined
}

const englishPrompt = z.string().superRefine((prompt, context) => {
  const found = misfit(prompt)
  if (found) context.addIssue({ code: 'custom', message: found.reason })
})

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
      // gateway-api.md limits tokens.
      max: telegramMessage,
      schema: englishPrompt,
      misfit,
    }),
    choice('aspectRatio', {
      label: 'field-proportions',
      aspect: 'shape',
      audience: 'card',
      values: ['1:1', '3:4', '4:3', '9:16', '16:9'],
      default: '1:1',
    }),
    // The gateway makes four unless it is told otherwise; who tries a model expects one.
    pictures('numberOfImages', 4, 1, 'hint-photo-pictures'),
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
