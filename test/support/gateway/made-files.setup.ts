// One folder per test run for the files that the local gateways make. They are shared because the same spec gives the same file, and
// encoding a song takes seconds.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the made files. */
    madeFiles: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-made-files-'))
  project.provide('madeFiles', folder)
  return () => rm(folder, { recursive: true, force: true })
}
