// A PostgreSQL cluster for those who brought none: the one of the tests.

import type { TestProject } from 'vitest/node'
import startPostgres from '../../support/database/postgres.setup.ts'

export interface Cluster {
  /** Of its maintenance database. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  let url = ''
  const project = {
    provide(_: string, told: string) {
      url = told
    },
  }
  // The set-up of the tests wants nothing of the project that it is given but to tell it the address.
  const stop = await startPostgres(project as unknown as TestProject)
  return { url, stop }
}
