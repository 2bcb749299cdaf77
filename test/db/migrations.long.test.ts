// `npm run migrate` as a program.

import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { CannotStart } from '../../src/runtime/env-values.ts'
import { freshUrl } from '../support/database/database.ts'
import {
  closing,
  connect,
  emptyUrl,
  fresh,
  migrateTo,
  names,
  schemaOf,
} from '../support/database/old-database.ts'
import { run, start } from '../support/runtime/child.ts'

describe('npm run migrate', () => {
  const migrate = (url: string) => run('src/cli/migrate.ts', { DATABASE_URL: url })

  it('applies the missing migrations, lists them, and needs no other setting', async () => {
    const url = await emptyUrl()
    await using sql = closing(connect(url))
    await migrateTo(sql.client, names.slice(0, -2))
    const { code, output, complaints } = await migrate(url)
    expect([code, complaints]).toEqual([0, ''])
    expect(output.trimEnd().split('\n')).toEqual([
      ...names.slice(-2).map((name) => `Applied ${name}`),
      `The schema is up to date: ${names.length} migrations, 2 of them applied now.`,
    ])
    expect((await migrate(url)).output).toBe(
      `The schema is up to date: ${names.length} migrations, 0 of them applied now.\n`,
    )
    expect(await schemaOf(sql.client)).toEqual(fresh)
  })

  it('changes nothing while a process of a version before the accounts runs, and migrates once it has ended', async () => {
    const url = await emptyUrl()
    await using sql = closing(connect(url))
    const at = names.findIndex((name) => name.endsWith('_queue_claims'))
    await migrateTo(sql.client, names.slice(0, at))
    const before = await schemaOf(sql.client)
    const earlier = connect(url)
    await earlier.listen('nudges_2', () => undefined)
    const refused = await migrate(url)
    expect([refused.code, refused.output, await schemaOf(sql.client)]).toEqual([1, '', before])
    expect(refused.complaints).toMatch(/^DATABASE_URL: a process of an earlier version is running.*stop.*\n$/)
    await expect(openDatabase(url)).rejects.toThrow(CannotStart)
    await earlier.end()
    expect((await migrate(url)).code).toBe(0)
    expect(await schemaOf(sql.client)).toEqual(fresh)
  })

  it('does not change a newer schema after a rollback to an older version', async () => {
    const url = await freshUrl('postgres')
    await using sql = closing(connect(url))
    await migrateTo(sql.client, names.slice(0, 3))
    expect(await schemaOf(sql.client)).toEqual(fresh)
  })

  it('applies each migration once when several processes migrate at the same time', async () => {
    const url = await emptyUrl()
    const children = [1, 2, 3].map(() => start('src/cli/migrate.ts', { DATABASE_URL: url }))
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0])
    await using sql = closing(connect(url))
    const applied = await sql.client`select name from drizzle.__drizzle_migrations order by id`
    expect(applied.map(({ name }) => name)).toEqual(names)
    expect(await schemaOf(sql.client)).toEqual(fresh)
  })

  it.each([
    ['no address', undefined, /^DATABASE_URL: write postgres:/],
    ['another engine', 'mysql://user:hidden@host/name', /^DATABASE_URL: write postgres:/],
    ['an unreachable server', 'postgres://user:hidden@127.0.0.1:1/name', /cannot be used \(.*ECONNREFUSED/],
  ])('with %s reports the problem and exits', async (_, url, said) => {
    const { code, output, complaints } = await run('src/cli/migrate.ts', url ? { DATABASE_URL: url } : {})
    expect([code, output]).toEqual([1, ''])
    expect(complaints).toMatch(said)
    expect(complaints.trimEnd().split('\n')).toHaveLength(1)
    expect(complaints).not.toContain('hidden')
  })
})
