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

/** Some vendors send several calls with the same index; a new id begins a new call. */
function createCalls() {
  const calls: ToolCall[] = []
  const current = new Map<number, number>()
  const placeOf = ({ index, id }: CallPart): number => {
    const place = current.get(index)
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
      const all = (before?.arguments ?? '') + (args ?? '')
      calls[place] = { id: id || before?.id || '', name: name || before?.name || '', arguments: all }
      current.set(index, place)
    },
    whole: () => calls.filter((call) => !isTooLong(call)),
  }
}

const isTooLong = (call: ToolCall): boolean => call.arguments.length > longestArguments
