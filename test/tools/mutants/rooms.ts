// The mutated rooms: those of money, orders, updates and delivery.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { createChance } from '../chaos/chance.ts'
import { editsOf } from './code-edits.ts'
import { type GeneratedMutant, mutantOf } from './edit.ts'

export const rooms = ['ledger', 'orders', 'payments', 'chat', 'updates', 'sales'] as const

/** Whether a file only decides how an answer looks; such files are not mutated. */
const isLook = (file: string) => file.startsWith('src/chat/format/')

export const roomOf = (file: string): string => file.split('/')[1] ?? ''

/** The mutated files, in alphabetical order. */
export const filesIn = (root: string): string[] =>
  globSync(`src/{${rooms.join(',')}}/**/*.ts`, { cwd: root })
    .filter((file) => !isLook(file))
    .toSorted()

export function mutantsIn(root: string, files: readonly string[] = filesIn(root)): GeneratedMutant[] {
  return files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
}

export function mutantsOf(file: string, text: string): GeneratedMutant[] {
  return [...editsOf(text, parseAst(text, { lang: 'ts' }))].map((edit) => mutantOf(file, text, edit))
}

/** Shuffles a list by a seed. */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
  const chance = createChance(seed, 'mutants')
  return all
    .map((one) => ({ one, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
