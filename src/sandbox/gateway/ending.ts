// How a task will end: well, unless a fault is scripted or the prompt says otherwise. The marks let a person at the chat
// page see an unhappy end: `[fail]`, `[cancel]`, `[stuck]`, and `[partial]`, which yields one result fewer than ordered; with
// `[extra]` other files come with the results.

import type { Fault } from '../faults.ts'
import { type CompanionFormat, usualCompanions } from './companions/companion.ts'
import type { Task } from './task.ts'

export interface Ending {
  readonly ending: Task['ending']
  readonly error?: string
  /** How many of the ordered results there will be. */
  readonly results: number
  /** What comes beside them, or in their place. */
  readonly companions: readonly CompanionFormat[]
}

interface Ordered {
  readonly prompt: string
  readonly modality: Task['modality']
  readonly results: number
}

const reasons = {
  failed: 'The model could not make a result from this prompt. Nothing was charged.',
  canceled: 'The task was canceled by the gateway. Nothing was charged.',
  stuck: undefined,
} as const

const marks = { '[fail]': 'failed', '[cancel]': 'canceled', '[stuck]': 'stuck' } as const

export function endingOf({ prompt, modality, results: ordered }: Ordered, fault: Fault | undefined): Ending {
  if (fault?.kind === 'task') return bad(fault.status, fault.error)
  for (const [mark, status] of Object.entries(marks)) if (prompt.includes(mark)) return bad(status)
  const results = prompt.includes('[partial]') ? Math.max(1, ordered - 1) : ordered
  const usual = usualCompanions(modality)
  if (fault?.kind === 'files') {
    return { ending: 'completed', results: fault.instead ? 0 : results, companions: fault.formats ?? usual }
  }
  return { ending: 'completed', results, companions: prompt.includes('[extra]') ? usual : [] }
}

function bad(ending: keyof typeof reasons, said?: string): Ending {
  const error = said ?? reasons[ending]
  return { ending, results: 0, companions: [], ...(error === undefined ? {} : { error }) }
}
