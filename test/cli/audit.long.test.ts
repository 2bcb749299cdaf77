// `npm run audit` as a process: what it prints, its exit codes, and that it changes nothing. Afterwards an operator accepts the transfers.

import { expect, it } from 'vitest'
import { runCommand } from '../../src/cli/admin/commands.ts'
import { openDatabase } from '../../src/db/client.ts'
import { operatorActions } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { ensureUser } from '../../src/users/user.ts'
import { freshUrl } from '../support/database/database.ts'
import { closing, connect, emptyUrl, migrateTo, names } from '../support/database/old-database.ts'
import { start } from '../support/runtime/child.ts'

async function audited(url: string) {
  const child = start('src/cli/audit.ts', { DATABASE_URL: url })
  const code = await child.ended
  return { code, out: child.output(), err: child.complaints() }
}

it('the audit reports a transfer that the ledger did not write, in roubles, until an operator accepts it', async () => {
  const url = await freshUrl('postgres')
  const { db, close } = await openDatabase(url)
  const { user } = await ensureUser(db, { telegramId: 1, languageCode: 'ru' }, systemClock.now())
  expect(await audited(url)).toEqual({ code: 0, out: 'The audit is clean.\n', err: '' })

  await using sql = closing(connect(url))
  await sql.client`insert into transfers (key, kind, user_id, debit, credit, amount, created_at)
    values ('welcome:' || ${String(user.id)}, 'promotion', ${String(user.id)}, 'promotions', 'available', 12345, now())`
  const found = await audited(url)
  expect(found).toMatchObject({ code: 1, err: '' })
  expect(found.out).toContain('available 0.00 ₽, transfers 123.45 ₽; held 0.00 ₽, transfers 0.00 ₽')
  expect(found.out).toContain('Findings: 2\n')

  await sql.client`update accounts set available = 12345`
  const accept = () =>
    runCommand({ db, clock: systemClock, ids: randomIds, ask: undefined, timeZone: 'Europe/Moscow' }, [
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
  expect(await audited(url)).toEqual({ code: 2, out: '', err: told })
  const applied = await sql.client`select name from drizzle.__drizzle_migrations`
  expect(applied.map(({ name }) => name)).toEqual([first])

  const nobody = await audited('postgres://postgres@127.0.0.1:9/none')
  expect(nobody).toMatchObject({ code: 2, out: '' })
  expect(nobody.err).toMatch(/^DATABASE_URL: the database cannot be used .*ECONNREFUSED/)
})
