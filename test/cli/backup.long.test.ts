// docs/scripts/backup and docs/scripts/restore on a real PostgreSQL: what was dumped comes back, and the audit decides the exit code.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../src/db/client.ts'
import { lastRuns } from '../../src/db/schema.ts'
import { isOverdue } from '../../src/operator/checks.ts'
import { freshUrl } from '../support/database/database.ts'

const root = join(import.meta.dirname, '../..')
const ids = z.array(z.object({ id: z.string() }))
const isMissing = spawnSync('pg_dump', ['--version']).status !== 0
if (isMissing) process.stderr.write('pg_dump is not installed: backups are not tested\n')

describe.skipIf(isMissing)('a backup', () => {
  let url: string
  let folder: string
  beforeAll(async () => {
    url = await freshUrl('postgres')
    folder = mkdtempSync(join(tmpdir(), 'backups-'))
    await writes(sql`insert into users (telegram_id, created_at) values (17, now())`)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function writes(statement: ReturnType<typeof sql>) {
    const { db, close } = await openDatabase(url)
    const rows = await db.execute(statement)
    await close()
    return rows
  }
  let settings: Record<string, string> = {}
  const run = (script: string, ...args: readonly string[]) => {
    const env = { ...process.env, DATABASE_URL: url, ...settings }
    const { status, stdout, stderr } = spawnSync(join(root, 'docs/scripts', script), args, {
      env,
      encoding: 'utf8',
    })
    return { status, said: `${stdout}${stderr}` }
  }
  const backUp = () => {
    const { status, said } = run('backup', folder)
    expect([status, said]).toEqual([0, expect.stringMatching(/^\S+\.dump\n$/)])
    return said.trim()
  }
  const telegramIds = async () =>
    ids.parse(await writes(sql`select telegram_id::text as id from users order by id`)).map(({ id }) => id)

  it('is restored, keeps the former database, and ends with the audit', async () => {
    const dump = backUp()
    await writes(sql`update users set telegram_id = 18`)
    const { status, said } = run('restore', dump)
    expect([status, said]).toEqual([0, expect.stringMatching(/_before_\d+[\s\S]*The audit is clean\.\n/)])
    expect(await telegramIds()).toEqual(['17'])
  })

  it('is encrypted, sent to another place, and restored from there', async () => {
    const [key, away] = [join(folder, 'key'), mkdtempSync(join(tmpdir(), 'away-'))]
    writeFileSync(key, 'secret\n')
    const cipher = `openssl enc -aes-256-cbc -pbkdf2 -pass file:${key}`
    settings = { BACKUP_ENCRYPT: cipher, BACKUP_SEND: `cp "$1" ${away}/` }
    const { status, said } = run('backup', folder)
    expect([status, said]).toEqual([0, expect.stringMatching(/^\S+\.dump\.encrypted\n$/)])
    const sent = join(away, basename(said.trim()))
    expect(readFileSync(sent, 'latin1')).toMatch(/^Salted__/)
    await writes(sql`update users set telegram_id = 18`)
    expect(run('restore', sent)).toMatchObject({ status: 2, said: expect.stringContaining('BACKUP_DECRYPT') })
    settings = { BACKUP_DECRYPT: 'false' }
    expect(run('restore', sent)).toMatchObject({
      status: 2,
      said: expect.stringContaining('nothing was changed'),
    })
    settings = { BACKUP_DECRYPT: `${cipher} -d` }
    expect(run('restore', sent)).toMatchObject({
      status: 0,
      said: expect.stringContaining('The audit is clean.'),
    })
    expect(await telegramIds()).toEqual(['17'])

    settings = { BACKUP_SEND: 'echo the place is full >&2; exit 3' }
    const refused = run('backup', folder)
    expect([refused.status, refused.said]).toEqual([
      1,
      expect.stringMatching(/is full\n\S+\.dump is complete/),
    ])
    settings = { BACKUP_ENCRYPT: 'exit 3' }
    expect(run('backup', folder).status).toBe(3)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    settings = {}
    rmSync(away, { recursive: true })
  })

  it('with broken money is restored and ends with the code of the findings', async () => {
    await writes(
      sql`insert into accounts (kind, owner_id, available, created_at) select 'user', id, 500, now() from users`,
    )
    const { status, said } = run('restore', backUp())
    expect([status, said]).toEqual([1, expect.stringMatching(/BROKEN [\s\S]*Findings: 1\n/)])
  })

  it('is not restored while the bot runs, nor from a broken file: nothing is changed', async () => {
    const dump = backUp()
    await writes(sql`update users set telegram_id = 19`)
    const { db, close } = await openDatabase(url)
    await db.execute(sql`select 1`)
    const open = run('restore', dump)
    await close()
    expect([open.status, open.said]).toEqual([2, expect.stringContaining('stop the bot first')])
    const broken = join(folder, 'broken.dump')
    writeFileSync(broken, 'PGDMP')
    expect(run('restore', broken)).toEqual({
      status: 2,
      said: expect.stringContaining('nothing was changed'),
    })
    expect(run('restore', join(folder, 'none')).status).toBe(2)
    expect(await telegramIds()).toEqual(['19'])
  })

  it.each([
    ['a password', 'bot:p%40ss%25:%C3%A9@', 'p@ss%:é', 'bot@'],
    ['no password', 'bot@', '', 'bot@'],
  ])(
    'of a database address with %s passes the password to the program in the environment',
    (_, given, password, left) => {
      const tools = mkdtempSync(join(tmpdir(), 'tools-'))
      const record = '#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$@" >&2\nexit 7\n'
      writeFileSync(join(tools, 'pg_dump'), record, { mode: 0o755 })
      const { PGPASSWORD, ...others } = process.env
      const env = {
        ...others,
        PATH: `${tools}:${process.env.PATH}`,
        DATABASE_URL: `postgres://${given}db.example:5433/name?sslmode=require`,
      }
      const { status, stderr } = spawnSync(join(root, 'docs/scripts/backup'), [folder], {
        env,
        encoding: 'utf8',
      })
      rmSync(tools, { recursive: true })
      const [secret, ...args] = stderr.split('\n')
      expect([status, secret]).toEqual([7, password])
      expect(args).toContain(`--dbname=postgres://${left}db.example:5433/name?sslmode=require`)
    },
  )

  it('is deleted after two weeks, and leaves no partial file when it fails', () => {
    const old = join(folder, 'bot-2020-01-01T000000Z.dump')
    writeFileSync(old, '')
    utimesSync(old, new Date('2020-01-01'), new Date('2020-01-01'))
    backUp()
    expect(readdirSync(folder).filter((name) => name.includes('2020') || name.endsWith('.part'))).toEqual([])
    const before = readdirSync(folder)
    const env = { ...process.env, DATABASE_URL: `${url}_none` }
    expect(spawnSync(join(root, 'docs/scripts/backup'), [folder], { env }).status).not.toBe(0)
    expect(readdirSync(folder)).toEqual(before)
  })

  it('is known to the bot, and so is one that failed', async () => {
    const { db, close } = await openDatabase(url)
    const isKnownOverdue = async () =>
      (await db.select().from(lastRuns)).map((run) => [run.name, isOverdue(run, new Date())])
    backUp()
    expect(await isKnownOverdue()).toEqual([['backup', false]])
    const tools = mkdtempSync(join(tmpdir(), 'tools-'))
    writeFileSync(join(tools, 'pg_dump'), '#!/bin/sh\nexit 7\n', { mode: 0o755 })
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, DATABASE_URL: url }
    expect(spawnSync(join(root, 'docs/scripts/backup'), [folder], { env }).status).toBe(7)
    expect(await isKnownOverdue()).toEqual([['backup', true]])
    rmSync(tools, { recursive: true })
    await close()
  })
})
