// The methods that the local Telegram implements, and their list in the documentation.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findMethod, isMissing, methodNames } from '../../../src/sandbox/telegram/methods/index.ts'

const docs = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8')

it('docs/sandbox.md lists the implemented methods', () => {
  const [, list = ''] = /<!-- methods: [^>]*-->(.*?)<!-- end of methods -->/s.exec(docs) ?? []
  const listed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(listed).toEqual(methodNames.toSorted())
})

it('every method name is either implemented, known but missing, or unknown', () => {
  expect(methodNames.filter(isMissing)).toEqual([])
  expect([findMethod('SENDMESSAGE')?.name, isMissing('sendGame'), isMissing('sendNothing')]).toEqual([
    'sendMessage',
    true,
    false,
  ])
})
