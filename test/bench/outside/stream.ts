// Writes a streamed answer of a text model; each word is the time at which it was written.

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /** The time before the first word. */
  readonly firstMs: number
  readonly words: number
  readonly wordMs: number
}

const usual: Pace = { firstMs: 0, words: 1, wordMs: 0 }

const event = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], ...more })}\n\n`
const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
const end = `${event({ delta: {}, finish_reason: 'stop' }, { usage })}data: [DONE]\n\n`

export async function stream(res: ServerResponse, { firstMs, words, wordMs }: Pace = usual): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.flushHeaders()
  await sleep(firstMs)
  for (let word = 0; word < words; word += 1) {
    if (word > 0) await sleep(wordMs)
    res.write(event({ delta: { content: `${performance.now().toFixed(2)} ` } }))
  }
  res.end(end)
}

/** The times in a text. */
export const momentsIn = (text: string): number[] => (text.match(/\d+\.\d\d/g) ?? []).map(Number)
