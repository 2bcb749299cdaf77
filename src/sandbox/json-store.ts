// State in one JSON file that survives restarts. The file is replaced by a rename; calls of `save` during a write share the next write.

import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'

export interface Store<S> {
  readonly loaded: S
  /** Resolves when the present state is on the disk. */
  save(): Promise<void>
}

/** @param isKept false if nothing is to be written */
export function openStore<S>(
  path: string,
  schema: z.ZodType<S>,
  empty: S,
  snapshot: () => S,
  isKept = true,
): Store<S> {
  mkdirSync(dirname(path), { recursive: true })
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const write = async () => {
    next = undefined
    await writeFile(`${path}.new`, JSON.stringify(snapshot()))
    await rename(`${path}.new`, path)
  }
  return {
    loaded: load(path, schema) ?? empty,
    async save() {
      if (!isKept) return
      if (!next) {
        next = last.then(write)
        last = next.catch(() => undefined)
      }
      await next
    },
  }
}

function load<S>(path: string, schema: z.ZodType<S>): S | undefined {
  let saved: string
  try {
    saved = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const parsed = schema.safeParse(JSON.parse(saved))
  if (!parsed.success) {
    throw new Error(`${path} was written by another version of the sandbox: delete it to start anew`)
  }
  return parsed.data
}
