// Signed links to files of users: they cannot be forged, expire after a day, and give access to one file only.

import { expect, it } from 'vitest'
import type { StandIn } from '../../src/catalog/media.ts'
import { createLinks } from '../../src/http/files.ts'
import { handClock } from '../support/runtime/clock.ts'

const secret = '4242:sandbox-bot-token'
const cat: StandIn = { file: 'AgACAgIAAxkB_-кот', mime: 'image/jpeg', via: 'link' }
const day = 24 * 60 * 60_000
const clock = handClock()
const links = createLinks(secret, clock)
const path = links.path(cat)
const base64 = (text: string) => Buffer.from(text).toString('base64url')

it('a link has the file and its type, is valid in other processes, and contains neither the secret nor what needs escaping', () => {
  expect(createLinks(secret, clock).read(path)).toEqual({ file: cat.file, mime: cat.mime })
  expect(createLinks('4242:another-token', clock).read(path)).toBeUndefined()
  expect(path + Buffer.from(path.split(/[/.]/)[2] ?? '', 'base64url').toString()).not.toContain(secret)
  expect(new URL(path, 'https://bot.example.com').pathname).toBe(path)
})

it('a link is valid for exactly a day', () => {
  const own = handClock()
  const made = createLinks(secret, own)
  const link = made.path(cat)
  own.advance(day - 1)
  expect(made.read(link)).toBeDefined()
  own.advance(1)
  expect(made.read(link)).toBeUndefined()
})

it('a link is invalid with any changed character in its payload or signature', () => {
  for (const at of path.split('').keys()) {
    if (at < '/files/'.length || at >= path.lastIndexOf('/')) continue
    const other = path[at] === 'A' ? 'B' : 'A'
    expect(links.read(path.slice(0, at) + other + path.slice(at + 1)), String(at)).toBeUndefined()
  }
  expect(links.read(path.replace(/jpg$/, 'png'))).toEqual({ file: cat.file, mime: cat.mime })
})

it('a link with another file, a part of its signature or another path is invalid', () => {
  const [payload = '', signature = ''] = (path.split('/')[2] ?? '').split('.')
  const changed = [
    `/files/${base64('["other","image/jpeg",9e15]')}.${signature}/file.jpg`,
    `/files/${payload}/file.jpg`,
    `/files/${payload}./file.jpg`,
    `/files/${payload}.${signature.slice(0, 20)}/file.jpg`,
    `/files/${payload}.${signature}A/file.jpg`,
    `/files/.${signature}/file.jpg`,
    path.replace('/files/', '/other/'),
    `${path}/../../secret`,
    path.replace(/\/file\.jpg$/, ''),
    '/files/',
  ]
  expect(changed.filter((one) => links.read(one) !== undefined)).toEqual([])
})
