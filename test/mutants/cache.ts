// Results that take minutes to find out, kept in node_modules/.cache until what they are about changes.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

const folderOf = (root: string) => join(root, 'node_modules/.cache/mutants')

/** @returns undefined when nothing is kept, or something of another shape */
export function kept<T>(root: string, name: string, schema: z.ZodType<T>): T | undefined {
  const path = join(folderOf(root), `${name}.json`)
  if (!existsSync(path)) return undefined
  return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
}

export function keep(root: string, name: string, value: unknown): void {
  mkdirSync(folderOf(root), { recursive: true })
  writeFileSync(join(folderOf(root), `${name}.json`), JSON.stringify(value))
}
