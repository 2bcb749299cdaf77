// The key is masked and NUL is removed in every JSON text, however they are written; most texts are parsed without a walk over their values.

import { expect, it } from 'vitest'
import { createSecret } from '../../src/gateway/errors.ts'
import { seededRandom } from '../../src/sandbox/random.ts'

const keys = ['sk-Key/1', 'k"e\\y', 'ключ']
const words = [
  'sk-',
  'Key/1',
  'k"e',
  '\\',
  'y',
  'ключ',
  '\0',
  '\n',
  'u0041',
  '🐈',
  ' ',
  '1234567890123456789',
]

/** A JSON string in which each UTF-16 unit is written in a random way. */
function jsonOf(value: string, random: () => number): string {
  const unit = (char: string) => {
    const code = char.charCodeAt(0).toString(16).padStart(4, '0')
    if (random() < 0.2) return `\\u${random() < 0.5 ? code : code.toUpperCase()}`
    return char === '/' && random() < 0.5 ? '\\/' : JSON.stringify(char).slice(1, -1)
  }
  return `"${value.split('').map(unit).join('')}"`
}

function masked(value: unknown, key: string): unknown {
  if (typeof value === 'string') return value.replaceAll(key, '***').replaceAll('\0', '')
  if (Array.isArray(value)) return value.map((one) => masked(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.replaceAll(key, '***'), masked(one, key)]),
  )
}

it.each(keys)('the key %s never remains in a parsed value', (key) => {
  const random = seededRandom(1)
  const { parse } = createSecret(key)
  const text = () => {
    const some = Array.from({ length: 4 }, () => words[Math.floor(random() * words.length)])
    return [...some, random() < 0.5 ? key : ''].join('')
  }
  for (let run = 0; run < 500; run += 1) {
    const json = `{${jsonOf(text(), random)}: [${jsonOf(text(), random)}, 1.5, true, null]}`
    expect(parse(json), json).toEqual(masked(JSON.parse(json), key))
  }
})

it.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['-1', -1],
  ['1e30', 1e30],
  ['0.12500000000000000000', 0.125],
])('the number %s stays exact', (json, value) => {
  expect(createSecret('sk-Key').parse(`{"id": ${json}}`)).toEqual({ id: value })
})

it.each([
  ['many numbers', `["\\u0041",${'1,'.repeat(200_000)}1]`],
  ['many ids', `[${'1234567890123456789,'.repeat(30_000)}1]`],
  ['many objects', `["\\u0041",${'{"a":1},'.repeat(50_000)}1]`],
  ['many escapes', `"${'\\u0041'.repeat(60_000)}"`],
  ['many quotes before an id', `["${'\\"'.repeat(100_000)}",1234567890123456789]`],
  ['depth', `["\\u0041",${'['.repeat(100_000)}`],
])('a hostile text with %s is read in seconds', (_, json) => {
  const before = process.cpuUsage()
  createSecret('sk-Key').parse(json)
  const { user } = process.cpuUsage(before)
  expect(user / 1_000_000).toBeLessThan(2)
})
