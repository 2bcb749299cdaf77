// A copy of the app with a mutant's mistake in it.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change, Mutant } from './mutant.ts'

export interface Copy {
  readonly root: string
  remove(): Promise<void>
}

const copied = [
  'package.json',
  'src',
  'drizzle',
  'test/chaos/app.ts',
  'test/chaos/time',
  'test/chaos/catalog.json',
]

export async function makeCopy(from: string, changes: readonly Change[]): Promise<Copy> {
  const root = await mkdtemp(join(tmpdir(), 'bot-mutant-'))
  for (const path of copied) await cp(join(from, path), join(root, path), { recursive: true })
  await symlink(join(from, 'node_modules'), join(root, 'node_modules'))
  for (const { file, find, put } of changes) {
    const path = join(root, file)
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replace(find, () => put),
    )
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

/** @throws when one does not fit: the app has moved on, and the mutant must follow */
export async function assertFits(root: string, mutants: readonly Mutant[]): Promise<void> {
  const problems: string[] = []
  for (const { name, changes } of mutants) {
    for (const change of changes) {
      const times = await timesFound(root, change)
      if (times !== 1)
        problems.push(`${name}: ${change.file}: found ${times} times instead of once:\n${change.find}`)
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** How often what is to be changed is there. */
export async function timesFound(root: string, { file, find }: Change): Promise<number> {
  return (await readFile(join(root, file), 'utf8')).split(find).length - 1
}
