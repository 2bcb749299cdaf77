// The tests in two projects: `short` is `npm test`; `long` are the files named `.long.test.ts`, and those named `.fuzz.test.ts` once more
// with many more cases: `npm run test:all`. `npm run test:fast` runs a part of `short`, by vitest.fast.config.ts. The test files of a worker
// share loaded modules, so no test may change a module's state.

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const globalSetup = ['test/support/database/postgres.setup.ts', 'test/support/runtime/bundle.setup.ts']

/** With `TEST_DELAYS` the answers of the database are delayed, to find races. */
const delays = process.env.TEST_DELAYS
  ? ['--import', join(import.meta.dirname, 'test/support/database/delays.ts')]
  : []

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The usual second is too short on a busy machine.
    expect: { poll: { timeout: 25_000 } },
    isolate: false,
    // With the usual 16 MB the collection of garbage takes a tenth of the processor time.
    execArgv: ['--max-semi-space-size=64', ...delays],
    // A worker is idle for three quarters of the time: tests wait for tasks, retries and other processes.
    maxWorkers: 3 * Math.max(2, availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts'],
          globalSetup,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: ['test/**/*.{long,fuzz}.test.ts'], env: { FUZZ: '10' }, globalSetup },
      },
    ],
  },
})
