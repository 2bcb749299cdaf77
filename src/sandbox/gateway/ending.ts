// How a task will end: well, unless a fault is scripted or the prompt says otherwise. The marks let a person at the chat
// page see an unhappy end: `[fail]`, `[cancel]`, `[stuck]`, and `[partial]`, which yields one result fewer than ordered.

import type { Fault } from '../faults.ts'
import type { Task } from './task.ts'

export interface Ending {
  readonly ending: Task['ending']
  readonly error?: string
  /** How many of the ordered results there will be. */
  readonly results: number
}

const reasons = {
  failed: 'The model could not make a result from this prompt. Nothing was charged.',
  canceled: 'The task was canceled by the gateway. Nothing was charged.',
  stuck: undefined,
} as const

const marks = { '[fail]': 'failed', '[cancel]': 'canceled', '[stuck]': 'stuck' } as const

export function endingOf(prompt: string, ordered: number, fault: Fault | undefined): Ending {
  if (fault?.kind === 'task') return bad(fault.status, fault.error)
  for (const [mark, status] of Object.entries(marks)) if (prompt.includes(mark)) return bad(status)
  return { ending: 'completed', results: prompt.includes('[partial]') ? Math.max(1, ordered - 1) : ordered }
}

function bad(ending: keyof typeof reasons, said?: string): Ending {
  const error = said ?? reasons[ending]
  return { ending, results: 0, ...(error === undefined ? {} : { error }) }
}
