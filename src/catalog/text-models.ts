// The operator's parameters of a text model: checked at the start for each operation that a question can reach, and written under the
// names of the operation.

import { z } from 'zod'
import { ceilKopecks, decimal, type Fraction, type Kopecks, times } from '../money.ts'
import type { Json } from './field.ts'
import { json, nest } from './request.ts'
import { aboveZero } from './settings.ts'
import {
  dispensable,
  families,
  fieldsOf,
  isEssential,
  isOfApp,
  limitFields,
  nativeNames,
  type Operation,
  operations,
  pathFor,
  pathIn,
  pathsIn,
  refused,
} from './text-fields.ts'
import {
  type Abilities,
  abilityNames,
  choices,
  type FileKind,
  fileKinds,
  leastWithThinking,
  type ModeName,
  type Modes,
  modeNames,
  modesOf,
  noModes,
  operationFor,
  soundOperations,
  takes,
  usualOperation,
} from './text-modes.ts'

const object = z.record(z.string(), z.unknown())
/** A gateway may merge these fields into the body, where they would change what is asked for. */
const merged = object.superRefine((fields, context) => {
  const ours = Object.keys(fields).filter(
    (name) => fieldsOf('chat', 'gemini').app.includes(name) || refused.includes(name),
  )
  for (const name of ours) context.addIssue({ code: 'custom', message: `remove "${name}" from it` })
})
const penalty = z.number().min(-2).max(2)
const share = z.number().min(0).max(1)
const temperature = z.number().min(0).max(2)
const stop = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

/** The values of an operator's fields, by path; other fields take any value. */
const valueSchemas: Readonly<Record<string, z.ZodType>> = {
  temperature,
  top_p: share,
  stop,
  seed: z.int(),
  response_format: object,
  reasoning_effort: z.string().min(1),
  extra_body: merged,
  frequency_penalty: penalty,
  presence_penalty: penalty,
  cache_control: object,
  top_k: z.int().positive(),
  mcp_servers: z.array(object),
  reasoning: object,
  text: object,
  store: z.boolean(),
  'generationConfig.temperature': temperature,
  'generationConfig.topP': share,
  'generationConfig.topK': z.number().positive(),
  'generationConfig.seed': z.int(),
  // Further candidates would be paid and not read.
  'generationConfig.candidateCount': z.literal(1),
  'generationConfig.stopSequences': z.array(z.string().min(1)).min(1),
  'generationConfig.presencePenalty': penalty,
  'generationConfig.frequencyPenalty': penalty,
  'generationConfig.responseMimeType': z.string().min(1),
  'generationConfig.responseSchema': object,
  'generationConfig.thinkingConfig': object,
  safetySettings: z.array(object),
  toolConfig: object,
  cachedContent: z.string().min(1),
}

/** The operator's fields of an operation, under its names. */
export function requestFields(
  { family, request, requestFor }: Pick<Abilities, 'family' | 'request' | 'requestFor'>,
  operation: Operation,
): Record<string, unknown> {
  const written = (given: typeof request, place: typeof pathIn) =>
    flat(given).flatMap(([name, value]): [string, Json][] => {
      const path = place(operation, family, name)
      return path === undefined ? [] : [[path, valueAt(path, value)]]
    })
  const own = written(requestFor[operation] ?? {}, pathFor)
  return nest(Object.fromEntries([...written(request, pathIn), ...own]))
}

const valueAt = (path: string, value: Json): Json =>
  path === 'generationConfig.stopSequences' && typeof value === 'string' ? [value] : value

/** The fields of a request, by path. */
function flat(request: Readonly<Record<string, Json>>): [string, Json][] {
  const { generationConfig, ...others } = request
  const inner = typeof generationConfig === 'object' ? Object.entries(generationConfig) : []
  return [
    ...Object.entries(others),
    ...inner.map(([name, value]): [string, Json] => [`generationConfig.${name}`, value]),
  ]
}

interface Problem {
  readonly path: readonly string[]
  readonly message: string
}

function requestProblems(model: Abilities): Problem[] {
  const { family, request, requestFor } = model
  const uses = usesOf(model)
  const of = (operation: Operation, name: string, path: readonly string[], place = pathIn): Problem[] => {
    if (place(operation, family, name) !== undefined) return []
    if (isOfApp(name, family)) return [{ path, message: `"${name}" is written by the app: remove it` }]
    const used = uses.get(operation) ?? []
    const why = used.includes(undefined) ? '' : ` (used for ${used.map((use) => `"${use}"`).join(' and ')})`
    const isElsewhere = [...uses.keys()].some((one) => pathFor(one, family, name) !== undefined)
    const advice =
      family === 'gemini' && nativeNames.includes(name)
        ? 'write it into "generationConfig"'
        : `remove it${isElsewhere ? ', or write it into "requestFor" of the operation that takes it' : ''}`
    return [{ path, message: `"${name}" is not taken by ${places[operation]}${why}: ${advice}` }]
  }
  const values = (given: typeof request, path: readonly string[]) =>
    flat(given).flatMap(([name, value]) => wrongValue(name, value, [...path, name]))
  const operationsFor = operations.flatMap((operation): Problem[] => {
    const given = requestFor[operation]
    const path = ['requestFor', operation]
    if (given && !uses.has(operation))
      return [{ path, message: `no question of this model reaches ${places[operation]}, so remove it` }]
    const names = flat(given ?? {}).map(([name]) => name)
    return [
      ...names.flatMap((name) => of(operation, name, [...path, name], pathFor)),
      ...values(given ?? {}, path),
    ]
  })
  // Every operation that a question can reach must accept a field of `request`; one problem of a field is enough.
  const common = pathsIn(request).flatMap((name) =>
    [...uses.keys()].flatMap((operation) => of(operation, name, ['request', name])).slice(0, 1),
  )
  return [...common, ...values(request, ['request']), ...operationsFor]
}

/** The operations that a question can reach, each with the abilities that lead there; undefined for plain questions. */
function usesOf(model: Abilities): ReadonlyMap<Operation, readonly (ModeName | FileKind | undefined)[]> {
  const reachedBy = (use: ModeName | FileKind | undefined): Operation => {
    const mode = modeNames.find((one) => one === use)
    if (mode) return operationFor(model, { ...noModes, [mode]: true })
    const kind = fileKinds.find((one) => one === use)
    return kind ? operationFor(model, noModes, [kind]) : usualOperation(model)
  }
  const kinds = fileKinds.filter((kind) => takes(model, noModes, kind))
  return Map.groupBy([undefined, ...modesOf(model), ...kinds], reachedBy)
}

const places: Readonly<Record<Operation, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  native: 'the native pass-through',
}

/** A path into an object that is not checked by paths, like `extra_body.google`, is checked as a part of that object. */
function wrongValue(name: string, value: Json, path: readonly string[]): Problem[] {
  const [head = name, ...inner] = valueSchemas[name] ? [name] : name.split('.')
  const checked = inner.length === 0 ? value : nest({ [inner.join('.')]: value })
  const issue = valueSchemas[head]?.safeParse(checked).error?.issues[0]
  if (!issue) return []
  return [{ path, message: `"${name}" cannot be ${JSON.stringify(value)}: ${issue.message}` }]
}

// Text models. All of them come from the operator (`textModels` in CATALOG_FILE), because gateway-api.md names none. It describes
// families of models: the operations of the families, and the fields of the operations are in `text-fields.ts`.

/** A question is only asked when its user can pay for an answer of this many tokens, so a model must allow them. */
export const leastOutput = 200

/** The space for a model's id in the callback data of a button, beside the prefix. */
const maxIdBytes = 60
const fitsButton = (id: string): boolean => new TextEncoder().encode(id).length <= maxIdBytes

/** The longest sound of a question: a choice of ours. As a WAV of speech it takes almost the 10 MB of one file in a request. */
const maxSoundSeconds = 300

/** More pages are not read: see media/pdf.ts. */
const maxPdfPages = 300

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
  abilities: z.array(z.enum(abilityNames)).default([]),
  /** How voice messages and other sounds of questions are sent, with the ability `audio`. */
  sound: z
    .strictObject({
      /** By default that of the family. */
      operation: z.enum(soundOperations).exactOptional(),
      /** Used for the estimated price and for the hold; the charge follows the usage that the gateway reports. */
      tokensPerSecond: z.int().min(1).max(10_000).default(32),
      maxSeconds: z.int().min(1).max(maxSoundSeconds).default(maxSoundSeconds),
    })
    .prefault({}),
  /** How PDF files and videos go into the native pass-through, with these abilities: as inline data, or as links to our server. */
  fileData: z.enum(['inline', 'link']).default('inline'),
  /** As `sound`, with the ability `pdf`. Of a PDF with more pages the text is sent. */
  pdf: z
    .strictObject({
      tokensPerPage: z.int().min(1).max(10_000).default(258),
      maxPages: z.int().min(1).max(maxPdfPages).default(100),
    })
    .prefault({}),
  /** As `sound`, with the ability `video`. */
  video: z
    .strictObject({
      tokensPerSecond: z.int().min(1).max(10_000).default(300),
      maxSeconds: z.int().min(1).max(3600).default(300),
    })
    .prefault({}),
  /** What the choices of users stand for, with the abilities `creativity` and `length`: temperatures, and tokens of a short answer. */
  choices: z
    .strictObject({
      exact: temperature.exactOptional(),
      free: temperature.exactOptional(),
      short: z.int().min(leastOutput).default(600),
    })
    .prefault({}),
  /** Body fields for all questions, under the names of the chat format or of the operation: `{"temperature": 0.3}`, `{"top_k": 40}`. */
  request: z.record(z.string(), json).default({}),
  /** Body fields for the questions that go through one operation. */
  requestFor: z.partialRecord(z.enum(operations), z.record(z.string(), json)).default({}),
  /** How modes are asked for, where the gateway does it otherwise: `{"search": {"operation": "chat", "body": {"plugins": ["web"]}}}`. */
  modes: z
    .partialRecord(
      z.enum(modeNames),
      z.strictObject({
        operation: z.enum(operations),
        body: z
          .record(z.string(), json)
          .refine((body) => !Object.keys(body).some(isEssential), 'the app writes what is asked: remove it')
          .default({}),
        tools: z.array(z.record(z.string(), json)).exactOptional(),
        /** Of thinking: further fields by depth. */
        depths: z.record(choices.shape.depth.unwrap(), z.record(z.string(), json)).exactOptional(),
      }),
    )
    .default({}),
  /** Fields that the app writes and this gateway refuses. The persona then stands before the first message. */
  without: z.array(z.enum(dispensable)).default([]),
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

/** The model with the longest answer that the user has chosen; thinking needs tokens beside it. */
export function withLength(model: TextModel, { length, thinking }: Modes): TextModel {
  if (length !== 'short') return model
  const most = model.choices.short + (thinking ? leastWithThinking : 0)
  return { ...model, maxOutput: Math.min(model.maxOutput, most) }
}

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

/** The tokens of a usual question, and of a usual answer: about 200 words each. */
const usualTokens = 300

/** The user's price of a usual question with its answer; undefined without rates. */
export function usualAnswerPrice(model: TextModel): Kopecks | undefined {
  const price = tokenPrice(model, { input: usualTokens, output: usualTokens })
  return price && ceilKopecks(price)
}

export const personaNames = ['translator', 'editor', 'teacher', 'programmer', 'cook', 'friend'] as const
export type PersonaName = (typeof personaNames)[number]
