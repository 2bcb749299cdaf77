// The programs of the command line: what each takes and prints, the audit with its exit codes, and the list of models.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { models } from '../../src/catalog/index.ts'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { readCatalogFile } from '../../src/config/json-file.ts'
import { openDatabase } from '../../src/db/client.ts'
import { operatorActions } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { ensureUser } from '../../src/users/user.ts'
import { freshUrl } from '../support/database/database.ts'
import { closing, connect, emptyUrl, migrateTo, names } from '../support/database/old-database.ts'
import { run } from '../support/runtime/child.ts'
import { terminal } from '../support/worlds/operator.ts'

const folder = mkdtempSync(join(tmpdir(), 'programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const root = join(import.meta.dirname, '../..')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const programs = Object.values(scripts).flatMap((script) => / (src\/\S+\.ts)$/.exec(script)?.[1] ?? [])

// Whatever a program does beyond printing would fail here, or be complained about.
const nowhere = { DATABASE_URL: 'postgres://bot@127.0.0.1:9/bot' }

describe.each(programs)('%s', (program) => {
  it('prints its help and does nothing, and refuses an argument that it does not take', async () => {
    for (const flag of ['--help', '-h']) {
      const { code, output, complaints } = await run(program, nowhere, [flag])
      expect([code, complaints]).toEqual([0, ''])
      expect(output).toMatch(/^npm (run|start)/)
    }
    const refused = { code: 2, output: '', complaints: expect.stringMatching(/\S/) }
    for (const argument of ['--nonsense', 'nonsense'])
      expect(await run(program, nowhere, [argument])).toEqual(refused)
  })
})

it.each(['backup', 'restore'])('docs/scripts/%s prints its help and does nothing', (name) => {
  const script = join(root, 'docs/scripts', name)
  const env = { PATH: process.env.PATH }
  const help = spawnSync(script, ['--help'], { env, encoding: 'utf8' })
  expect([help.status, help.stdout]).toEqual([0, expect.stringMatching(/^usage: docs\/scripts/)])
  expect(spawnSync(script, ['--nonsense'], { env, encoding: 'utf8' }).status).toBe(2)
})

const audited = (url: string) => run('src/cli/audit.ts', { DATABASE_URL: url })

it('the audit reports a transfer that the ledger did not write, in roubles, until an operator accepts it', async () => {
  const url = await freshUrl('postgres')
  const { db, close } = await openDatabase(url)
  const { user } = await ensureUser(db, { telegramId: 1, languageCode: 'ru' }, systemClock.now())
  expect(await audited(url)).toEqual({ code: 0, output: 'The audit is clean.\n', complaints: '' })

  await using sql = closing(connect(url))
  await sql.client`insert into transfers (key, kind, user_id, debit, credit, amount, created_at)
    values ('welcome:' || ${String(user.id)}, 'promotion', ${String(user.id)}, 'promotions', 'available', 12345, now())`
  const found = await audited(url)
  expect(found).toMatchObject({ code: 1, complaints: '' })
  expect(found.output).toContain('available 0.00 ₽, transfers 123.45 ₽; held 0.00 ₽, transfers 0.00 ₽')
  expect(found.output).toContain('Findings: 2\n')

  await sql.client`update accounts set available = 12345`
  const accept = () =>
    runCommand(terminal({ db, clock: systemClock, ids: randomIds }), [
      'accept-transfers',
      'repaired',
      'by hand',
    ])
  expect(await accept()).toMatchObject({
    code: 0,
    lines: ['Transfers accepted as they are, users: 1. Check the rest: npm run audit'],
  })
  expect(await audit(db)).toEqual([])
  expect(await accept()).toMatchObject({ code: 0, lines: [expect.stringMatching(/^Nothing was changed/)] })
  expect(await db.select().from(operatorActions)).toMatchObject([
    { action: 'accept-transfers', reason: 'repaired by hand' },
  ])
  await close()
})

it('the audit ends with code 2 and migrates nothing when it cannot read the database', async () => {
  const url = await emptyUrl()
  const [first = ''] = names
  await using sql = closing(connect(url))
  await migrateTo(sql.client, [first])
  const told = 'The schema of the database is that of an earlier version: npm run migrate\n'
  expect(await audited(url)).toEqual({ code: 2, output: '', complaints: told })
  const applied = await sql.client`select name from drizzle.__drizzle_migrations`
  expect(applied.map(({ name }) => name)).toEqual([first])

  const nobody = await audited('postgres://postgres@127.0.0.1:9/none')
  expect(nobody).toMatchObject({ code: 2, output: '' })
  expect(nobody.complaints).toMatch(/^DATABASE_URL: the database cannot be used .*ECONNREFUSED/)
})

it('a model without the id of the gateway is off, and the list says what it needs', async () => {
  const { code, output } = await run('src/cli/catalog-list.ts')
  expect(code).toBe(0)
  expect(output).toContain('| MODEL-VIDEO-REEL |  |  | /video | off: needs "gatewayId" in CATALOG_FILE |')
  expect(
    createCatalog(models, {})
      .offered()
      .map(({ id }) => id),
  ).toEqual(['MODEL-MUSIC'])
})

it('--example writes a file that is valid as it is, and sells all models when the ids are written', async () => {
  const path = join(folder, 'settings/catalog.json')
  expect(await run('src/cli/catalog-list.ts', {}, ['--example', path])).toEqual({
    code: 0,
    output: `Written to ${path}: add the ids of your gateway, and set CATALOG_FILE=${path}\n`,
    complaints: '',
  })
  const asWritten = readCatalogFile(path)
  expect(asWritten).toMatchObject({ ok: true })
  const text = readFileSync(path, 'utf8')
  expect(models.filter(({ id }) => !text.includes(`"${id}": {`))).toEqual([])
  const withIds = text.replaceAll(/"the id of [^"]+"/g, (_, at) => `"id-${at}"`)
  writeFileSync(path, withIds.replaceAll(/^ {4}\/\/ {1,3}(?=[{}"])/gm, '    '))
  const read = readCatalogFile(path)
  expect(read).toMatchObject({ ok: true, value: { textModels: [{ family: 'gpt' }] } })
  if (read.ok) expect(createCatalog(models, read.value.models).offered()).toHaveLength(models.length)
})
