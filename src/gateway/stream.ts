// Reads an answer, streamed or whole: bytes become JSON values, and these become pieces and finally a summary. The first bytes decide
// how a body is read, since labels are often wrong. A failure after the start has an unknown outcome, because the answer may have been
// charged.

import { createParser } from 'eventsource-parser'
import {
  type Bit,
  type CallPart,
  type ChatEnd,
  type ChatPiece,
  endOf,
  type Picture,
  type Source,
  type ToolCall,
} from './chat-content.ts'
import { createUsage, readEvent, type Step } from './chat-events.ts'
import { GatewayMalformed, GatewayUnknownOutcome, malformed, masked, type Secret } from './errors.ts'
import type { Call, Http, Incoming } from './http.ts'
import { createPictureTaker } from './text-pictures.ts'

/** The longest text in characters, far above that of any model; it limits the memory of one answer. Pictures have their own limit. */
const longestAnswer = 4 * 1024 * 1024
/** The longest event, which may be a picture. */
const longestEvent = 32 * 1024 * 1024

export async function* readStream(
  http: Http,
  call: Call,
  signal?: AbortSignal,
): AsyncGenerator<ChatPiece, void, undefined> {
  const incoming = await http.open(call, signal)
  const sum = createSum()
  let isComplete = false
  try {
    yield* piecesOf(http.secret, call, incoming, sum)
    isComplete = true
  } catch (error) {
    yield* sum.rest()
    throw error
  } finally {
    incoming.drop(isComplete ? 'little' : 'unknown')
  }
  yield* sum.rest()
  yield sum.end()
}

async function* piecesOf(
  secret: Secret,
  { operation }: Call,
  { chunks }: Incoming,
  sum: AnswerSum,
): AsyncGenerator<ChatPiece, void, undefined> {
  for await (const value of valuesIn(secret, operation, untilBroken(chunks, sum), sum)) {
    const step = readEvent(value)
    const pieces = sum.add(step)
    if (sum.length() > longestAnswer) throw new GatewayMalformed(operation, 'the answer has no end')
    yield* pieces
    if (step.failure !== undefined)
      throw new GatewayUnknownOutcome(operation, `the stream failed: ${step.failure}`, { said: step.failure })
    if (step.isLast) return
  }
  // Some gateways omit the end marker; the text is complete once there is a finish reason.
  if (!sum.hasFinished())
    throw new GatewayUnknownOutcome(operation, 'the stream ended without its end marker')
}

/** A connection that breaks after the finish reason does not spoil the answer. */
async function* untilBroken(chunks: AsyncIterable<Uint8Array>, sum: AnswerSum): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    if (error instanceof GatewayMalformed || !sum.hasFinished()) throw error
  }
}

const marker = '[DONE]'

/** The JSON values of a body, and the end marker: also after a whole answer, which needs none. What is no JSON is skipped. */
async function* valuesIn(
  secret: Secret,
  operation: string,
  chunks: AsyncIterable<Uint8Array>,
  sum: AnswerSum,
): AsyncGenerator<unknown> {
  const texts = textsIn(chunks)
  let beginning = ''
  while (!/\S/.test(beginning)) {
    const next = await texts.next()
    if (next.done) break
    beginning += next.value
  }
  if (/^\s*(data|event|id|retry)?:/.test(beginning)) {
    for await (const data of eventsIn(operation, beginning, texts)) yield* valuesOf(secret, data)
    return
  }
  for await (const text of texts) beginning += text
  yield* valuesOf(secret, beginning)
  const whole = secret.parse(beginning)
  if (!sum.hasContent()) throw malformed(operation, whole)
  if (whole !== undefined) yield marker
}

async function* textsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}

/** The data of server-sent events. */
async function* eventsIn(
  operation: string,
  beginning: string,
  texts: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  const events: string[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded'
    },
  })
  const feed = (text: string) => {
    parser.feed(text)
    if (isTooLong) throw new GatewayMalformed(operation, 'an event of the stream has no end')
    return events.splice(0)
  }
  yield* feed(beginning)
  for await (const text of texts) yield* feed(text)
  // The last event may lack its empty line.
  yield* feed('\n\n')
}

/** Reads one JSON value, a list of values, or one a line, as they also come in bodies and events. */
function valuesOf(secret: Secret, text: string): unknown[] {
  const trimmed = text.trimEnd()
  const isLast = trimmed.endsWith(marker)
  const before = isLast ? trimmed.slice(0, -marker.length).trimEnd() : trimmed
  const values = jsonIn(secret, before.endsWith('data:') ? before.slice(0, -'data:'.length) : before)
  return isLast ? [...values, marker] : values
}

const mostLines = 100_000

function jsonIn(secret: Secret, text: string): unknown[] {
  const whole = secret.parse(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  const lines = text.split('\n', mostLines).map((line) => line.replace(/^\s*(data:)?/, ''))
  return lines.flatMap((line) => {
    const value = secret.parse(line)
    return value === undefined ? [] : [value]
  })
}

// Puts the content of an answer together: what is new becomes pieces, the rest is collected until the end. Its memory is bounded,
// whatever the gateway sends.

const mostSources = 100
const mostPictures = 10
/** The most bytes of all pictures. */
const mostPictureBytes = 40 * 1024 * 1024
const longestRefusal = 4000

type AnswerSum = ReturnType<typeof createSum>

function createSum() {
  const usage = createUsage()
  const calls = createCalls()
  const pictures: Picture[] = []
  let pictureBytes = 0
  const sources = new Map<string, Source>()
  const said = { text: '', thinking: '', refusal: '' }
  const taker = createPictureTaker()
  let hasContent = false
  let finish: string | undefined

  /** Pictures are repeated in the last event of a stream. @returns false for one that is known, or too much */
  const isFresh = (picture: Picture): boolean => {
    const bytes = 'bytes' in picture ? picture.bytes.length : 0
    if (pictures.length === mostPictures || pictureBytes + bytes > mostPictureBytes) return false
    if (pictures.some((one) => isSame(one, picture))) return false
    pictures.push(picture)
    pictureBytes += bytes
    return true
  }
  /** Keeps a piece. @returns it unless it is a picture that is already known */
  const told = (piece: ChatPiece): ChatPiece[] => {
    if ('text' in piece) said.text += piece.text
    else if ('thinking' in piece) said.thinking += piece.thinking
    else if ('picture' in piece && !isFresh(piece.picture)) return []
    return [piece]
  }
  const rest = (): ChatPiece[] => taker.end().flatMap(told)

  const collect = (bit: Bit, isWhole: boolean): ChatPiece[] => {
    if ('call' in bit) isWhole ? calls.addWhole(bit.call) : calls.add(bit.call)
    else if ('source' in bit && sources.size < mostSources) sources.set(bit.source.url, bit.source)
    else if ('refusal' in bit) said.refusal += isWhole ? missing(said.refusal, bit.refusal) : bit.refusal
    else if ('picture' in bit) return told(bit)
    return []
  }
  const added = (bit: Bit): ChatPiece[] => {
    if ('text' in bit) return taker.take(bit.text).flatMap(told)
    return 'thinking' in bit ? told(bit) : collect(bit, false)
  }
  const whole = (bits: readonly Bit[]): ChatPiece[] => {
    const fresh = createPictureTaker()
    const inText = bits.flatMap((bit) => ('text' in bit ? fresh.take(bit.text) : []))
    const all = [...inText, ...fresh.end()]
    const text = missing(said.text, all.map((one) => ('text' in one ? one.text : '')).join(''))
    const thoughts = bits.map((bit) => ('thinking' in bit ? bit.thinking : '')).join('')
    const thinking = missing(said.thinking, thoughts)
    return [
      ...(thinking ? told({ thinking }) : []),
      ...(text ? told({ text }) : []),
      ...all.flatMap((one) => ('picture' in one ? told(one) : [])),
      ...bits.flatMap((bit) => collect(bit, true)),
    ]
  }

  return {
    /** @returns what the step adds to the answer */
    add(step: Step): ChatPiece[] {
      for (const one of step.usage) usage.add(one)
      finish = step.finish ?? finish
      hasContent ||= step.added.length + step.whole.length > 0 || step.finish !== undefined
      const pieces = step.added.flatMap(added)
      return step.whole.length > 0 ? [...pieces, ...rest(), ...step.whole.flatMap(whole)] : pieces
    },
    /** Whether anything of an answer has been read. */
    hasContent: () => hasContent || usage.total() !== undefined,
    /** Whether the finish reason is known: only facts about the answer may follow. */
    hasFinished: () => finish !== undefined,
    /** The length of text and thinking. */
    length: () => said.text.length + said.thinking.length,
    /** @returns the text that was kept back, which may have been the beginning of a picture */
    rest,
    end(): ChatEnd {
      // The words are shown as Markdown, in which the asterisks of a mask would be a style.
      const refusal = masked(said.refusal.slice(0, longestRefusal)).replaceAll('***', '…')
      const known = usage.total()
      const toolCalls = calls.whole()
      return {
        end: endOf(finish, refusal !== ''),
        ...(refusal ? { refusal } : {}),
        ...(known ? { usage: known } : {}),
        ...(toolCalls.length > 0 ? { toolCalls } : {}),
        ...(sources.size > 0 ? { sources: [...sources.values()] } : {}),
      }
    },
  }
}

const leastAlike = 16

/** The part of a whole text that has not been streamed. A text that was streamed otherwise, for example with other spaces, stays as it is. */
function missing(streamed: string, whole: string): string {
  if (whole.startsWith(streamed)) return whole.slice(streamed.length)
  const [before, after] = [streamed.trim(), whole.trim()]
  const isAlike = after.length >= leastAlike && before.startsWith(after.slice(0, leastAlike))
  return isAlike || before.endsWith(after) ? '' : whole
}

function isSame(one: Picture, other: Picture): boolean {
  if ('url' in one) return 'url' in other && one.url === other.url
  return 'bytes' in other && one.bytes.equals(other.bytes)
}

const mostCalls = 32
/** The longest arguments of one call, in characters; longer calls are ignored. */
const longestArguments = 64 * 1024

/** Some vendors send several calls with the same index; a new id begins a new call. */
function createCalls() {
  const calls: ToolCall[] = []
  const current = new Map<number, number>()
  const placeOf = ({ index, id }: CallPart): number => {
    const place = index === undefined ? undefined : current.get(index)
    const known = place === undefined ? undefined : calls[place]?.id
    const isNew = place === undefined || (id && known && id !== known)
    return isNew ? calls.length : place
  }
  return {
    add(part: CallPart) {
      const { index, id, name, arguments: args } = part
      const place = placeOf(part)
      const before = calls[place]
      if (place >= mostCalls || (before && isTooLong(before))) return
      const all = (before?.arguments ?? '') + args
      calls[place] = { id: id || before?.id || '', name: name || before?.name || '', arguments: all }
      if (index !== undefined) current.set(index, place)
    },
    /** Adds a call that may have been streamed before, perhaps without its arguments. */
    addWhole({ id = '', name = '', arguments: args }: CallPart) {
      const known = calls.findIndex((one) =>
        id && one.id ? one.id === id : one.name === name && one.arguments === args,
      )
      const place = known < 0 ? calls.length : known
      const isBetter = args.length > (calls[place]?.arguments.length ?? -1)
      if (place < mostCalls && isBetter) calls[place] = { id, name, arguments: args }
    },
    whole: () => calls.filter((call) => call.name !== '' && !isTooLong(call)),
  }
}

const isTooLong = (call: ToolCall): boolean => call.arguments.length > longestArguments
