// Type-checks mutants. A mutant that only crashes would be detected by any check, which proves nothing.

import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { applyChanges, type Mutant } from './mutant.ts'

/** @returns the mutants with type errors in the files that they change or in files that import these */
export async function mistypedOf<M extends Mutant>(
  root: string,
  mutants: readonly M[],
): Promise<ReadonlySet<M>> {
  const batches = batchesOf(mutants)
  const errors = await errorsIn(root, batches)
  const places = [...errors.matchAll(/batch-(\d+)\/(src\/[^\s(]+)\(/g)]
  const blamed = places.map(async ([, batch, file = '']) => {
    const all = batches[Number(batch) - 1] ?? []
    const own = all.filter((mutant) => mutant.changes.some((change) => change.file === file))
    if (own.length > 0) return own
    const text = await readFile(join(root, file), 'utf8')
    return all.filter(({ changes }) => changes.some((change) => text.includes(`/${basename(change.file)}'`)))
  })
  return new Set((await Promise.all(blamed)).flat())
}

/** @returns the report of the compiler; empty if all mutants have correct types */
async function errorsIn(root: string, batches: readonly (readonly Mutant[])[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-mutant-types-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await cp(join(root, 'package.json'), join(folder, 'package.json'))
    const names = batches.map((_, at) => `batch-${at + 1}`)
    for (const [at, batch] of batches.entries()) {
      for (const path of ['src', 'drizzle'])
        await cp(join(root, path), join(folder, `batch-${at + 1}`, path), { recursive: true })
      for (const { changes } of batch) await applyChanges(join(folder, `batch-${at + 1}`), changes)
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configOf(root, names)))
    const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    return status === 0 ? '' : stdout || `the compiler ended with ${status}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Groups mutants that change different files, so that one copy of the source can hold all mutants of a group. */
function batchesOf<M extends Mutant>(mutants: readonly M[]): readonly (readonly M[])[] {
  const batches: M[][] = []
  const filesOf = (some: readonly Mutant[]) => some.flatMap(({ changes }) => changes.map(({ file }) => file))
  for (const mutant of mutants) {
    const files = new Set(filesOf([mutant]))
    const fitting = batches.find((batch) => !filesOf(batch).some((file) => files.has(file)))
    if (fitting) fitting.push(mutant)
    else batches.push([mutant])
  }
  return batches
}

/** The compiler options of the copies. Variables that a mutant leaves unused are accepted. */
const configOf = (root: string, batches: readonly string[]) => ({
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noUnusedLocals: false,
    noUnusedParameters: false,
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: batches.map((name) => `${name}/src`),
  exclude: batches.map((name) => `${name}/src/sandbox`),
})
