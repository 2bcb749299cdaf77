// Writes server-sent events ("Format of the stream events: not shown") in every framing that the standard allows.

import type { TextPersonality } from '../personality.ts'

export interface Event {
  /** The name of the event, if the format of the operation has names. */
  readonly name?: string | undefined
  readonly data: unknown
}

type Way = Pick<TextPersonality, 'framing' | 'split' | 'end'>

const jsonLines = (data: unknown, framing: Way['framing']): string[] =>
  typeof data === 'string'
    ? [data]
    : JSON.stringify(data, null, framing === 'lines' ? 1 : undefined).split('\n')

function linesOf({ name, data }: Event, { framing }: Way, index: number): string[] {
  const isTight = framing === 'tight'
  const lines = jsonLines(data, framing).map((line) => (isTight ? `data:${line}` : `data: ${line}`))
  const named = name ? [`event: ${name}`] : []
  const comments = framing === 'comments' ? [': keep-alive', '', ':', ''] : []
  const more = isTight ? [`id: ${index}`, 'retry:3000'] : []
  return [...comments, ...named, ...more, ...lines, '']
}

export function streamOf(events: readonly Event[], way: Way): Buffer {
  const all = way.end === 'done' ? [...events, { data: '[DONE]' }] : events
  const lines = all.flatMap((event, index) => linesOf(event, way, index))
  const newline = way.framing === 'crlf' ? '\r\n' : way.framing === 'cr' ? '\r' : '\n'
  const text = lines.map((line) => line + newline).join('')
  const kept = way.end === 'open' ? text.slice(0, -newline.length) : text
  return Buffer.from(way.framing === 'bom' ? `\ufeff${kept}` : kept)
}

/** Splits the stream into the chunks in which it is sent. */
export function chunksOf(stream: Buffer, { split, framing }: Way): Buffer[] {
  if (split === 'once') return [stream]
  const size = 11
  if (split === 'bytes') {
    return Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      stream.subarray(index * size, (index + 1) * size),
    )
  }
  const end = framing === 'crlf' ? '\r\n\r\n' : framing === 'cr' ? '\r\r' : '\n\n'
  return stream
    .toString()
    .split(new RegExp(`(?<=${end})`))
    .map((chunk) => Buffer.from(chunk))
}
