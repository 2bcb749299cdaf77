// Migrated folders of the embedded database. Making one takes four seconds of processor time, so one folder is cached in
// `node_modules/.cache` until the migrations or PGlite change; every test gets a copy.

import { createHash, randomUUID } from 'node:crypto'
import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../../src/db/client.ts'

const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache/embedded-databases')

/** Fills a folder with the same database that `openDatabase('pglite:<folder>')` would create. */
export async function prepareEmbedded(folder: string): Promise<void> {
  await cp(await kept(), folder, { recursive: true })
}

async function kept(): Promise<string> {
  const path = join(cache, await versionOf())
  if (await exists(path)) return path
  const unfinished = `${path}.${randomUUID()}`
  const { close } = await openDatabase(`pglite:${unfinished}`)
  await close()
  // The rename fails if another process has made the folder in the meantime.
  await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true }))
  return path
}

async function versionOf(): Promise<string> {
  const hash = createHash('sha256')
  const migrations = join(root, 'drizzle')
  const files = (await readdir(migrations)).toSorted().map((name) => join(migrations, name, 'migration.sql'))
  for (const file of [join(root, 'node_modules/@electric-sql/pglite/package.json'), ...files]) {
    hash.update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
