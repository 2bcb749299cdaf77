// Which methods the local Telegram has, and that its documentation lists exactly these.

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

it('a method is either implemented, missing or unknown', () => {
  expect(methodNames.filter(isMissing)).toEqual([])
  expect([findMethod('SENDMESSAGE')?.name, isMissing('sendGame'), isMissing('sendNothing')]).toEqual([
    'sendMessage',
    true,
    false,
  ])
})
