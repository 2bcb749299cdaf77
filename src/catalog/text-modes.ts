// The modes that a user can switch on in a conversation, and the gateway operation of a question. A mode is offered only if it will be
// sent: each mode belongs to one operation of the family, and modes of different operations exclude each other.

import { z } from 'zod'
import type { Json } from './field.ts'
import { nest } from './request.ts'
import { type Family, fieldsOf, type Operation, pathIn, pathsIn } from './text-fields.ts'

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
type Choices = Readonly<z.output<typeof choices>>
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
  'pdf',
  'video',
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
  /** The operator's parameters for one operation. */
  readonly requestFor: Readonly<Partial<Record<Operation, Readonly<Record<string, Json>>>>>
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

/** The paths of a body that the operation does not take. The operator's ways of asking for modes, and `requestFor`, may have any. */
export function unlisted(
  operation: Operation,
  { family, modes, requestFor }: Pick<Abilities, 'family' | 'modes' | 'requestFor'>,
  body: object,
): string[] {
  const { app, operator } = fieldsOf(operation, family)
  const asked = Object.values(modes).flatMap(({ body, depths = {} }) => [body, ...Object.values(depths)])
  const own = [...asked, nest(requestFor[operation] ?? {})].flatMap(pathsIn)
  return pathsIn(body).filter((path) => ![app, operator, own].some((known) => known.includes(path)))
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
const hasDepths = (model: Pick<Abilities, 'family' | 'modes'>): boolean =>
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

/** The operation without modes: chat completions, unless a parameter of the operator needs the family's other one. */
export function usualOperation({ family, request }: Pick<Abilities, 'family' | 'request'>): Operation {
  const { features } = routes[family]
  const needs = (path: string) =>
    pathIn('chat', family, path) === undefined && features && pathIn(features, family, path) !== undefined
  return features && pathsIn(request).some(needs) ? features : 'chat'
}

/** The operation of a question with sound: the family that has inline data takes it there, others as `input_audio`. */
const soundOperation = ({ family, sound }: Pick<Abilities, 'family' | 'sound'>) =>
  sound?.operation ?? (family === 'gemini' ? 'native' : 'chat')

/** What a question can have beside words, and the ability that a model needs for it. */
const abilityFor = { image: 'vision', audio: 'audio', pdf: 'pdf', video: 'video' } as const
export type FileKind = keyof typeof abilityFor
export const fileKinds = ['image', 'audio', 'pdf', 'video'] as const satisfies readonly FileKind[]

/** gateway-api.md names file parts for the native pass-through alone. */
function operationOfFiles(
  model: Pick<Abilities, 'family' | 'sound'>,
  kinds: readonly FileKind[],
): Operation | undefined {
  if (kinds.includes('pdf') || kinds.includes('video')) return 'native'
  return kinds.includes('audio') ? soundOperation(model) : undefined
}

/** @param modes as returned by `sentModes` @param kinds of the files of the question and of those before it */
export function operationFor(
  model: Pick<Abilities, 'family' | 'request' | 'modes' | 'sound'>,
  modes: Modes,
  kinds: readonly FileKind[] = [],
): Operation {
  const mode = modeNames.find((one) => modes[one])
  return (mode && operationOf(model, mode)) ?? operationOfFiles(model, kinds) ?? usualOperation(model)
}

/**
 * Whether a question can have such a file. It goes through one operation only, so a mode of another one excludes it; `input` of the
 * responses format is a string.
 */
export function takes(model: Abilities, modes: Modes, kind: FileKind): boolean {
  if (!model.abilities.includes(abilityFor[kind])) return false
  const operation = operationFor(model, modes, [kind])
  return kind === 'image' ? operation !== 'responses' : operation === operationOfFiles(model, [kind])
}

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
