// The methods of the local Telegram, and their list in the documentation.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { methods } from '../../../src/sandbox/telegram/bot-api.ts'

const docs = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8')

it('docs/sandbox.md lists the methods', () => {
  const [, list = ''] = /<!-- methods: [^>]*-->(.*?)<!-- end of methods -->/s.exec(docs) ?? []
  const listed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(listed).toEqual([...methods.keys()].toSorted())
})
