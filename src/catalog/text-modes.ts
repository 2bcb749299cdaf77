// The fields of each text operation, by family: nothing else is sent, and an operator's `request` is checked against them. Source:
// gateway-api.md, "Chat and text operations". It lists the fields of chat completions for the Gemini-style family and of the messages
// format. Where it lists none or only some, the public names of the format are used: only those that this app needs or an operator may
// want, and none that the app could not honour (`n` and `candidateCount` would charge for answers that nobody reads).

import { z } from 'zod'
import type { Json } from './field.ts'
import { nest } from './request.ts'

export const families = ['assistant', 'gemini', 'gpt', 'grok', 'deepseek', 'mistral', 'minimax'] as const
export type Family = (typeof families)[number]

export const operations = ['chat', 'messages', 'responses', 'native'] as const
export type Operation = (typeof operations)[number]

/** Fields of a body, by path. */
interface Fields {
  /** Fields that only the app writes. */
  readonly app: readonly string[]
  /** Fields that are allowed in the operator's `request`. */
  readonly operator: readonly string[]
}

/** "Chat-completions body fields for the models of the family that runs through a compatibility layer". */
const geminiChat: Fields = {
  app: ['model', 'messages', 'stream', 'max_completion_tokens', 'max_tokens', 'tools', 'tool_choice'],
  operator: ['temperature', 'top_p', 'stop', 'seed', 'response_format', 'reasoning_effort', 'extra_body'],
}

/** gateway-api.md names no fields for the other families. These are the public names of the format, as far as they are needed here. */
const otherChat: Fields = {
  app: [
    'model',
    'messages',
    'stream',
    'stream_options',
    'max_completion_tokens',
    'max_tokens',
    'tools',
    'tool_choice',
    'web_search_options',
  ],
  operator: [
    'temperature',
    'top_p',
    'stop',
    'seed',
    'response_format',
    'reasoning_effort',
    'frequency_penalty',
    'presence_penalty',
  ],
}

/** gateway-api.md names all but `system`, `tools` and `stream`. */
const messages: Fields = {
  app: ['model', 'max_tokens', 'messages', 'thinking', 'system', 'tools', 'stream'],
  operator: ['cache_control', 'top_k', 'mcp_servers'],
}

/** gateway-api.md names `model`, `input` and `tools`. */
const responses: Fields = {
  app: ['model', 'input', 'tools', 'instructions', 'max_output_tokens', 'stream'],
  operator: ['temperature', 'top_p', 'reasoning', 'text', 'store'],
}

/** gateway-api.md names some native parameters without their places. The places of the vendor's public format are used. */
const native: Fields = {
  app: ['model', 'contents', 'systemInstruction', 'tools', 'generationConfig.maxOutputTokens'],
  operator: [
    'generationConfig.temperature',
    'generationConfig.topP',
    'generationConfig.topK',
    'generationConfig.seed',
    'generationConfig.stopSequences',
    'generationConfig.presencePenalty',
    'generationConfig.frequencyPenalty',
    'generationConfig.responseMimeType',
    'generationConfig.responseSchema',
    'generationConfig.thinkingConfig',
    'safetySettings',
    'toolConfig',
    'cachedContent',
  ],
}

export function fieldsOf(operation: Operation, family: Family): Fields {
  switch (operation) {
    case 'chat':
      return family === 'gemini' ? geminiChat : otherChat
    case 'messages':
      return messages
    case 'responses':
      return responses
    case 'native':
      return native
  }
}

/** The names of chat fields in other operations, if these have such a field. */
const renamed: Readonly<Record<Operation, Readonly<Record<string, string>>>> = {
  chat: {},
  messages: {},
  responses: { reasoning_effort: 'reasoning.effort' },
  native: {
    temperature: 'generationConfig.temperature',
    top_p: 'generationConfig.topP',
    seed: 'generationConfig.seed',
    stop: 'generationConfig.stopSequences',
  },
}

/** The path of an operator's field in an operation; undefined when the operation does not take it. */
export function pathIn(operation: Operation, family: Family, name: string): string | undefined {
  const path = renamed[operation][name] ?? name
  const { operator } = fieldsOf(operation, family)
  return operator.some((one) => path === one || path.startsWith(`${one}.`)) ? path : undefined
}

/** Whether the app itself writes the field, in any operation. */
export const isOfApp = (name: string, family: Family): boolean =>
  operations.some((operation) => fieldsOf(operation, family).app.includes(name))

/** The paths of a body: its keys, and those inside of `generationConfig`. */
export function pathsIn(body: object): string[] {
  const entries: [string, unknown][] = Object.entries(body)
  return entries.flatMap(([name, value]) =>
    name === 'generationConfig' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
}

/** The paths of a body that the operation does not take. The operator's ways of asking for modes may have any. */
export function unlisted(
  operation: Operation,
  { family, modes }: Pick<Abilities, 'family' | 'modes'>,
  body: object,
): string[] {
  const { app, operator } = fieldsOf(operation, family)
  const own = Object.values(modes).flatMap(({ body, depths = {} }) =>
    [body, ...Object.values(depths)].flatMap(pathsIn),
  )
  return pathsIn(body).filter((path) => ![app, operator, own].some((known) => known.includes(path)))
}

/** The fields of a body that no mode may write. */
export const isEssential = (name: string): boolean =>
  ['model', 'messages', 'input', 'contents', 'system', 'instructions', 'stream'].includes(name)

type LimitField = 'max_tokens' | 'max_completion_tokens'

/**
 * The field that limits the answer's length in chat completions. The newer models of the GPT-style and Grok-style families take
 * `max_completion_tokens` only; gateway-api.md lists both for the Gemini-style family.
 */
export const limitFields: Readonly<Record<Family, LimitField>> = {
  assistant: 'max_tokens',
  gemini: 'max_completion_tokens',
  gpt: 'max_completion_tokens',
  grok: 'max_completion_tokens',
  deepseek: 'max_tokens',
  mistral: 'max_tokens',
  minimax: 'max_tokens',
}

// The modes that a user can switch on in a conversation, and the gateway operation of a question. A mode is offered only if it will be
// sent: each mode belongs to one operation of the family, and modes of different operations exclude each other.

export const modeNames = ['thinking', 'search', 'code'] as const
export type ModeName = (typeof modeNames)[number]

/** What users choose beside modes; everything is as usual without a choice. */
export const choices = z.object({
  /** How long the model thinks. */
  depth: z.enum(['short', 'long']).exactOptional(),
  creativity: z.enum(['exact', 'free']).exactOptional(),
  /** How long the answer is. */
  length: z.enum(['short', 'long']).exactOptional(),
  format: z.enum(['json']).exactOptional(),
})
export type Choices = Readonly<z.output<typeof choices>>
const choiceNames = choices.keyof().options
/** Every value of every choice, like `length-short`. */
export const choiceValues = Object.entries(choices.shape).flatMap(([name, value]) =>
  ['usual', ...value.unwrap().options].map((one) => `${name}-${one}`),
)
export type ChoiceName = keyof Choices
type Depth = NonNullable<Choices['depth']>
export type Modes = Readonly<Record<ModeName, boolean>> & Choices

/** How a mode is asked for: through which operation, by which fields of its body, and by which tools beside the bot's functions. */
interface Asked {
  readonly operation: Operation
  readonly body: Readonly<Record<string, Json>>
  readonly tools?: readonly Readonly<Record<string, Json>>[]
  /** Of thinking: the fields that a depth replaces; without them there is no choice of a depth. */
  readonly depths?: Readonly<Record<Depth, Readonly<Record<string, Json>>>>
}

export const abilityNames = [
  ...modeNames,
  'vision',
  'tools',
  'audio',
  'creativity',
  'length',
  'json',
] as const
type Ability = (typeof abilityNames)[number]

/** gateway-api.md names inline data; in the chat format it is `input_audio`. */
export const soundOperations = ['chat', 'native'] as const

/** The properties of a text model that decide its modes. */
export interface Abilities {
  readonly family: Family
  readonly abilities: readonly Ability[]
  /** The longest answer, in tokens. */
  readonly maxOutput: number
  /** The operator's parameters. */
  readonly request: Readonly<Record<string, Json>>
  /** The operator's ways of asking for modes, in place of those of the family. */
  readonly modes: Readonly<Partial<Record<ModeName, Asked>>>
  /** The values that the choices of users stand for. */
  readonly choices?: Readonly<Partial<Record<'exact' | 'free', number>>>
  /** How a question with sound is asked, in place of the family's usual way. */
  readonly sound?: { readonly operation?: 'chat' | 'native' }
}

export const noModes: Modes = { thinking: false, search: false, code: false }

interface Routes {
  /** The operation for parameters of the operator that chat completions do not take. */
  readonly features?: Operation
  /** The modes that the family has, in order of precedence; a mode that is not listed is never offered. */
  readonly modes: Readonly<Partial<Record<ModeName, Asked>>>
}

const effort: Asked = {
  operation: 'chat',
  body: { reasoning_effort: 'medium' },
  depths: { short: { reasoning_effort: 'low' }, long: { reasoning_effort: 'high' } },
}
const onlyThinking: Routes = { modes: { thinking: effort } }
const webSearch: Asked = { operation: 'responses', body: {}, tools: [{ type: 'web_search' }] }
const interpreter = (item: Readonly<Record<string, Json>>): Asked => ({
  operation: 'responses',
  body: {},
  tools: [{ type: 'code_interpreter', ...item }],
})
const builtIn = (tool: string): Asked => ({ operation: 'native', body: {}, tools: [{ [tool]: {} }] })

/** gateway-api.md, "Chat and text operations" and "Routing facts". Where it does not show a body, the public one of the format is used. */
const routes: Readonly<Record<Family, Routes>> = {
  // "native features of the assistant family (thinking, …)"; web search goes through "the default path".
  assistant: {
    features: 'messages',
    modes: {
      // The object `thinking` with its budget, which depends on the length of the answer, is written by chat/bodies.ts.
      thinking: { operation: 'messages', body: {}, depths: { short: {}, long: {} } },
      search: { operation: 'chat', body: { web_search_options: {} } },
    },
  },
  gemini: {
    features: 'native',
    modes: { search: builtIn('googleSearch'), code: builtIn('codeExecution'), thinking: effort },
  },
  // "built-in web search or code interpreter for two vendor families". The GPT-style vendor requires a container.
  gpt: { modes: { search: webSearch, code: interpreter({ container: { type: 'auto' } }), thinking: effort } },
  grok: { modes: { search: webSearch, code: interpreter({}), thinking: effort } },
  // "Web search is not supported for" these.
  deepseek: onlyThinking,
  mistral: onlyThinking,
  minimax: onlyThinking,
}

/** The modes of a model in order of precedence, with the operator's ways of asking for them. */
const askedBy = ({ family, modes }: Pick<Abilities, 'family' | 'modes'>): [ModeName, Asked][] => {
  const all = { ...routes[family].modes, ...modes }
  const names = [...Object.keys(routes[family].modes), ...modeNames]
  return modeNames
    .toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
    .flatMap((mode): [ModeName, Asked][] => {
      const asked = all[mode]
      return asked ? [[mode, asked]] : []
    })
}

/** What asks for these modes together. */
export function askedFor(model: Pick<Abilities, 'family' | 'modes'>, wanted: Modes) {
  const all = askedBy(model).flatMap(([mode, asked]) => (wanted[mode] ? [asked] : []))
  const { depth } = wanted
  const bodies = all.map((asked) => ({ ...asked.body, ...(depth && asked.depths?.[depth]) }))
  const body: Asked['body'] = Object.assign({}, ...bodies)
  return { body, tools: all.flatMap(({ tools = [] }) => tools) }
}

/** Thinking takes at least 1024 tokens, and the answer needs tokens too. */
export const leastWithThinking = 2048

const operationOf = (model: Pick<Abilities, 'family' | 'modes'>, mode: ModeName): Operation | undefined =>
  askedBy(model).find(([name]) => name === mode)?.[1].operation

/** The modes that both the operator's `abilities` and the family allow. */
export const modesOf = (model: Abilities): readonly ModeName[] =>
  modeNames.filter(
    (mode) =>
      model.abilities.includes(mode) &&
      operationOf(model, mode) !== undefined &&
      (mode !== 'thinking' || model.maxOutput >= leastWithThinking),
  )

/** The wanted modes that are sent with a question: those of one operation. The first mode of the family's list decides. */
export function sentModes(model: Abilities, wanted: Modes): Modes {
  const offered = modesOf(model).filter((mode) => wanted[mode])
  const first = askedBy(model).find(([mode]) => offered.includes(mode))?.[1].operation
  const sent = (mode: ModeName) => offered.includes(mode) && operationOf(model, mode) === first
  const modes = { thinking: sent('thinking'), search: sent('search'), code: sent('code') }
  const choosable = choicesOf(model, modes)
  const unsent = choiceNames.filter((name) => !choosable.includes(name))
  return unsent.reduce(withoutChoice, { ...wanted, ...modes })
}

function withoutChoice(modes: Modes, name: ChoiceName): Modes {
  const { [name]: _, ...others } = modes
  return others
}

/** @param value one that is not of the choice removes it, such as `usual` */
export const withChoice = (modes: Modes, name: ChoiceName, value: string): Modes => ({
  ...withoutChoice(modes, name),
  ...choices.safeParse({ [name]: value }).data,
})

/**
 * What users can choose with these modes. A temperature is refused or ignored beside thinking, and JSON beside search and code.
 * @param modes those that are sent
 */
export function choicesOf(model: Abilities, modes: Modes): readonly ChoiceName[] {
  const { abilities, family } = model
  const operation = operationFor(model, modes)
  const isOffered: Readonly<Record<ChoiceName, boolean>> = {
    depth: modes.thinking && hasDepths(model),
    creativity:
      abilities.includes('creativity') &&
      !modes.thinking &&
      pathIn(operation, family, 'temperature') !== undefined,
    length: abilities.includes('length'),
    format: abilities.includes('json') && !modes.search && !modes.code && jsonFields[operation] !== undefined,
  }
  return choiceNames.filter((name) => isOffered[name])
}

const jsonFields: Readonly<Partial<Record<Operation, Readonly<Record<string, Json>>>>> = {
  chat: { response_format: { type: 'json_object' } },
  native: { 'generationConfig.responseMimeType': 'application/json' },
}

/** Not above the greatest temperature that vendors of every family take. */
const temperatures = { exact: 0.2, free: 1 }

/** The fields of the chosen creativity and format, for the operation of the question. */
export function chosenFields(
  operation: Operation,
  { family, choices: own }: Pick<Abilities, 'family' | 'choices'>,
  { creativity, format }: Choices,
) {
  const path = creativity && pathIn(operation, family, 'temperature')
  return nest({
    ...(creativity && path ? { [path]: own?.[creativity] ?? temperatures[creativity] } : {}),
    ...(format ? jsonFields[operation] : {}),
  })
}

/** Whether users can choose how long the model thinks. */
export const hasDepths = (model: Pick<Abilities, 'family' | 'modes'>): boolean =>
  askedBy(model).some(([mode, { depths }]) => mode === 'thinking' && depths !== undefined)

interface Switched {
  readonly modes: Modes
  /** Modes that were on and are off now, because the switched mode excludes them. */
  readonly excluded: readonly ModeName[]
}

/**
 * Switches one mode on or off. Modes that cannot be sent together with it are switched off; modes that the model does not offer keep
 * their state.
 */
export function withMode(model: Abilities, wanted: Modes, mode: ModeName, isOn: boolean): Switched {
  const before = sentModes(model, wanted)
  const fits = (other: ModeName) => !isOn || operationOf(model, other) === operationOf(model, mode)
  const excluded = modesOf(model).filter((other) => before[other] && !fits(other))
  const offered = Object.fromEntries(
    modesOf(model).map((other) => [other, before[other] && !excluded.includes(other)]),
  )
  return { modes: { ...wanted, ...offered, [mode]: isOn }, excluded }
}

/** The operations that a family can use at all. */
export const operationsOf = (model: Pick<Abilities, 'family' | 'modes'>): readonly Operation[] => [
  ...new Set(
    [
      'chat' as const,
      routes[model.family].features ?? [],
      askedBy(model).map(([, { operation }]) => operation),
    ].flat(2),
  ),
]

/** The operation without modes: chat completions, unless a parameter of the operator needs the family's other one. */
export function usualOperation({ family, request }: Pick<Abilities, 'family' | 'request'>): Operation {
  const { features } = routes[family]
  const needs = (path: string) =>
    pathIn('chat', family, path) === undefined && features && pathIn(features, family, path) !== undefined
  return features && pathsIn(request).some(needs) ? features : 'chat'
}

/** The operation of a question with sound: the family that has inline data takes it there, others as `input_audio`. */
export const soundOperation = ({ family, sound }: Pick<Abilities, 'family' | 'sound'>) =>
  sound?.operation ?? (family === 'gemini' ? 'native' : 'chat')

/** @param modes as returned by `sentModes` */
export function operationFor(
  model: Pick<Abilities, 'family' | 'request' | 'modes' | 'sound'>,
  modes: Modes,
  hasSound = false,
): Operation {
  const mode = modeNames.find((one) => modes[one])
  const usual = hasSound ? soundOperation(model) : usualOperation(model)
  return (mode && operationOf(model, mode)) ?? usual
}

/** Whether a question can have sound: it goes through one operation only, so a mode of another one excludes it. */
export const hears = (model: Abilities, modes: Modes): boolean =>
  model.abilities.includes('audio') && operationFor(model, modes, true) === soundOperation(model)

/** Whether a question can have pictures: `input` of the responses format is a string. */
export const seesPictures = (model: Abilities, modes: Modes): boolean =>
  model.abilities.includes('vision') && operationFor(model, modes) !== 'responses'

/**
 * Whether the bot's functions are sent. The native pass-through takes them only without built-in tools (search, code), and newer models of
 * the GPT-style family refuse them together with thinking in chat completions.
 */
export function takesTools(model: Abilities, modes: Modes): boolean {
  const operation = operationFor(model, modes)
  const isNative = operation === 'native' && modeNames.some((mode) => modes[mode])
  const isRefused = isNative || (operation === 'chat' && model.family === 'gpt' && modes.thinking)
  // Vendors refuse functions beside JSON, and a card is no JSON.
  return model.abilities.includes('tools') && !isRefused && modes.format === undefined
}
