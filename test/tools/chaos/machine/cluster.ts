// A PostgreSQL cluster for runs without `--cluster`, started by the setup of the tests.

import type { TestProject } from 'vitest/node'
import startPostgres from '../../../support/database/postgres.setup.ts'

export interface Cluster {
  /** The address of its maintenance database. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  let url = ''
  const project = {
    provide(_: string, address: string) {
      url = address
    },
  }
  // The cast is safe: the setup uses only this method of vitest's project.
  const stop = await startPostgres(project as unknown as TestProject)
  return { url, stop }
}
