// An exclusive lock on a folder, held by a listening Unix socket in it: PGlite has none, and two processes in one folder
// lose data silently. The kernel frees the socket when its process dies, so a crash leaves nothing to clean by hand.

import { mkdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, relative } from 'node:path'

export class FolderInUse extends Error {
  override name = 'FolderInUse'
  readonly folder: string
  constructor(folder: string) {
    super(`another process is using ${folder}; stop it, or give this one a folder of its own`)
    this.folder = folder
  }
}

export type Unlock = () => Promise<void>

/** @throws FolderInUse when a living process holds the folder. */
export async function lockFolder(folder: string): Promise<Unlock> {
  await mkdir(folder, { recursive: true })
  const path = socketPath(folder)
  const server = (await listen(path)) ?? (await takeOver(folder, path))
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Socket paths end at about 100 bytes; a relative one is usually shorter. */
function socketPath(folder: string): string {
  const full = join(folder, '.lock')
  const short = relative(process.cwd(), full)
  return short.length < full.length ? short : full
}

async function takeOver(folder: string, path: string): Promise<Server> {
  if (await answers(path)) throw new FolderInUse(folder)
  await unlink(path).catch(() => undefined)
  const server = await listen(path)
  if (!server) throw new FolderInUse(folder)
  return server
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(path, () => resolve(server))
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
