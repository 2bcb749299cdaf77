// An exclusive lock on a folder, held by a listening Unix socket in it: PGlite has none, and two processes in one folder
// lose data silently. The kernel closes the socket when its process dies, so a crash leaves nothing to clean by hand.

import { randomBytes } from 'node:crypto'
import { link, mkdir, mkdtemp, rename, rm, symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'

export class FolderInUse extends Error {
  override name = 'FolderInUse'
  readonly folder: string
  constructor(folder: string) {
    super(`another process is using ${folder}; stop it, or give this one a folder of its own`)
    this.folder = folder
  }
}

export type Unlock = () => Promise<void>

const lockName = '.lock'
/** The kernel takes no longer address of a socket: 108 bytes in Linux, 104 in macOS. */
const longestAddress = 100

/** @throws FolderInUse when a living process holds the folder. */
export async function lockFolder(folder: string): Promise<Unlock> {
  await mkdir(folder, { recursive: true })
  const whole = resolvePath(folder)
  if (Buffer.byteLength(join(whole, lockName)) <= longestAddress) return lock(folder, whole)
  // The same socket in the same folder, reached by a short name: any other place could be missed by another process.
  const shortcuts = await mkdtemp(join(tmpdir(), 'lock-'))
  const short = join(shortcuts, 'f')
  await symlink(whole, short)
  try {
    const unlock = await lock(folder, short)
    return async () => {
      await unlock()
      await rm(shortcuts, { recursive: true, force: true })
    }
  } catch (error) {
    await rm(shortcuts, { recursive: true, force: true })
    throw error
  }
}

async function lock(folder: string, reached: string): Promise<Unlock> {
  const address = join(reached, lockName)
  const server = (await listen(address)) ?? (await takeOver(address))
  if (!server) throw new FolderInUse(folder)
  server.unref()
  // Closing also removes the socket from the folder.
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** What a dead process left is moved aside before it goes: of two that find it, the later might remove the earlier's lock. */
async function takeOver(address: string): Promise<Server | undefined> {
  if (await isAlive(address)) return undefined
  const aside = `${address}-${randomBytes(3).toString('hex')}`
  await rename(address, aside).catch(() => undefined)
  if (await isAlive(aside)) {
    await link(aside, address)
    await unlink(aside)
    return undefined
  }
  await unlink(aside).catch(() => undefined)
  return listen(address)
}

/** Undefined when something is there already. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(address, () => resolve(server))
  })
}

/** Only the two answers that nobody alive can give count as death. */
function isAlive(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    )
  })
}
