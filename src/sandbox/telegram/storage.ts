// Keeps the state in one JSON file beside the media, so that chats survive a restart. The file is replaced by a rename: a process
// that is killed during a write leaves the previous file intact.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { completeState, emptyState, type State } from './state.ts'

const debounceMs = 200
/** The largest share of time that writes may take; the pause between writes grows with the size of the state. */
const writeShare = 1 / 20

/** Only this program writes the file, so its version implies its shape. */
const savedState = z.custom<State>(
  (value) => z.looseObject({ version: z.literal(1) }).safeParse(value).success,
)

interface Storage {
  readonly state: State
  /** Requests a write after a pause, which includes all changes until then. */
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
  if (!parsed.success) {
    throw new Error(`${path} was written by another version of the sandbox: delete it to start anew`)
  }
  return completeState(parsed.data)
}

/** @param isKept false if nothing is to be written */
export function openStorage(folder: string, clock: Clock, isKept: boolean): Storage {
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
    pauseMs = Math.max(debounceMs, (performance.now() - begun) / writeShare)
  }

  return {
    state,
    changed() {
      if (!isKept || dirty || closing.signal.aborted) return
      dirty = true
      void clock.wait(pauseMs, closing.signal).then(write)
    },
    close() {
      write()
      closing.abort()
    },
  }
}
