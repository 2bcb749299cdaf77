// The fields of each text operation, by family: nothing else is sent, and an operator's `request` is checked against them. Source:
// gateway-api.md, "Chat and text operations". It lists the fields of chat completions for the Gemini-style family and of the messages
// format. Where it lists none or only some, the public names of the format are used: only those that this app needs or an operator may
// want, and none that the app could not honour (`n` would charge for answers that nobody reads).

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
    'generationConfig.candidateCount',
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

const inConfig = 'generationConfig.'
/** The names of the fields inside of `generationConfig`. */
export const nativeNames = native.operator.flatMap((path) =>
  path.startsWith(inConfig) ? [path.slice(inConfig.length)] : [],
)

/** The fields of the app that gateway-api.md does not name for every family, without which a question can still be asked. */
export const dispensable = [
  'stream',
  'stream_options',
  'tool_choice',
  'system',
  'instructions',
  'systemInstruction',
  'max_output_tokens',
] as const
export type Dispensable = (typeof dispensable)[number]

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

/** Whether a name is one of these paths, or lies inside of one: `tools.0`. */
const isWithin = (paths: readonly string[], name: string): boolean =>
  paths.some((path) => name === path || name.startsWith(`${path}.`))

/** The path of an operator's field in an operation; undefined when the operation does not take it. */
export function pathIn(operation: Operation, family: Family, name: string): string | undefined {
  const path = renamed[operation][name] ?? name
  const { operator } = fieldsOf(operation, family)
  return isWithin(operator, path) ? path : undefined
}

/** "The fields `n`, … are refused by that family"; `candidateCount` is `n` under its native name. */
export const refused = [
  'n',
  'candidateCount',
  'frequency_penalty',
  'presence_penalty',
  'logprobs',
  'top_logprobs',
]

/** The native format also takes its names in snake case. */
const spelled = (operation: Operation, name: string): string =>
  operation === 'native' ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name

/**
 * The path of a field of `requestFor` in the body of the operation. Unknown fields are sent as they are written, except where gateway-api.md
 * lists all fields of the operation.
 * @returns undefined for a field that is not sent: the app writes it, the vendor refuses it, or it is not in a complete list
 */
export function pathFor(operation: Operation, family: Family, name: string): string | undefined {
  const isListedWhole = operation === 'chat' && family === 'gemini'
  const same = spelled(operation, name)
  const { app } = fieldsOf(operation, family)
  // `generationConfig` has the limit of the answer, so it must not come twice.
  const isOurs =
    isWithin([...app, ...refused], same) || (same !== name && isWithin(['generationConfig'], same))
  return pathIn(operation, family, name) ?? (isListedWhole || isOurs ? undefined : name)
}

/** Whether the app itself writes the field, in any operation. */
export const isOfApp = (name: string, family: Family): boolean =>
  operations.some((operation) => isWithin(fieldsOf(operation, family).app, spelled(operation, name)))

/** The paths of a body: its keys, and those inside of `generationConfig`. */
export function pathsIn(body: object): string[] {
  const entries: [string, unknown][] = Object.entries(body)
  return entries.flatMap(([name, value]) =>
    name === 'generationConfig' && typeof value === 'object' && value !== null
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
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
