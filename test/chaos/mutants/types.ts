// Type-checks all mutants. One that only crashes would be detected by any check, which proves nothing.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyChanges } from './copy.ts'
import type { Mutant } from './mutant.ts'

/** @returns what the compiler reports; empty if all mutants have correct types */
export async function typeErrorsOf(root: string, mutants: readonly Mutant[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-mutant-types-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await cp(join(root, 'package.json'), join(folder, 'package.json'))
    const names = await Promise.all(
      batchesOf(mutants).map(async (batch, at) => {
        const name = `batch-${at + 1}`
        for (const path of ['src', 'drizzle'])
          await cp(join(root, path), join(folder, name, path), { recursive: true })
        for (const { changes } of batch) await applyChanges(join(folder, name), changes)
        return name
      }),
    )
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configOf(root, names)))
    return await compile(root, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Mutants of one batch change different files, so that one copy of the source can take all of them. */
function batchesOf(mutants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const batches: Mutant[][] = []
  const filesOf = (some: readonly Mutant[]) => some.flatMap(({ changes }) => changes.map(({ file }) => file))
  for (const mutant of mutants) {
    const files = new Set(filesOf([mutant]))
    const fitting = batches.find((batch) => !filesOf(batch).some((file) => files.has(file)))
    if (fitting) fitting.push(mutant)
    else batches.push([mutant])
  }
  return batches
}

/** Variables that a mutant leaves unused are no errors. */
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

async function compile(root: string, folder: string): Promise<string> {
  const compiler = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  compiler.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(compiler, 'close')
  return code === 0 ? '' : output || `the compiler ended with ${code}`
}
