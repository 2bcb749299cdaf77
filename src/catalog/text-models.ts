// Text models. All of them come from the operator (`textModels` in CATALOG_FILE), because gateway-api.md names none. It describes families
// of models: the operations of the families are in `text-modes.ts`, the fields of the operations in `text-fields.ts`.

import { z } from 'zod'
import { decimal, type Fraction, times } from '../money.ts'
import { json } from './request.ts'
import { aboveZero } from './settings.ts'
import { families, limitFields, operations } from './text-fields.ts'
import { modeNames } from './text-modes.ts'
import { requestProblems } from './text-request.ts'

/** A question is only asked when its user can pay for an answer of this many tokens, so a model must allow them. */
export const leastOutput = 200

/** The space for a model's id in the callback data of a button, beside the prefix. */
const maxIdBytes = 60
const fitsButton = (id: string): boolean => new TextEncoder().encode(id).length <= maxIdBytes

const textModelFields = z.strictObject({
  /** The id at the gateway. */
  id: z
    .string()
    .regex(/^\S{1,60}$/, 'write the id of the model at the gateway, without spaces')
    .refine(fitsButton, `write an id of at most ${maxIdBytes} bytes: a button has to hold it`),
  label: z.string().min(1).max(40).optional(),
  family: z.enum(families),
  /** The gateway's rates in roubles per million tokens; a model without rates is not offered. */
  rates: z.strictObject({ input: aboveZero, output: aboveZero }).optional(),
  /** User price = gateway price x multiplier. */
  multiplier: aboveZero.default('1'),
  /** The context size in tokens: question, history and answer together. */
  context: z.int().min(1000).max(10_000_000).default(32_000),
  maxOutput: z.int().min(leastOutput).max(200_000).default(4000),
  abilities: z.array(z.enum([...modeNames, 'vision', 'tools'])).default([]),
  /** Body fields for all questions, under the names of the chat format or of the operation: `{"temperature": 0.3}`, `{"top_k": 40}`. */
  request: z.record(z.string(), json).default({}),
  /** Body fields for the questions that go through one operation. */
  requestFor: z.partialRecord(z.enum(operations), z.record(z.string(), json)).default({}),
  /** The field that limits an answer in chat completions; by default that of the family. */
  outputLimit: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  /** The vendor in the path of the native pass-through. */
  nativeVendor: z
    .string()
    .regex(/^[\w-]+$/)
    .default('gemini'),
})

const textModel = textModelFields.superRefine((model, context) => {
  for (const { path, message } of requestProblems(model)) {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
})

export type TextModel = Readonly<z.output<typeof textModelFields>>

export const textModelList: z.ZodType<readonly TextModel[]> = z
  .array(textModel)
  .refine(
    (list) => new Set(list.map(({ id }) => id)).size === list.length,
    'two models have one id: remove one of them',
  )

export const labelOf = ({ id, label }: TextModel): string => label ?? id

export const outputLimitOf = ({ family, outputLimit }: TextModel) => outputLimit ?? limitFields[family]

/** A model without a price is not offered. */
export const offeredModels = (all: readonly TextModel[]): readonly TextModel[] =>
  all.filter(({ rates }) => rates)

/** The rates from which the price of tokens is computed, in roubles per million. */
export interface TokenRates {
  readonly input: string
  readonly output: string
  readonly multiplier: string
}

export const ratesOf = ({ rates, multiplier }: TextModel): TokenRates | null =>
  rates ? { ...rates, multiplier } : null

/** The user's price in roubles; undefined without rates. */
export function tokenPrice(
  { rates, multiplier }: TextModel,
  tokens: { readonly input: number; readonly output: number },
): Fraction | undefined {
  if (!rates) return undefined
  const perToken = { num: 1n, den: 1_000_000n }
  const side = (rate: string, count: number) =>
    times(decimal(rate), decimal(count), perToken, decimal(multiplier))
  const [input, output] = [side(rates.input, tokens.input), side(rates.output, tokens.output)]
  return { num: input.num * output.den + output.num * input.den, den: input.den * output.den }
}

export const personaNames = ['translator', 'editor', 'teacher', 'programmer', 'cook', 'friend'] as const
export type PersonaName = (typeof personaNames)[number]
