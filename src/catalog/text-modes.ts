// The modes that a user can switch on in a conversation, and the gateway operation of a question. A mode is offered only if it will be
// sent: each mode belongs to one operation of the family, and modes of different operations exclude each other.

import type { Json } from './field.ts'
import { type Family, type Operation, pathIn, pathsIn } from './text-fields.ts'

export const modeNames = ['thinking', 'search', 'code'] as const
export type ModeName = (typeof modeNames)[number]
export type Modes = Readonly<Record<ModeName, boolean>>

/** The properties of a text model that decide its modes. */
export interface Abilities {
  readonly family: Family
  readonly abilities: readonly (ModeName | 'vision' | 'tools')[]
  /** The longest answer, in tokens. */
  readonly maxOutput: number
  /** The operator's parameters. */
  readonly request: Readonly<Record<string, Json>>
}

export const noModes: Modes = { thinking: false, search: false, code: false }

interface Routes {
  /** The operation for parameters of the operator that chat completions do not take. */
  readonly features?: Operation
  /** The operation of each mode that the family has, in order of precedence; a mode that is not listed is never offered. */
  readonly modes: readonly (readonly [ModeName, Operation])[]
}

const onlyThinking: Routes = { modes: [['thinking', 'chat']] }
const withResponses: Routes = {
  modes: [
    ['search', 'responses'],
    ['code', 'responses'],
    ['thinking', 'chat'],
  ],
}

/** gateway-api.md, "Chat and text operations" and "Routing facts". */
const routes: Readonly<Record<Family, Routes>> = {
  // "native features of the assistant family (thinking, …)"; web search goes through "the default path".
  assistant: {
    features: 'messages',
    modes: [
      ['thinking', 'messages'],
      ['search', 'chat'],
    ],
  },
  gemini: {
    features: 'native',
    modes: [
      ['search', 'native'],
      ['code', 'native'],
      ['thinking', 'chat'],
    ],
  },
  // "built-in web search or code interpreter for two vendor families"
  gpt: withResponses,
  grok: withResponses,
  // "Web search is not supported for" these.
  deepseek: onlyThinking,
  mistral: onlyThinking,
  minimax: onlyThinking,
}

/** Thinking takes at least 1024 tokens, and the answer needs tokens too. */
export const leastWithThinking = 2048

const operationOf = ({ family }: Pick<Abilities, 'family'>, mode: ModeName): Operation | undefined =>
  routes[family].modes.find(([name]) => name === mode)?.[1]

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
  const first = routes[model.family].modes.find(([mode]) => offered.includes(mode))
  const sent = (mode: ModeName) => offered.includes(mode) && operationOf(model, mode) === first?.[1]
  return { thinking: sent('thinking'), search: sent('search'), code: sent('code') }
}

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
export const operationsOf = (family: Family): readonly Operation[] => [
  ...new Set(
    [
      'chat' as const,
      routes[family].features ?? [],
      routes[family].modes.map(([, operation]) => operation),
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

/** @param modes as returned by `sentModes` */
export function operationFor(model: Pick<Abilities, 'family' | 'request'>, modes: Modes): Operation {
  const mode = modeNames.find((one) => modes[one])
  return (mode && operationOf(model, mode)) ?? usualOperation(model)
}

/** Whether a question can have pictures: `input` of the responses format is a string. */
export const seesPictures = (model: Abilities, modes: Modes): boolean =>
  model.abilities.includes('vision') && operationFor(model, modes) !== 'responses'

/**
 * Whether the bot's functions are sent. The native pass-through takes them only without built-in tools (search, code), and newer models of
 * the GPT-style family refuse them together with thinking in chat completions.
 */
export function takesTools(model: Abilities, modes: Modes): boolean {
  const operation = operationFor(model, modes)
  const isRefused =
    (operation === 'native' && modeNames.some((mode) => modes[mode])) ||
    (operation === 'chat' && model.family === 'gpt' && modes.thinking)
  return model.abilities.includes('tools') && !isRefused
}
