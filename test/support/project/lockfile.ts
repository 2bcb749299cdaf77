// `npm run lockfile`, after `npm install`: removes the `engines` of the packages from package-lock.json.
//
// npm compares `engines` with the Node.js that runs npm itself, which is not the one that runs this project (src/launch.js). Its warnings
// would be wrong, and it would silently skip optional packages that do not match: with Node.js 18 the binaries of sharp and rolldown.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const path = join(import.meta.dirname, '../../../package-lock.json')
const lockfile = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ engines: z.unknown().optional() })),
})

export const readLockfile = () => lockfile.parse(JSON.parse(readFileSync(path, 'utf8')))

/** The names of the packages with `engines`. The entry of the project itself, whose key is empty, is skipped. */
export const packagesWithEngines = ({ packages }: z.output<typeof lockfile>): string[] =>
  Object.keys(packages).filter((name) => name !== '' && packages[name]?.engines !== undefined)

if (import.meta.main) {
  const read = readLockfile()
  for (const name of packagesWithEngines(read)) delete read.packages[name]?.engines
  writeFileSync(path, `${JSON.stringify(read, null, 2)}\n`)
}
