// All runs share one PostgreSQL cluster with a ready template. No bundle is made, so that programs start
// from the mutated sources.

import type { TestProject } from 'vitest/node'

export default function setup(project: TestProject): void {
  const { DATABASE_TEST_URL: url } = process.env
  if (!url) throw new Error('these tests are started by `npm run mutants`')
  project.provide('postgresUrl', url)
  project.provide('bundle', '/nowhere')
}
