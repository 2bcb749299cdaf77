// Builds the image without Docker: executes the steps of the Dockerfile in a folder. Packages of the system are noted but not installed;
// all other steps are done as written.

import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative } from 'node:path'
import { promisify } from 'node:util'
import { type Instruction, ignoredBy, pairsIn, type Stage, stagesOf } from './dockerfile.ts'

const root = join(import.meta.dirname, '../../..')

export interface Image {
  /** The final stage. */
  readonly stage: Stage
  readonly bases: readonly string[]
  /** The working directory of its processes. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** The names of the system's packages that the Dockerfile installs. */
  readonly packages: readonly string[]
  remove(): Promise<void>
}

interface Building {
  readonly disk: string
  workdir: string
  env: Record<string, string>
  readonly packages: string[]
}

export async function buildImage(): Promise<Image> {
  const stages = stagesOf(await readFile(join(root, 'Dockerfile'), 'utf8'))
  const ignored = ignoredBy(await readFile(join(root, '.dockerignore'), 'utf8'))
  const temporary = await mkdtemp(join(tmpdir(), 'image-'))
  await chmod(temporary, 0o755)
  const built = new Map<string, Building>()
  for (const [i, stage] of stages.entries()) {
    const building: Building = { disk: join(temporary, String(i)), workdir: '/', env: {}, packages: [] }
    for (const step of stage.steps) await take(building, step, { built, ignored })
    built.set(stage.name ?? 'final', building)
  }
  const [stage, final] = [stages.at(-1), built.get('final')]
  if (!stage || !final) throw new Error('the last stage has no name')
  return {
    stage,
    bases: stages.map(({ image }) => image),
    folder: join(final.disk, final.workdir),
    env: final.env,
    packages: final.packages,
    remove: () => rm(temporary, { recursive: true, force: true }),
  }
}

interface Context {
  readonly built: ReadonlyMap<string, Building>
  readonly ignored: readonly string[]
}

async function take(building: Building, { name, rest }: Instruction, context: Context): Promise<void> {
  if (name === 'COPY') return copy(building, rest, context)
  if (name === 'RUN') return runStep(building, rest)
  if (name === 'ENV') Object.assign(building.env, pairsIn(rest))
  else if (name === 'WORKDIR') {
    building.workdir = rest
    await mkdir(join(building.disk, rest), { recursive: true })
  }
}

async function runStep({ disk, workdir, env, packages }: Building, rest: string): Promise<void> {
  if (rest.startsWith('apt-get ')) {
    const [, named = ''] = /apt-get install (.*?) &&/.exec(rest) ?? []
    packages.push(...named.split(' ').filter((word) => !word.startsWith('-')))
    return
  }
  const offlineFirst = { npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' }
  await promisify(execFile)('/bin/sh', ['-ec', rest], {
    cwd: join(disk, workdir),
    env: { ...process.env, NODE_ENV: '', ...offlineFirst, ...env },
  })
}

async function copy({ disk, workdir }: Building, rest: string, { built, ignored }: Context): Promise<void> {
  const words = rest.split(' ')
  const from = words[0]?.startsWith('--from=')
    ? built.get(words.shift()?.slice('--from='.length) ?? '')
    : undefined
  const target = words.pop() ?? ''
  for (const source of words) {
    const origin = join(from?.disk ?? root, source)
    const isFile = (await stat(origin)).isFile()
    const into = join(disk, posix.resolve(workdir, target), isFile ? source : '')
    await mkdir(dirname(into), { recursive: true })
    // Folders of another stage have hundreds of megabytes and are copied only once, so they are moved.
    if (from) {
      await rename(origin, into)
      continue
    }
    const isKept = (path: string) => ignored.includes(relative(root, path))
    if (isKept(origin)) throw new Error(`${source} is copied and ignored`)
    await cp(origin, into, { recursive: true, verbatimSymlinks: true, filter: (path) => !isKept(path) })
  }
}

/** Every file below a folder, with the time of its last change. */
export async function traceOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const traced = entries.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    return `${relative(folder, path)} ${(await lstat(path)).mtimeMs}`
  })
  return (await Promise.all(traced)).toSorted()
}
