// Makes the bundle that the image starts, in a separate folder beside `src`, so that concurrent runs do not disturb each other.

import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import config from '../../../rolldown.config.ts'
import { isRunning } from '../runtime/running.ts'

export interface Bundle {
  readonly folder: string
  /** Makes the bundle again after a change of the sources. */
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

/** Removes the bundles of killed processes. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(config.cwd)) {
    const [, owner] = /^built-(\d+)-/.exec(name) ?? []
    if (owner && !isRunning(Number(owner))) await rm(join(config.cwd, name), { recursive: true, force: true })
  }
}
