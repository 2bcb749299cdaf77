// Called by the marked functions: notes each function once for each test file that runs it.

import { appendFileSync } from 'node:fs'

const seen = new Set<string>()

export function mark(name: string): void {
  const { MUTANTS_MARKS: file, MUTANTS_TEST: test } = process.env
  const line = `${test}\t${name}\n`
  if (!file || !test || seen.has(line)) return
  seen.add(line)
  appendFileSync(file, line)
}
