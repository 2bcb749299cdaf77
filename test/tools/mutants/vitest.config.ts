// The vitest configuration for the tests of a mutant: one file after another in one process, in the given order, with short timeouts.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files, relative to the root. */
const files = (process.env.MUTANTS_FILES ?? '').split(',')
const root = join(import.meta.dirname, '../../..')

class InOrder extends BaseSequencer {
  override async sort(all: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      files.findIndex((file) => moduleId.endsWith(`/${file}`))
    return all.toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  root,
  test: {
    include: files,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    isolate: false,
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    setupFiles: [join(import.meta.dirname, 'mark.setup.ts')],
    // All runs share one cluster with a ready template. There is no bundle, so that programs start from the mutated sources.
    provide: { postgresUrl: process.env.DATABASE_TEST_URL ?? '', bundle: '/nowhere' },
  },
})
