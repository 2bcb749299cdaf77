// The bundle that the image starts, in a folder of its own beside `src`, so that it is in the way of no other run.

import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import config from '../../../rolldown.config.ts'

export interface Bundle {
  readonly folder: string
  remove(): Promise<void>
}

export async function makeBundle(): Promise<Bundle> {
  const folder = await mkdtemp(join(config.cwd, 'built-'))
  await build({ ...config, output: { ...config.output, dir: folder } })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
