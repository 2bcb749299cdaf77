// An exclusive lock on a folder: PGlite has none, and two processes in one folder lose data silently. The lock is the
// kernel's, on an empty file, taken through SQLite because Node has no `flock`; it falls with its process, so a crash leaves
// nothing to clean by hand. The file stays: removing it is what two starting at once could trip over.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class FolderInUse extends Error {
  override name = 'FolderInUse'
  readonly folder: string
  constructor(folder: string) {
    super(`another process is using ${folder}; stop it, or give this one a folder of its own`)
    this.folder = folder
  }
}

export type Unlock = () => Promise<void>

/** A handle that is garbage-collected gives its lock up, so they are kept here. */
const held = new Set<DatabaseSync>()
const sqliteBusy = 5

/** @throws FolderInUse when a living process holds the folder. */
export async function lockFolder(folder: string): Promise<Unlock> {
  await mkdir(folder, { recursive: true })
  const file = new DatabaseSync(join(folder, 'in-use.lock'))
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    throw isBusy(error) ? new FolderInUse(folder) : error
  }
  held.add(file)
  return async () => {
    if (held.delete(file)) file.close()
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
