// The tests of `npm run test:fast`, which take half a minute: they need no database, no other process, and encode no media.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')
const needs =
  /support\/(database|worlds|telegram\/local|gateway\/(local|text)|runtime\/child|project\/bundle|users\/(sandbox|browser|user|desk))|node:child_process|media\/decoders\.ts|gateway\/artifacts\.ts/
const isFast = (file: string) =>
  !file.endsWith('.long.test.ts') && !needs.test(readFileSync(join(root, file), 'utf8'))

export default defineConfig({
  root,
  test: {
    include: globSync('test/**/*.test.ts', { cwd: root }).filter(isFast),
    testTimeout: 120_000,
    isolate: false,
  },
})
