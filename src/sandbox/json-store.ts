// State in one JSON file that survives restarts. The file is replaced by a rename; calls of `save` during a write share the next write.

import { mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { z } from 'zod'

/**
 * @param isKept false if nothing is to be written
 * @returns the saved state, which the caller changes; and `save`, which resolves when the present state is on the disk
 */
export function openStore<S>(path: string, schema: z.ZodType<S>, empty: S, isKept: boolean) {
  mkdirSync(dirname(path), { recursive: true })
  const state = load(path, schema) ?? empty
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  const write = async () => {
    next = undefined
    await writeFile(`${path}.new`, JSON.stringify(state))
    await rename(`${path}.new`, path)
  }
  return {
    state,
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
  if (parsed.success) return parsed.data
  throw new Error(`${path} was written by another version of the sandbox: delete it to start anew`)
}
