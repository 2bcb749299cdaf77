// The parts of `npm run mutants`: the mutants of a text, and the function that a mutant changes.

import { expect, it } from 'vitest'
import { functionAt, marked } from './coverage.ts'
import { mutantsOf } from './edits.ts'

const file = 'src/sales/example.ts'

it('mutantsOf returns all mutants of a text, and none of imports, types, logs and assertions', () => {
  const rows: readonly (readonly [string, ...string[]])[] = [
    ['f(a < b)', 'drop a statement: {}', 'shift a comparison: f((a <= b))'],
    ['const c = a && b', 'swap && and ||: const c = (a || b)'],
    ['const c = a + b', 'swap + and -: const c = (a - b)'],
    ['const c = (d ?? e) > f', 'shift a comparison: const c = ((d ?? e) >= f)'],
    ['const c = !a ? b : d', 'negate a condition: const c = a ? b : d'],
    ['const c = 9n', 'shift a number: const c = 10n'],
    ['const c = f(a, b)', 'swap two arguments: const c = f(b, a)'],
    ['const c = Math.min(a, b)', 'swap min and max: const c = Math.max(a, b)'],
    [
      'const c = and(a(), b())',
      'drop a condition: const c = and(b())',
      'drop a condition: const c = and(a())',
    ],
    ['const c = [a(), b()]', 'drop an element: const c = [b()]', 'drop an element: const c = [a()]'],
    [
      'const c = () => { const d = 500; return d }',
      'return early: const c = () => { return; const d = 500; return d }',
    ],
    ["import { a } from './b.ts'\nlog.info({ n: 1 })\nassert(a > 1)\ntype B = 1 | 2\nconst c = d ?? 1\n"],
  ]
  for (const [text, ...changes] of rows) {
    const found = mutantsOf(file, text).map(({ kind, changes: [one] }) => `${kind}: ${one?.put}`)
    expect(found).toEqual(changes)
  }
})

it('mutantsOf returns all mutants of an SQL text', () => {
  const rows: readonly (readonly [string, ...string[]])[] = [
    [
      `where a = \${b} and c < d`,
      `where a = \${b} and c <= d`,
      'where true and c < d',
      `where a = \${b} and true`,
    ],
    [
      'x where f(a, b) or (c between 1 and 2) order by d',
      'x where true or (c between 1 and 2) order by d',
      'x where f(a, b) or false order by d',
    ],
    [
      `set a = a + \${b} for update skip locked`,
      `set a = a - \${b} for update skip locked`,
      `set a = a + \${b} `,
    ],
    ['left join lateral (select a) b on true'],
  ]
  for (const [text, ...changes] of rows) {
    const put = mutantsOf(file, `const q = sql\`${text}\``).map(({ changes: [change] }) => change?.put)
    expect(put).toEqual(changes.map((changed) => `const q = sql\`${changed}\``))
  }
})

it('a mark at the start of each function tells the number of the innermost function around a position', () => {
  const text = 'const a = 1\nfunction f(b) { return () => b + 1 }\n'
  const at = ['a = ', 'return', 'b + 1'].map((words) => functionAt(text, text.indexOf(words)))
  expect(at).toEqual([undefined, 0, 1])
  expect(marked(file, file, text, './mark.ts').put).toBe(
    `import { mark as $mark } from './mark.ts'\nconst a = 1\nfunction f(b) { $mark('${file} 0'); return () => ($mark('${file} 1'), b + 1) }\n`,
  )
})
