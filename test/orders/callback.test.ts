// The tokens in the addresses of callbacks; which task ids are found in a callback, and in which order they are tried.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallbackTokens, idsOf } from '../../src/orders/callback.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { anyText } from '../support/any-text.ts'
import { threadTime } from '../support/runtime/cpu-time.ts'

const found = (body: unknown, query = '') =>
  idsOf(query, typeof body === 'string' ? body : JSON.stringify(body))

it('a task id is found wherever it is, also as a number or in another alphabet', () => {
  const bodies: unknown[] = [
    ...[
      { id: 'task-1', status: 'completed' },
      { task_id: 'task-1' },
      { taskId: 'task-1' },
      { task: 'task-1' },
    ],
    ...[
      { event: 'finished', data: { task: { id: 'task-1' } } },
      [{ id: 'task-1' }],
      { task_ids: ['task-1'] },
    ],
    ...['id=task-1&status=completed', 'data%5Btask%5D%5Bid%5D=task-1', 'data.task.id=task-1'],
    ...['task_ids%5B%5D=task-1', 'task_ids%5B0%5D=task-1', '{"__proto__": {"id": "task-1"}}'],
    { a: { b: { c: { d: { e: [[{ id: 'task-1' }]] } } } } },
  ]
  for (const body of bodies) expect(found(body), JSON.stringify(body)).toContain('task-1')
  const rows: [unknown, string][] = [
    [{ id: 42 }, '42'],
    [{ id: 0 }, '0'],
    [{ task_ids: [7] }, '7'],
    // JavaScript would round it.
    ['{"id": 12345678901234567890}', '12345678901234567890'],
    ['task_id=42', '42'],
    ['data%5Btask%5D%5Bid%5D=42', '42'],
    ['ids%5B%5D=42', '42'],
    [[{ event: 'done', task: { id: 42 } }], '42'],
    [{ id: 'задача' }, 'задача'],
    [{ id: 'a/b?c#d' }, 'a/b?c#d'],
    [{ id: 'x'.repeat(200) }, 'x'.repeat(200)],
  ]
  for (const [body, id] of rows) expect(found(body), id).toEqual([id])
  expect(found('', 'task_id=task-1&status=completed')).toEqual(['task-1'])
  expect(found({ id: 'vendor-1' }, 'task_id=task-1')).toEqual(['task-1', 'vendor-1'])
})

it('more likely candidates are tried first, each once', () => {
  const rows: [unknown, string[]][] = [
    [{ id: 'vendor', task_id: 'ours' }, ['ours', 'vendor']],
    [{ id: 'event', task: { id: 'ours' } }, ['ours', 'event']],
    ['event%5Bid%5D=event&data%5Btask%5D%5Bid%5D=ours', ['ours', 'event']],
    [{ request_id: 'r', id: 'ours' }, ['ours', 'r']],
    [{ ref: 'task-77', deep: { task_id: 'task-77' } }, ['task-77']],
  ]
  for (const [body, expected] of rows) expect(found(body)).toEqual(expected)
})

it('content that cannot be a task id is ignored', () => {
  const bodies: unknown[] = [
    ...['', '<html><body>Bad gateway</body></html>', '{"id": '],
    { id: 'https://cdn.example/1.mp4', url: 'http://127.0.0.1/2.mp4' },
    { id: 'not an id', error: 'content policy 12345' },
    { id: '..', task_id: '.', taskId: '...' },
    { id: 'task\u00001', task_id: 'task\u202e1' },
    { id: 'x'.repeat(201) },
    { id: null, task_id: true, taskId: {}, ids: [[]] },
    { id: 1.5, task_id: -3, taskId: 1e300 },
    { status: 'completed', created: 1763726400, at: '2026-11-21T12:00:00Z' },
  ]
  for (const body of bodies) expect(found(body), JSON.stringify(body)).toEqual([])
})

describe('a large or deeply nested callback', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `task-${n}` }))

  it('yields a limited number of candidates, the most likely first', () => {
    expect(found(ids(1000))).toEqual(ids(8).map(({ id }) => id))
    expect(found([...ids(1000), { task_id: 'ours' }])[0]).toBe('ours')
  })

  it('is read quickly', () => {
    const texts = [
      ...['['.repeat(32_000) + ']'.repeat(32_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
      ...['"'.repeat(64_000), `"${'\\"'.repeat(32_000)}`, `"${'\\'.repeat(63_999)}`, '1'.repeat(64_000)],
      ...['&='.repeat(32_000), 'a[b]'.repeat(16_000), `${'[a]'.repeat(20_000)}=1`],
      JSON.stringify(Array.from({ length: 30_000 }, () => 1)),
    ]
    for (const text of texts) {
      const begun = threadTime()
      found(text)
      expect(threadTime() - begun, text.slice(0, 9)).toBeLessThan(1000)
    }
  })

  it('yields an id that is nested in seven objects, but not one that is nested in eight', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}{"id":"task-1"}${'}'.repeat(depth)}`
    expect(found(nested(7))).toEqual(['task-1'])
    expect(found(nested(8))).toEqual([])
  })

  it('yields an id next to content that is nested too deeply', () => {
    expect(found(`{"junk": ${'['.repeat(9000)}${']'.repeat(9000)}, "id": "task-1"}`)).toEqual(['task-1'])
  })
})

it('random content never makes the search throw, and yields only valid ids', () => {
  const seed = Date.now() % 2 ** 31
  const body = fc.oneof(fc.json(), anyText(), fc.webQueryParameters())
  const check = fc.property(body, fc.webQueryParameters(), (text, query) => {
    for (const id of idsOf(query, text)) {
      expect(id).toMatch(/^[^\s\p{C}]{1,200}$/u)
      expect(encodeURIComponent(id)).not.toMatch(/^\.*$/)
    }
    expect(idsOf(query, text).length).toBeLessThanOrEqual(8)
  })
  fc.assert(check, { seed, numRuns: 100 })
})

const tokens = createCallbackTokens('the bot token', randomIds)

it('a token has 32 characters, of which 20 are random, and is recognised by the same installation only', () => {
  const [token, other] = [tokens.make(), tokens.make()]
  for (const one of [token, ...Array.from({ length: 50 }, () => tokens.make())])
    expect(one).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/)
  expect(token.slice(0, 20)).not.toBe(other.slice(0, 20))
  expect(tokens.isSigned(token)).toBe(true)
  expect(createCallbackTokens('the bot token', randomIds).isSigned(token)).toBe(true)
  expect(createCallbackTokens('another bot token', randomIds).isSigned(token)).toBe(false)
  const sameRandom = createCallbackTokens('another bot token', { secret: () => token })
  expect(sameRandom.make().slice(0, 20)).toBe(token.slice(0, 20))
})

it('a token with any changed, added or missing character is not recognised', () => {
  const token = tokens.make()
  for (let at = 0; at < token.length; at += 1) {
    const changed = token[at] === '0' ? '1' : '0'
    expect(tokens.isSigned(token.slice(0, at) + changed + token.slice(at + 1))).toBe(false)
  }
  for (const forged of [token.slice(1), token.slice(0, -1), `${token}0`, token.slice(0, 20), ''])
    expect(tokens.isSigned(forged)).toBe(false)
})
