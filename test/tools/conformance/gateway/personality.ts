// Switches for everything that gateway-api.md leaves open ("not shown"): each value is one way in which a real gateway may behave. A
// personality has one value of each switch. The first value of a switch is the one that the document suggests most.

/** The shapes of error bodies. */
const errors = ['object', 'string', 'text', 'html', 'detail', 'detail string', 'array', 'strings'] as const

const switches = {
  /** The state and the status that answer the creation; `result 200` answers with the result although a task was asked for. */
  creation: [
    'queued',
    'processing',
    'completed without data',
    'completed 202',
    'completed 200',
    'result 200',
  ],
  /** The field in which the task is nested. */
  envelope: ['none', 'task', 'data'],
  /** The words for states: as documented, otherwise written, or others. */
  states: ['documented', 'upper', 'capital', 'synonyms', 'vendor'],
  /** Task ids: also JSON numbers, and such with signs that a path must escape. */
  ids: ['uuid', 'number', 'signs'],
  /** Fields without a value, undocumented fields, and the first result while the task is still processing. */
  extras: ['none', 'nulls', 'empty', 'many', 'early data'],
  /** Whether a poll has status, data and error only. */
  poll: ['full', 'bare'],
  /** What is made: also a cover or subtitles beside it, a ZIP archive, another format, more files. */
  files: ['asked', 'cover', 'subtitles', 'archive', 'other', 'several'],
  /** Addresses of artifacts: also without extension, behind two redirects, with a signature in the query. */
  address: ['plain', 'bare', 'redirect', 'signed'],
  /** The type and length of artifacts; `untyped` ones have a name in Content-Disposition. */
  headers: ['exact', 'chunked', 'general', 'untyped', 'upper'],
  callbackForm: ['json', 'form', 'get', 'array', 'text', 'none'],
  /** The field of a callback with the id of the task. */
  callbackId: ['id', 'taskId', 'task_id', 'generation_id', 'nested', 'deep', 'beside a vendor id'],
  /** When callbacks come: `early` ones before the creation is answered; with `each` one for each state, the last three times. */
  callbackTime: ['ready', 'early', 'each', 'only early'],
  errors,
  /** The reason of a failed task. */
  taskError: ['string', 'object', 'list', 'none'],
  /** Whether image data has an empty b64_json beside the address. */
  images: ['url', 'both'],
} as const

const textSwitches = {
  errors,
  /** Token counts: in the last chunk, in one of their own, in every chunk, not at all, of the answer only, null. */
  usage: ['full', 'separate', 'repeated', 'missing', 'partial', 'nulls'],
  /** Ends of lines; comments between events, data in several lines, no space after `data:`, a byte order mark. */
  framing: ['plain', 'crlf', 'cr', 'comments', 'lines', 'tight', 'bom'],
  /** The chunks of the stream; `bytes` splits lines and code points. */
  split: ['events', 'bytes', 'once'],
  /** The end of the stream: with [DONE], without, and without the empty line after the last event. */
  end: ['done', 'none', 'open'],
  /** The first chunk: the role, no choices, null content, or text. */
  start: ['role', 'empty', 'nulls', 'none'],
  /** The reason of the end: in a chunk of its own, beside the last text, in the words of the vendor. */
  finish: ['stop', 'together', 'vendor'],
  tools: ['pieces', 'whole', 'no index', 'stop as reason', 'empty names'],
  /** The name of the field that carries the reasoning text of a model; with `none` it is not sent. */
  thoughts: ['none', 'reasoning_content', 'reasoning'],
  /** Whether JSON is answered although a stream was asked for. */
  answer: ['stream', 'json'],
  /** Undocumented fields and events, null annotations and citations. */
  extras: ['none', 'many'],
} as const

type Switches = Readonly<Record<string, readonly string[]>>
type ValuesOf<S extends Switches> = { readonly [K in keyof S]: S[K][number] }

export type Personality = ValuesOf<typeof switches>
export type TextPersonality = ValuesOf<typeof textSwitches>

/**
 * The personality of the n-th order of a seed. Every order takes the next value of each switch, so that a few orders of a seed use all
 * values. Which values are combined depends on the seed.
 */
const pick = (all: Switches, seed: number, order: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all).map(([name, values]) => {
      const round = Math.floor(order / values.length)
      return [name, values[(order + hashOf(seed, name, round)) % values.length] ?? '']
    }),
  )

export const personalityOf = (seed: number, order: number): Personality =>
  pick(switches, seed, order) as Personality

export const textPersonalityOf = (seed: number, order: number): TextPersonality =>
  pick(textSwitches, seed, order) as TextPersonality

export const inWords = (personality: Personality | TextPersonality): string =>
  Object.entries(personality)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')

/** A number below 2^32 that is computed from words (FNV-1a with a final mix). */
function hashOf(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of words.join('\u0000')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
