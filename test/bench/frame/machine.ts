// The machine and the software versions of a run.

import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGb: number
  /** The load average of the last minute before the run. Above 1 other programs were running, so the figures are unreliable. */
  readonly load: number
  readonly node: string
  readonly postgres: string
  readonly grammy: string
  readonly undici: string
}

const manifest = z.object({ version: z.string() })

function versionOf(name: string): string {
  const path = join(import.meta.dirname, '../../../node_modules', name, 'package.json')
  return manifest.parse(JSON.parse(readFileSync(path, 'utf8'))).version
}

export const describeMachine = (postgres: string): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  load: Number((loadavg()[0] ?? 0).toFixed(2)),
  node: process.versions.node,
  postgres,
  grammy: versionOf('grammy'),
  undici: versionOf('undici'),
})

export function machineLine(machine: Machine): string {
  const { processor, cores, memoryGb, load, node, postgres, grammy, undici } = machine
  return `${processor}, ${cores} cores, ${memoryGb} GB, load ${load} at the start; Node ${node}, PostgreSQL ${postgres}, grammY ${grammy}, undici ${undici}`
}
