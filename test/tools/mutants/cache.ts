// A cache in node_modules/.cache for results that take minutes to compute, until their subject changes.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

const folderOf = (root: string) => join(root, 'node_modules/.cache/mutants')

/** @returns the cached value; undefined if it does not exist or does not match the schema */
export function kept<T>(root: string, name: string, schema: z.ZodType<T>): T | undefined {
  const path = join(folderOf(root), `${name}.json`)
  if (!existsSync(path)) return undefined
  return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
}

export function keep(root: string, name: string, value: unknown): void {
  mkdirSync(folderOf(root), { recursive: true })
  writeFileSync(join(folderOf(root), `${name}.json`), JSON.stringify(value))
}
