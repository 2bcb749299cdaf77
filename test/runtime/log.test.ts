// What log lines contain of errors and secrets.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { secretsOf } from '../../src/config/secrets.ts'
import { parseConfig } from '../../src/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('postgres')
})
afterAll(() => database.close())

function written(work: () => void): string {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  work()
  write.mockRestore()
  return lines.join('')
}

it('a failed statement is logged without its parameters', async () => {
  const failed = database.db.execute(sql`select ${'a private wish'}::integer`)
  const error = await failed.catch((one: unknown) => one)
  const line = written(() => createLog('info').error({ error }, 'no'))
  expect(line).toContain('Failed query: select $1::integer')
  expect(JSON.parse(line).error.stack[0]).toContain('drizzle-orm')
  expect(line.replace(/invalid input syntax[^}]*/g, '')).not.toContain('a private wish')
})

it('secrets are replaced everywhere, also the password of the database', () => {
  const parsed = parseConfig({
    BOT_TOKEN: '4242:bot-token-secret',
    GATEWAY_URL: 'https://api.example.com',
    GATEWAY_KEY: 'gateway-key-secret',
    DATABASE_URL: 'postgres://bot:data%2Fbase-secret@db/bot',
    TOPUP_RUB_PROVIDER_TOKEN: 'provider-secret',
    YOOKASSA_SHOP_ID: '100500',
    YOOKASSA_SECRET_KEY: 'yookassa-secret',
    METRICS_TOKEN: 'metrics-token-secret',
  })
  if (!parsed.ok) return expect.unreachable(parsed.problems.join())
  const log = createLog('info', secretsOf(parsed.config))
  const line = written(() => log.info({ config: parsed.config, error: new Error('data/base-secret') }, 'all'))
  expect(line).not.toMatch(/-secret/)
})

it('replaces a password with a percent sign in its encoded and its decoded form', () => {
  const parsed = parseConfig({
    BOT_TOKEN: '42:bot',
    GATEWAY_URL: 'http://gateway.test',
    GATEWAY_KEY: 'key',
    DATABASE_URL: 'postgres://bot:50%25-secret%2F@db/bot',
  })
  if (!parsed.ok) return expect.unreachable(parsed.problems.join())
  expect(secretsOf(parsed.config)).toEqual(expect.arrayContaining(['50%25-secret%2F', '50%-secret/']))
})
