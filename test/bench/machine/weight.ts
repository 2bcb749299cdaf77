// The disk space of installed packages and all their dependencies by the lock file. Packages for other platforms are not installed and do
// not count, as in an image.

import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { z } from 'zod'
import { makeBundle } from '../../support/project/bundle.ts'

const root = join(import.meta.dirname, '../../..')

const names = z.record(z.string(), z.string()).optional()
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), dependencies: names, optionalDependencies: names }),
  ),
})
type Lock = z.output<typeof lockFile>['packages']

const readLock = (): Lock =>
  lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages

/**
 * The size of the files that the Dockerfile copies: the bundle, the files that it reads, and the production packages except Node, which is
 * part of the base image.
 */
export async function imageMb(): Promise<number> {
  const production = Object.entries(readLock()).filter(([path, { dev }]) => path !== '' && !dev)
  const packages = production.map(([path]) => path).filter((path) => !/node_modules\/node-linux-/.test(path))
  const bundle = await makeBundle()
  const parts = [basename(bundle.folder), 'src/bot/locales', 'drizzle', 'package.json']
  const own = parts.reduce((sum, path) => sum + sizeOf(path, []), 0)
  await bundle.remove()
  return megabytes(own + packages.reduce((sum, path) => sum + packageSize(path), 0))
}

/** The size of a package and all its dependencies. */
export function packageMb(name: string): number {
  const lock = readLock()
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = lock[path] ?? {}
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = resolve(lock, path, needed)
      if (at !== undefined) visit(at)
    }
  }
  visit(posix.join('node_modules', name))
  return megabytes([...found].reduce((sum, path) => sum + packageSize(path), 0))
}

/** The path of a dependency, resolved as Node does: inside the dependent package, then in the folders above. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  const inside = posix.join(from, 'node_modules', name)
  if (lock[inside]) return inside
  const up = from.lastIndexOf('/node_modules/')
  if (up >= 0) return resolve(lock, from.slice(0, up), name)
  const top = posix.join('node_modules', name)
  return lock[top] ? top : undefined
}

const megabytes = (bytes: number): number => bytes / 1e6

/** The size of a package without nested packages, which are counted separately. */
const packageSize = (path: string): number => sizeOf(path, [posix.join(path, 'node_modules')])

function sizeOf(path: string, except: readonly string[]): number {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
  if (!stat || except.includes(path)) return 0
  if (!stat.isDirectory()) return stat.size
  return readdirSync(join(root, path)).reduce((sum, name) => sum + sizeOf(posix.join(path, name), except), 0)
}
