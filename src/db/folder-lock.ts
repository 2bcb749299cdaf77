// An exclusive lock on a folder. PGlite has none, and two processes that use one folder lose data silently. The lock is a kernel lock on
// an empty file, taken through SQLite because Node has no `flock`. The kernel releases it when the process ends, so a crash needs no
// cleanup. The file is never removed: that would be a race between two processes that start at the same time.

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

type Unlock = () => Promise<void>

/** References to the open handles: garbage collection of a handle would release its lock. */
const held = new Set<DatabaseSync>()
const sqliteBusy = 5

/** @throws FolderInUse when a running process holds the lock. */
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
