// All runs share one PostgreSQL cluster with a ready template, and one folder for made files. No bundle is made, so that programs start
// from the mutated sources.

import type { TestProject } from 'vitest/node'

export default function setup(project: TestProject): void {
  const { DATABASE_TEST_URL: url, MUTANTS_MADE_FILES: folder } = process.env
  if (!url || !folder) throw new Error('these tests are started by `npm run mutants`')
  project.provide('postgresUrl', url)
  project.provide('madeFiles', folder)
  project.provide('bundle', '/nowhere')
}
