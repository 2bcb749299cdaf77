// Keeps the state in one JSON file beside the media, so that a restarted sandbox shows the old chats. The file is
// replaced by a rename: a process killed while writing leaves the previous one whole.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { emptyState, type State } from './state.ts'

const debounceMs = 200
/** Of the time, at most this part goes into writing, however large the state has grown. */
const share = 1 / 20

/** Only we write this file, so the version stands for the shape. */
const savedState = z.custom<State>(
  (value) => z.looseObject({ version: z.literal(1) }).safeParse(value).success,
)

export interface Storage {
  readonly state: State
  /** Writes soon, once for all that changes meanwhile. */
  changed(): void
  close(): void
}

function load(path: string): State {
  let saved: string
  try {
    saved = readFileSync(path, 'utf8')
  } catch {
    return emptyState()
  }
  const parsed = savedState.safeParse(JSON.parse(saved))
  if (!parsed.success)
    throw new Error(`${path} is of another version of the sandbox: delete it to start anew`)
  return { ...emptyState(), ...parsed.data }
}

export function openStorage(folder: string, clock: Clock): Storage {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'telegram.json')
  const state = load(path)
  const closing = new AbortController()
  let dirty = false
  let pauseMs = debounceMs

  const write = () => {
    if (!dirty) return
    dirty = false
    const begun = performance.now()
    writeFileSync(`${path}.new`, JSON.stringify(state))
    renameSync(`${path}.new`, path)
    pauseMs = Math.max(debounceMs, (performance.now() - begun) / share)
  }

  return {
    state,
    changed() {
      if (dirty || closing.signal.aborted) return
      dirty = true
      void clock.wait(pauseMs, closing.signal).then(write)
    },
    close() {
      write()
      closing.abort()
    },
  }
}
