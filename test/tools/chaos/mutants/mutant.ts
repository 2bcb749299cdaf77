// A planted or generated mutant, and a copy of the app with its mistake.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { mutantFaults } from '../settings.ts'

export interface Change {
  /** The path of the file, relative to the root. */
  readonly file: string
  /** The text to replace; it occurs exactly once in the file. */
  readonly find: string
  readonly put: string
}

export interface Mutant {
  /** A name like `submit-again`. */
  readonly name: string
  /** The wrong behaviour, as a statement. */
  readonly mistake: string
  readonly changes: readonly Change[]
  /** The faults of its runs; `hard` by default. */
  readonly faults?: keyof typeof mutantFaults
}

/** A mutant as it is written down: with its only or first change. */
export type Planted = Omit<Mutant, 'changes'> & Change & { readonly also?: readonly Change[] }

/** The files and folders of the app that the harness needs. */
const ofTheApp = [
  'package.json',
  'src',
  'drizzle',
  'test/tools/chaos/app.ts',
  'test/tools/chaos/clock.ts',
  'test/tools/chaos/catalog.json',
]

/** @param paths the files and folders to copy; the installed packages are linked */
export async function makeCopy(from: string, changes: readonly Change[], paths = ofTheApp) {
  const root = await mkdtemp(join(tmpdir(), 'bot-mutant-'))
  for (const path of paths) await cp(join(from, path), join(root, path), { recursive: true })
  await symlink(join(from, 'node_modules'), join(root, 'node_modules'))
  await applyChanges(root, changes)
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

export async function applyChanges(root: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const path = join(root, change.file)
    await writeFile(path, changed(await readFile(path, 'utf8'), change))
  }
}

/** @throws if the text to replace does not occur exactly once: the app has changed, and the mutant must be adapted */
function changed(text: string, { file, find, put }: Change): string {
  const times = text.split(find).length - 1
  if (times !== 1) throw new Error(`${file}: this text occurs ${times} times instead of once:\n${find}`)
  return text.replace(find, () => put)
}

/** One line for each mutant that cannot be applied to the source. */
export async function problemsOf(root: string, mutants: readonly Mutant[]): Promise<string[]> {
  const problems: string[] = []
  for (const { name, changes } of mutants) {
    const texts = new Map<string, string>()
    for (const change of changes) {
      const text = texts.get(change.file) ?? (await readFile(join(root, change.file), 'utf8'))
      try {
        texts.set(change.file, changed(text, change))
      } catch (error) {
        problems.push(`mutant ${name} no longer applies: ${error instanceof Error ? error.message : error}`)
      }
    }
  }
  return problems
}
