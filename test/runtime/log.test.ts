// Errors and secrets in log lines.

import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parseConfig, secretsOf } from '../../src/config.ts'
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

const failureOf = (statement: SQL): Promise<unknown> =>
  database.db.execute(statement).then(
    () => undefined,
    (error: unknown) => error,
  )

it('a failed statement is logged in one short line, without its text and its parameters', async () => {
  const error = await failureOf(
    sql`select ${'a private wish'}::integer, ${'x'.repeat(5000)}::text, 1, 2, 3, 4, 5`,
  )
  const line = written(() => createLog('info').error({ error }, 'no'))
  expect(JSON.parse(line).error.message).toMatch(
    /^select \$1::integer, \$2::text, 1, 2, 3, …: 22P02 invalid input/,
  )
  expect(line.length).toBeLessThan(1500)
  expect(line.replace(/invalid input syntax[^}]*/g, '')).not.toContain('a private wish')
})

it('equal failures of statements are logged once in ten seconds, with the number of those that were left out', async () => {
  const error = await failureOf(sql`select 1 / 0`)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const log = createLog('info')
    const fails = () => written(() => log.error({ error }, 'loop failed'))
    expect([fails(), fails(), fails()].map((line) => line !== '')).toEqual([true, false, false])
    expect(written(() => log.error({ error }, 'another loop failed'))).toContain('22012 division by zero')
    now.mockReturnValue(10_000)
    expect(JSON.parse(fails())).toMatchObject({ msg: 'loop failed', leftOut: 2 })
  } finally {
    now.mockRestore()
  }
})

it('secrets are replaced everywhere, also passwords in their encoded and decoded form', () => {
  const parsed = parseConfig({
    BOT_TOKEN: '4242:bot-token-secret',
    GATEWAY_URL: 'https://api.example.com',
    GATEWAY_KEY: 'gateway-key-secret',
    DATABASE_URL: 'postgres://bot:data%2Fbase%25-secret@db/bot',
    TELEGRAM_PROXY: 'socks5://bot:pro%2Fxy-secret@host:1080',
    TOPUP_RUB_PROVIDER_TOKEN: 'provider-secret',
    YOOKASSA_SHOP_ID: '100500',
    YOOKASSA_SECRET_KEY: 'yookassa-secret',
    PLATEGA_MERCHANT_ID: '1a021d91-9b26-4762-b303-5d4aac74e921',
    PLATEGA_SECRET: 'platega-secret',
    CRYPTOPAY_TOKEN: '42:cryptopay-token-secret',
    METRICS_TOKEN: 'metrics-token-secret',
  })
  if (!parsed.ok) return expect.unreachable(parsed.problems.join())
  const log = createLog('info', secretsOf(parsed.config))
  const line = written(() =>
    log.info(
      { config: parsed.config, error: new Error('data/base%-secret data%2Fbase%25-secret pro/xy-secret') },
      'all',
    ),
  )
  expect(line).not.toMatch(/-secret/)
})

describe('a pretty line', () => {
  const pretty = (level: 'info' | 'error', facts: object, zone = 'Asia/Yekaterinburg') => {
    vi.useFakeTimers({ now: new Date('2026-11-21T12:04:05Z') })
    const log = createLog('info', ['top-secret-value'], { format: 'pretty', timeZone: zone })
    const line = written(() => log[level](facts, 'what happened'))
    vi.useRealTimers()
    return line
  }

  it('has the time of the operator, the level as a word, the event and the facts', () => {
    expect(pretty('info', { generation: 'abc', said: 'two words', count: 2, key: 'top-secret-value' })).toBe(
      '2026-11-21 17:04:05 INFO  what happened generation=abc said="two words" count=2 key=***\n',
    )
  })

  it('stays one line whatever the facts contain', () => {
    expect(pretty('info', { said: 'a\nb', nothing: null }).split('\n')).toHaveLength(2)
    const hostile = '\u001b[2J\nfree'
    const line = pretty('info', { said: hostile, error: new Error(hostile) })
    expect(line).not.toContain('\u001b')
    expect(line.split('\n')).toHaveLength(3)
  })
})
