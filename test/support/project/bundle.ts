// The bundle that the image starts, in a folder of its own beside `src`, so that it is in the way of no other run.

import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import config from '../../../rolldown.config.ts'
import { isRunning } from '../runtime/running.ts'

export interface Bundle {
  readonly folder: string
  /** After a change of the sources. */
  renew(): Promise<void>
  remove(): Promise<void>
}

export async function makeBundle(): Promise<Bundle> {
  await removeAbandoned()
  const folder = await mkdtemp(join(config.cwd, `built-${process.pid}-`))
  const renew = async () => void (await build({ ...config, output: { ...config.output, dir: folder } }))
  await renew()
  return { folder, renew, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Those of processes that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(config.cwd)) {
    const [, owner] = /^built-(\d+)-/.exec(name) ?? []
    if (owner && !isRunning(Number(owner))) await rm(join(config.cwd, name), { recursive: true, force: true })
  }
}
