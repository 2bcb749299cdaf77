// Collects everything of a stream except the text: usage, tool calls, sources, finish reason. Its memory is bounded, whatever the
// gateway sends.

import { z } from 'zod'
import { type ChatEnd, endOf, type Source, type ToolCall } from './chat-answer.ts'
import type { CallPart, Step } from './chat-events.ts'

const mostCalls = 32
/** The longest arguments of one call, in characters; longer calls are ignored. */
const longestArguments = 64 * 1024
const mostSources = 100

const object = z.record(z.string(), z.unknown())

interface Sum {
  add(step: Step): void
  hasFinished(): boolean
  end(): ChatEnd
}

export function createSum(): Sum {
  const usage: Record<string, unknown> = {}
  const calls = createCalls()
  const sources: Source[] = []
  let finish: string | undefined
  return {
    add(step) {
      Object.assign(usage, object.safeParse(step.usage).data)
      finish = step.finish || finish
      for (const call of step.calls ?? []) calls.add(call)
      sources.push(...(step.sources ?? []).slice(0, mostSources - sources.length))
    },
    hasFinished: () => finish !== undefined,
    end: () => endOf(usage, finish, calls.whole(), sources),
  }
}

function createCalls() {
  const calls = new Map<number, ToolCall>()
  const tooLong = new Set<number>()
  return {
    add({ index, id, name, arguments: args }: CallPart) {
      const before = calls.get(index)
      if (tooLong.has(index) || (!before && calls.size >= mostCalls)) return
      const all = (before?.arguments ?? '') + (args ?? '')
      calls.set(index, { id: id || before?.id || '', name: name || before?.name || '', arguments: all })
      if (all.length > longestArguments) tooLong.add(index)
    },
    whole: () => [...calls].filter(([index]) => !tooLong.has(index)).map(([, call]) => call),
  }
}
