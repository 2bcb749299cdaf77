// Decides how a task will end: it completes, unless a scripted fault or a mark in the prompt says otherwise. The marks are for users of the
// chat page: `[fail]`, `[cancel]`, `[stuck]`, `[partial]` (one result fewer than ordered), `[extra]` (companion files with the results) and
// `[gone]` (the first file cannot be read, see cdn.ts).

import type { Fault } from '../faults.ts'
import type { CompanionFormat } from './artifact-spec.ts'
import type { Task } from './task.ts'

interface Ending {
  readonly ending: Task['ending']
  readonly error?: string
  /** The number of ordered results that are made. */
  readonly results: number
  /** Files delivered with the results, or instead of them. */
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
} as const

const marks = { '[fail]': 'failed', '[cancel]': 'canceled', '[stuck]': 'stuck' } as const

const usualCompanions: Readonly<Record<Task['modality'], readonly CompanionFormat[]>> = {
  object3d: ['fbx', 'obj', 'usdz', 'zip'],
  audio: ['srt'],
  video: ['srt'],
  image: ['json'],
}

export function endingOf({ prompt, modality, results: ordered }: Ordered, fault: Fault | undefined): Ending {
  const marked = Object.entries(marks).find(([mark]) => prompt.includes(mark))?.[1]
  const { status = marked, error } = fault?.kind === 'task' ? fault : {}
  if (status === 'stuck') return { ending: 'stuck', results: ordered, companions: [] }
  if (status) return unsuccessful(status, error)
  const results = prompt.includes('[partial]') ? Math.max(1, ordered - 1) : ordered
  const usual = usualCompanions[modality]
  if (fault?.kind === 'files') {
    return { ending: 'completed', results: fault.instead ? 0 : results, companions: fault.formats ?? usual }
  }
  return { ending: 'completed', results, companions: prompt.includes('[extra]') ? usual : [] }
}

const unsuccessful = (ending: keyof typeof reasons, error: string = reasons[ending]): Ending => ({
  ending,
  results: 0,
  companions: [],
  error,
})
