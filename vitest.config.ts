// The tests in three projects. `units` run in half a minute (`npm run test:fast`): they need no database, no other process, and encode no
// media. `whole` is the rest of `npm test`. `long` are the files named `.long.test.ts`, and those named `.fuzz.test.ts` once more with many
// more cases: `npm run test:all`. The test files of a worker share loaded modules, so no test may change a module's state.

import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const needs =
  /support\/(database|worlds|telegram\/local|gateway\/(local|text)|runtime\/child|project\/(image|bundle)|users\/(sandbox|browser|user|desk))|node:child_process|media\/decoders\.ts|gateway\/artifacts\.ts/
const all = globSync('test/**/*.test.ts', { cwd: import.meta.dirname })
const isLong = (file: string) => file.endsWith('.long.test.ts')
const isUnit = (file: string) => !needs.test(readFileSync(join(import.meta.dirname, file), 'utf8'))
const files = all.filter((file) => !isLong(file))
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
      { extends: true, test: { name: 'units', include: files.filter(isUnit) } },
      { extends: true, test: { name: 'whole', include: files.filter((file) => !isUnit(file)), globalSetup } },
      {
        extends: true,
        test: { name: 'long', include: ['test/**/*.{long,fuzz}.test.ts'], env: { FUZZ: '10' }, globalSetup },
      },
    ],
  },
})
