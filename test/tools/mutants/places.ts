// The places in which mutants are tested: copies of the project, which share one PostgreSQL cluster.

import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { startCluster } from '../chaos/machine/database.ts'
import type { Change } from '../chaos/mutants/mutant.ts'
import { makeCopy } from '../chaos/mutants/mutant.ts'
import { type RunResult, type RunSettings, runTests } from './vitest-run.ts'

type Wishes = Pick<RunSettings, 'files' | 'timeoutMs' | 'isHasty' | 'marks'>

/** A copy of the project in which one mutant after another is tested. */
export type Place = Places['all'][number]
export type Places = Awaited<ReturnType<typeof openPlaces>>

const notCopied = ['node_modules', '.git', 'data', 'built']

export async function openPlaces(root: string, count: number) {
  const cluster = await startCluster()
  const paths = readdirSync(root).filter((name) => !notCopied.includes(name))
  const open = async (number: number) => {
    const copy = await makeCopy(root, [], paths)
    const database = await createRole(cluster.url, `mutants_${number}`)
    const settings = { root: copy.root, database }
    /** Runs tests of the project with these changes, then undoes them. */
    return { copy, run: (changes: readonly Change[], wishes: Wishes) => tryIn(settings, changes, wishes) }
  }
  const all = await Promise.all(Array.from({ length: count }, (_, at) => open(at + 1)))
  return {
    cluster,
    all,
    async close() {
      await Promise.all(all.map(({ copy }) => copy.remove()))
      await cluster.stop()
    },
  }
}

async function tryIn(
  settings: Pick<RunSettings, 'root' | 'database'>,
  changes: readonly Change[],
  wishes: Wishes,
): Promise<RunResult> {
  const write = (text: (change: Change) => string) =>
    Promise.all(changes.map((change) => writeFile(join(settings.root, change.file), text(change))))
  await write(({ put }) => put)
  try {
    return await runTests({ ...settings, ...wishes })
  } finally {
    await write(({ find }) => find)
    await dropDatabases(settings.database)
  }
}

/** Creates a superuser role. @returns the address of the maintenance database for this role */
async function createRole(url: string, name: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`drop role if exists ${name}`)
  await sql.unsafe(`create role ${name} superuser login`)
  await sql.end()
  const address = new URL(url)
  address.username = name
  return address.href
}

/** Drops the databases that the role created. */
async function dropDatabases(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  const owned = await sql<{ name: string }[]>`
    select datname as name from pg_database where pg_get_userbyid(datdba) = current_user`
  for (const { name } of owned) await sql.unsafe(`drop database if exists ${name} with (force)`)
  await sql.end()
}
