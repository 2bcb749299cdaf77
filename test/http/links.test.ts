// Signed links to files of users: they cannot be forged, expire after a day, and give access to one file only.

import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { StandIn } from '../../src/catalog/media.ts'
import { createLinks } from '../../src/http/files.ts'
import { handClock } from '../support/runtime/clock.ts'

const secret = '4242:sandbox-bot-token'
const cat: StandIn = { file: 'AgACAgIAAxkB_-кот', mime: 'image/jpeg', via: 'link' }
const day = 24 * 60 * 60_000

function given() {
  const clock = handClock()
  const links = createLinks(secret, clock)
  return { clock, links, path: links.path(cat) }
}

/** Any payload with a valid signature. */
function signed(payload: string): string {
  const key = createHmac('sha256', 'file links').update(secret).digest()
  const text = Buffer.from(payload).toString('base64url')
  return `/files/${text}.${createHmac('sha256', key).update(text).digest('base64url')}/file.jpg`
}

describe('a link', () => {
  it('contains the id and the type of its file', () => {
    const { links, path } = given()
    expect(links.read(path)).toEqual({ file: cat.file, mime: cat.mime })
  })

  it('does not contain the secret and needs no escaping', () => {
    const { path } = given()
    expect(path).not.toContain(secret)
    expect(Buffer.from(path.split(/[/.]/)[2] ?? '', 'base64url').toString()).not.toContain(secret)
    expect(new URL(path, 'https://bot.example.com').pathname).toBe(path)
  })

  it('is valid for exactly a day', () => {
    const { clock, links, path } = given()
    clock.advance(day - 1)
    expect(links.read(path)).toBeDefined()
    clock.advance(1)
    expect(links.read(path)).toBeUndefined()
  })

  it('is valid after a restart and in other processes', () => {
    const { clock, path } = given()
    expect(createLinks(secret, clock).read(path)).toBeDefined()
  })

  it('of another installation is invalid', () => {
    const { clock, path } = given()
    expect(createLinks('4242:another-token', clock).read(path)).toBeUndefined()
  })

  it.each([
    ['image/jpeg', 'jpg'],
    ['image/png', 'png'],
    ['image/webp', 'webp'],
    ['image/svg+xml', 'svg'],
    ['video/mp4', 'mp4'],
    ['video/quicktime', 'mov'],
    ['video/webm', 'webm'],
    ['audio/mpeg', 'mp3'],
    ['audio/mp4', 'm4a'],
    ['audio/ogg', 'ogg'],
    ['audio/x-wav', 'wav'],
    ['audio/vnd.wave', 'bin'],
    ['image/x-portable-pixmap', 'bin'],
    ['', 'bin'],
  ])('to %s ends in .%s', (mime, extension) => {
    const { links } = given()
    const path = links.path({ ...cat, mime })
    expect(path).toMatch(new RegExp(`/file\\.${extension}$`))
    expect(links.read(path)).toEqual({ file: cat.file, mime })
  })
})

describe('a changed link is invalid', () => {
  const { clock, links, path } = given()
  const [, , rest = ''] = path.split('/')
  const [payload = '', signature = ''] = rest.split('.')

  it('with any changed character in its payload or signature', () => {
    for (const at of path.split('').keys()) {
      if (at < '/files/'.length || at >= path.lastIndexOf('/')) continue
      const other = path[at] === 'A' ? 'B' : 'A'
      expect(links.read(path.slice(0, at) + other + path.slice(at + 1)), String(at)).toBeUndefined()
    }
  })

  it.each([
    [
      'to another file',
      `/files/${Buffer.from('["other","image/jpeg",9e15]').toString('base64url')}.${signature}/file.jpg`,
    ],
    ['without its signature', `/files/${payload}/file.jpg`],
    ['with an empty signature', `/files/${payload}./file.jpg`],
    ['with half of its signature', `/files/${payload}.${signature.slice(0, 20)}/file.jpg`],
    ['with a longer signature', `/files/${payload}.${signature}A/file.jpg`],
    ['with a signature alone', `/files/.${signature}/file.jpg`],
    ['below another path', path.replace('/files/', '/other/')],
    ['with a suffix', `${path}/../../secret`],
    ['without a name', path.replace(/\/file\.jpg$/, '')],
    ['with nothing after the prefix', '/files/'],
  ])('%s', (_, changed) => {
    expect(links.read(changed)).toBeUndefined()
  })

  it('unless only the file name at its end was changed', () => {
    expect(links.read(path.replace(/jpg$/, 'png'))).toEqual({ file: cat.file, mime: cat.mime })
  })

  it.each([
    ['no JSON', 'cat'],
    ['an object', '{"file":"cat"}'],
    ['an older format', '["cat","image/jpeg"]'],
    ['a time that is not a number', '["cat","image/jpeg","tomorrow"]'],
    ['a surplus element', `["cat","image/jpeg",${Number.MAX_SAFE_INTEGER},1]`],
  ])('a link that another version signed is invalid as well: %s', (_, claim) => {
    expect(createLinks(secret, clock).read(signed(claim))).toBeUndefined()
  })

  it('the signatures in this test are those of the app', () => {
    const claim = JSON.stringify(['cat', 'image/png', clock.now().getTime() + 1])
    expect(links.read(signed(claim))).toEqual({ file: 'cat', mime: 'image/png' })
  })
})
