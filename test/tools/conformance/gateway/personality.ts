// Switches for everything that gateway-api.md leaves open ("not shown"): each value is one way in which a real gateway may behave. A
// personality has one value of each switch. The first value of a switch is the one that the document suggests most.

export const switches = {
  creation: {
    queued: 'the creation answers queued',
    processing: 'the creation answers processing',
    'completed without data': 'the creation answers 202 and completed, the result stands in the poll only',
    'completed 202': 'the creation answers 202 and completed with the result',
    'completed 200': 'the creation answers 200 and completed with the result',
    'result 200': 'models that can answer at once do so, although a task was asked for',
  },
  envelope: {
    none: 'the task is the body',
    task: 'the task is nested: {task: {…}}',
    data: 'the task is nested: {data: {…}}',
  },
  states: {
    documented: 'states as documented',
    upper: 'states in upper case',
    capital: 'states with a capital letter',
    synonyms: 'states are pending, running, succeeded, error, cancelled',
    vendor: 'states are submitted, dreaming, success, failure, cancelled',
  },
  ids: {
    uuid: 'task ids are UUIDs',
    number: 'task ids are JSON numbers',
    signs: 'task ids have signs that a path must escape',
  },
  extras: {
    none: 'only documented fields',
    nulls: 'fields without a value are null',
    empty: 'fields without a value are empty strings and lists',
    many: 'many undocumented fields, some nested',
    'early data': 'the first result is listed while the task is still processing',
  },
  poll: {
    full: 'a poll has all fields of the document',
    bare: 'a poll has status, data and error only',
  },
  files: {
    asked: 'the files that were asked for',
    cover: 'a cover picture beside the result',
    subtitles: 'a text file beside the result',
    archive: 'the result in a ZIP archive',
    other: 'the result in another format than asked',
    several: 'more files than asked',
  },
  address: {
    plain: 'artifact addresses end with the extension',
    bare: 'artifact addresses have no extension',
    redirect: 'artifacts stand behind two redirects, one of them relative',
    signed: 'artifact addresses carry a signature with escaped signs in the query',
  },
  headers: {
    exact: 'artifacts with their type and length',
    chunked: 'artifacts without a length',
    general: 'artifacts as application/octet-stream',
    untyped: 'artifacts without a type, with a file name in Content-Disposition',
    upper: 'artifact types in upper case with a parameter',
  },
  callbackForm: {
    json: 'callbacks as JSON',
    form: 'callbacks as form fields',
    get: 'callbacks by GET',
    array: 'callbacks as a JSON array',
    text: 'callbacks are JSON called text/plain',
    none: 'no callbacks at all',
  },
  callbackId: {
    id: 'the callback names the task in id',
    taskId: 'the callback names the task in taskId',
    task_id: 'the callback names the task in task_id',
    generation_id: 'the callback names the task in generation_id',
    nested: 'the callback names the task in data.task_id',
    deep: 'the callback names the task in payload.task.id',
    'beside a vendor id': "the callback has the vendor's own id in id and the task in taskId",
  },
  callbackTime: {
    ready: 'one callback when the task is ready',
    early: 'a callback before the creation is answered, and one when the task is ready',
    each: 'a callback for each state, the last one three times',
    'only early': 'a callback before the creation is answered and none afterwards',
  },
  errors: {
    object: 'errors are {"error": {"message"}}',
    string: 'errors are {"error": "…"}',
    text: 'errors are plain text',
    html: 'errors are an HTML page',
    detail: 'errors are {"detail": [{"msg"}]}',
    'detail string': 'errors are {"detail": "…"}',
    array: 'errors are [{"error": {"message"}}]',
    strings: 'errors are {"errors": ["…"]}',
  },
  taskError: {
    string: 'a failed task has its reason as a string',
    object: 'a failed task has {message, code} in error',
    list: 'a failed task has a list of errors',
    none: 'a failed task has no reason',
  },
  images: {
    url: 'image data has addresses',
    both: 'image data has an address and an empty b64_json',
  },
} as const

export const textSwitches = {
  fields: {
    public: 'messages and responses take the public fields of their formats too',
    named: 'messages and responses take only the fields that the document names',
  },
  errors: switches.errors,
  usage: {
    full: 'usage in the last chunk',
    separate: 'usage in a chunk of its own without choices',
    repeated: 'usage in every chunk',
    missing: 'no usage',
    partial: 'usage with the tokens of the answer only',
    nulls: 'usage is null',
  },
  framing: {
    plain: 'events end with LF',
    crlf: 'events end with CRLF',
    cr: 'events end with CR',
    comments: 'comments and empty lines between the events',
    lines: 'data in several lines',
    tight: 'no space after data:, and id, event and retry lines',
    bom: 'the stream begins with a byte order mark',
  },
  split: {
    events: 'one chunk for each event',
    bytes: 'chunks that split lines and code points',
    once: 'everything in one chunk',
  },
  end: {
    done: '[DONE] at the end',
    none: 'no [DONE]',
    open: 'no [DONE] and no empty line after the last event',
  },
  start: {
    role: 'a first chunk with the role only',
    empty: 'a first chunk without choices',
    nulls: 'a first chunk whose content is null',
    none: 'the first chunk has text',
  },
  finish: {
    stop: 'the finish reason in a chunk of its own',
    together: 'the finish reason in the last chunk of text',
    vendor: "the vendor's own finish reason",
  },
  tools: {
    pieces: 'tool calls in pieces',
    whole: 'tool calls in one chunk',
    'no index': 'tool calls without an index',
    'stop as reason': 'tool calls that finish with stop',
    'empty names': 'later pieces of a tool call repeat empty id and name',
  },
  thoughts: {
    none: 'no reasoning is shown',
    reasoning_content: 'reasoning in reasoning_content',
    reasoning: 'reasoning in reasoning',
  },
  answer: {
    stream: 'streams when asked to',
    json: 'answers JSON although a stream was asked for',
  },
  extras: {
    none: 'only usual fields and events',
    many: 'undocumented fields and events, null annotations and citations',
  },
} as const

type Switches = Readonly<Record<string, Readonly<Record<string, string>>>>
type ValuesOf<S extends Switches> = { readonly [K in keyof S]: Extract<keyof S[K], string> }

export type Personality = ValuesOf<typeof switches>
export type TextPersonality = ValuesOf<typeof textSwitches>

/** The value for an archive with several results of an order that is priced by result. */
export const sharedArchive = 'files: archive of several results'

/** Values with which the app does not work yet, each with its reason. They are skipped, and every run prints them. */
export const notYet: Readonly<Record<string, string>> = {
  'fields: named':
    'the app sends system, tools, instructions and max_output_tokens, without which there is no persona and no limit of the price',
  [sharedArchive]: 'delivered, but charged as one result: the operator loses the price of the others',
}

/**
 * The personality of the n-th order of a seed. Every order takes the next value of each switch, so that a few orders of a seed use all
 * values. Which values are combined depends on the seed.
 */
function pick<S extends Switches>(all: S, seed: number, order: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).map(([name, values]) => {
      const open = Object.keys(values).filter((value) => !notYet[`${name}: ${value}`])
      const round = Math.floor(order / open.length)
      return [name, shuffled(open, seed, name, round)[order % open.length] ?? '']
    }),
  )
}

export const personalityOf = (seed: number, order: number): Personality =>
  pick(switches, seed, order) as Personality

export const textPersonalityOf = (seed: number, order: number): TextPersonality =>
  pick(textSwitches, seed, order) as TextPersonality

const words = (all: Switches, chosen: Readonly<Record<string, string>>) =>
  Object.entries(chosen).map(([name, value]) => all[name]?.[value] ?? `${name}: ${value}`)

export const inWords = (personality: Personality): string => words(switches, personality).join('; ')
export const textInWords = (personality: TextPersonality): string =>
  words(textSwitches, personality).join('; ')

/** The items in an order that depends only on the words: the same on every machine. */
function shuffled<T>(items: readonly T[], ...words: readonly (string | number)[]): T[] {
  return items
    .map((item, index) => ({ item, key: hashOf(...words, index) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

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
