// The tokens in the addresses of callbacks; which task ids are found in a callback, and in which order they are tried.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCallbackTokens, idsOf, maxIds } from '../../src/orders/callback.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { anyText } from '../support/any-text.ts'
import { threadTime } from '../support/runtime/cpu-time.ts'

const found = (body: unknown, query = '') =>
  idsOf(query, typeof body === 'string' ? body : JSON.stringify(body))

describe('a task id is found', () => {
  it('wherever it is', () => {
    const rows: [string, unknown][] = [
      ['at the top', { id: 'task-1', status: 'completed' }],
      ['under a specific key', { task_id: 'task-1' }],
      ['in camel case', { taskId: 'task-1' }],
      ['under the key `task`', { task: 'task-1' }],
      ['nested', { event: 'finished', data: { task: { id: 'task-1', status: 'completed' } } }],
      ['in an array', [{ id: 'task-1' }]],
      ['in an array of ids', { task_ids: ['task-1'] }],
      ['in a form', 'id=task-1&status=completed'],
      ['in a nested field of a form', 'data%5Btask%5D%5Bid%5D=task-1'],
      ['in a nested field of a form, with dots', 'data.task.id=task-1'],
      ['in a list of a form', 'task_ids%5B%5D=task-1'],
      ['in a numbered list of a form', 'task_ids%5B0%5D=task-1'],
      ['deeply nested', { a: { b: { c: { d: { e: [[{ id: 'task-1' }]] } } } } }],
      ['below __proto__', '{"__proto__": {"id": "task-1"}}'],
    ]
    for (const [where, body] of rows) expect(found(body), where).toContain('task-1')
  })

  it('when it is a number, a long word or in another alphabet', () => {
    const rows: [string, unknown, string][] = [
      ['a number', { id: 42 }, '42'],
      ['the number zero', { id: 0 }, '0'],
      ['a number in an array', { task_ids: [7] }, '7'],
      ['a number that JavaScript would round', '{"id": 12345678901234567890}', '12345678901234567890'],
      ['a number in a form', 'task_id=42', '42'],
      ['a number in a nested field of a form', 'data%5Btask%5D%5Bid%5D=42', '42'],
      ['a number in a list of a form', 'ids%5B%5D=42', '42'],
      ['a number in an object in an array at the top', [{ event: 'done', task: { id: 42 } }], '42'],
      ['a word in another alphabet', { id: 'задача' }, 'задача'],
      ['a string with URL separators', { id: 'a/b?c#d' }, 'a/b?c#d'],
      ['as long as an id may be', { id: 'x'.repeat(200) }, 'x'.repeat(200)],
    ]
    for (const [what, body, id] of rows) expect(found(body), what).toEqual([id])
  })

  it('in the query string, with or without a body', () => {
    expect(found('', 'task_id=task-1&status=completed')).toEqual(['task-1'])
    expect(found({ id: 'vendor-1' }, 'task_id=task-1')).toEqual(['task-1', 'vendor-1'])
  })
})

it('more likely candidates are tried first', () => {
  const rows: [string, unknown, string[]][] = [
    ['a task id before an id', { id: 'vendor', task_id: 'ours' }, ['ours', 'vendor']],
    ['the id of a task before that of the event', { id: 'event', task: { id: 'ours' } }, ['ours', 'event']],
    [
      'the id of a task before that of the event, in a form',
      'event%5Bid%5D=event&data%5Btask%5D%5Bid%5D=ours',
      ['ours', 'event'],
    ],
    ['an id before a request id', { request_id: 'r', id: 'ours' }, ['ours', 'r']],
    [
      'an id that occurs twice is tried once, at its most likely place',
      { ref: 'task-77', deep: { task_id: 'task-77' } },
      ['task-77'],
    ],
  ]
  for (const [what, body, expected] of rows) expect(found(body), what).toEqual(expected)
})

it('content that cannot be a task id is ignored', () => {
  const rows: [string, unknown][] = [
    ['an empty body', ''],
    ['an HTML page', '<html><body>Bad gateway</body></html>'],
    ['broken JSON', '{"id": '],
    ['URLs', { id: 'https://cdn.example/1.mp4', url: 'http://127.0.0.1/2.mp4' }],
    ['sentences', { id: 'not an id', error: 'content policy 12345' }],
    ['path segments', { id: '..', task_id: '.', taskId: '...' }],
    ['control characters', { id: 'task\u00001', task_id: 'task\u202e1' }],
    ['an overlong id', { id: 'x'.repeat(201) }],
    ['values of other types', { id: null, task_id: true, taskId: {}, ids: [[]] }],
    ['broken numbers', { id: 1.5, task_id: -3, taskId: 1e300 }],
    ['words and dates', { status: 'completed', created: 1763726400, at: '2026-11-21T12:00:00Z' }],
  ]
  for (const [what, body] of rows) expect(found(body), what).toEqual([])
})

describe('a large or deeply nested callback', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => ({ id: `task-${n}` }))

  it('yields a limited number of candidates, the most likely first', () => {
    expect(found(ids(1000))).toEqual(ids(maxIds).map(({ id }) => id))
    expect(found([...ids(1000), { task_id: 'ours' }])[0]).toBe('ours')
  })

  it.each([
    ['arrays in arrays', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['objects in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['quotes', '"'.repeat(64_000)],
    ['escaped quotes', `"${'\\"'.repeat(32_000)}`],
    ['backslashes', `"${'\\'.repeat(63_999)}`],
    ['digits', '1'.repeat(64_000)],
    ['ampersands', '&='.repeat(32_000)],
    ['brackets', 'a[b]'.repeat(16_000)],
    ['a field with brackets', `${'[a]'.repeat(20_000)}=1`],
    ['small values', JSON.stringify(Array.from({ length: 30_000 }, () => 1))],
  ])('of %s is read quickly', (_, body) => {
    const begun = threadTime()
    found(body)
    expect(threadTime() - begun).toBeLessThan(1000)
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
    expect(idsOf(query, text).length).toBeLessThanOrEqual(maxIds)
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
