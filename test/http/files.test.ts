// Files that the gateway downloads by signed links: the original bytes, never shown as a page. The links cannot be forged, expire after a
// day, and give access to one file only.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { StandIn } from '../../src/catalog/media.ts'
import { createFileRoute, createLinks } from '../../src/http/files.ts'
import { handClock } from '../support/runtime/clock.ts'
import { jpeg, ordered } from '../support/users/pictures.ts'
import { sharedSandbox } from '../support/users/sandbox.ts'
import { labelsOf } from '../support/users/user.ts'

const sandbox = await sharedSandbox({ credit: '2000' })
let link: string
let bytes: Uint8Array
beforeAll(async () => {
  const anna = await sandbox.user('Anna')
  const picture = await jpeg()
  bytes = picture.bytes
  await anna.opens('/video a cat surfing', '🎛 Model', /^Dream/, '📎 First frame')
  await anna.attaches(picture, '', (message) => labelsOf(message).includes('First frame: 🖼'))
  await sandbox.breaks('gateway', 'create', { kind: 'error', status: 400 })
  await anna.tapsFor('Generate · ₽264.10', /didn’t accept the order/)
  const keyframed = z.object({ keyframes: z.object({ frame0: z.object({ url: z.url() }) }) })
  link = keyframed.parse((await ordered(sandbox)).at(-1)).keyframes.frame0.url
})

it('a link has the bytes and the type of the file, as an attachment', async () => {
  const answer = await fetch(link)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(bytes.length),
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  })
})

it('a link is at the address of the app, contains nothing of Telegram, and serves GET and HEAD only', async () => {
  expect(link).toMatch(new RegExp(`^${sandbox.url}/app/files/[\\w-]+\\.[\\w-]+/file\\.jpg$`))
  expect(link).not.toMatch(/bot|4242|sandbox-bot-token/)
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await fetch(link, { method })).status).toBe(404)
})

/** A route whose file never ends: 16 kB at a time, as fast as they are read. */
async function endless() {
  const clock = handClock()
  let read = 0
  const bytes = async function* () {
    for (;;) {
      read += 1
      yield Buffer.alloc(16 * 1024)
    }
  }
  const opened = { ok: true, size: 7, read: async () => ({ size: undefined, bytes: bytes() }) } as const
  const links = createLinks('secret', clock)
  const route = createFileRoute({ clock, links, files: { open: async () => opened } })
  const server = createServer((req, res) => void route(req, res, req.url ?? ''))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const get = (file: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}${links.path({ file, mime: 'video/mp4', via: 'link' })}`, { method })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { clock, get, close, pieces: () => read }
}

it('HEAD tells the size and reads nothing of the file', async () => {
  const { get, pieces, close } = await endless()
  const answers = await Promise.all(Array.from({ length: 8 }, () => get('a', 'HEAD')))
  for (const { status, headers } of answers) {
    expect([status, headers.get('content-length'), headers.get('content-type')]).toEqual([
      200,
      '7',
      'video/mp4',
    ])
  }
  expect(pieces()).toBe(0)
  close()
})

it('readers that do not read hold little memory, are limited in number, and lose the connection after two minutes', async () => {
  const { clock, get, pieces, close } = await endless()
  const unread = await Promise.all(Array.from({ length: 8 }, () => get('a')))
  expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200))
  const refused = await get('a')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  const others = await Promise.all(Array.from({ length: 25 }, (_, at) => get(`${at % 4} of another`)))
  expect(others.map(({ status }) => status).toSorted()).toEqual([...Array(24).fill(200), 503])
  clock.advance(2 * 60_000)
  for (const { body } of unread)
    await expect(async () => {
      for await (const _ of body ?? []);
    }).rejects.toThrow()
  await expect.poll(async () => (await get('a', 'HEAD')).status).toBe(200)
  expect(pieces()).toBeLessThan(32 * 1000)
  close()
})

it('a link fails while Telegram does, and works again afterwards', async () => {
  for (const [fault, answered] of [
    [{ kind: 'error', status: 400, description: 'scripted' }, 404],
    [{ kind: 'error', status: 500, description: 'scripted' }, 503],
    [{ kind: 'error', status: 401, description: 'scripted' }, 503],
    [{ kind: 'cut' }, 503],
  ] as const) {
    await sandbox.breaks('telegram', 'getFile', fault)
    const answer = await fetch(link)
    expect([answer.status, await answer.text()]).toEqual([answered, 'not available'])
    expect((await fetch(link)).status).toBe(200)
  }
})

describe('a link', () => {
  const secret = '4242:sandbox-bot-token'
  const cat: StandIn = { file: 'AgACAgIAAxkB_-кот', mime: 'image/jpeg', via: 'link' }
  const day = 24 * 60 * 60_000
  const clock = handClock()
  const links = createLinks(secret, clock)
  const path = links.path(cat)
  const base64 = (text: string) => Buffer.from(text).toString('base64url')

  it('has the file and its type, is valid in other processes, and contains neither the secret nor what needs escaping', () => {
    expect(createLinks(secret, clock).read(path)).toEqual({ file: cat.file, mime: cat.mime })
    expect(createLinks('4242:another-token', clock).read(path)).toBeUndefined()
    expect(path + Buffer.from(path.split(/[/.]/)[2] ?? '', 'base64url').toString()).not.toContain(secret)
    expect(new URL(path, 'https://bot.example.com').pathname).toBe(path)
  })

  it('is valid for exactly a day', () => {
    const own = handClock()
    const made = createLinks(secret, own)
    const link = made.path(cat)
    own.advance(day - 1)
    expect(made.read(link)).toBeDefined()
    own.advance(1)
    expect(made.read(link)).toBeUndefined()
  })

  it('is invalid with any changed character in its payload or signature', () => {
    for (const at of path.split('').keys()) {
      if (at < '/files/'.length || at >= path.lastIndexOf('/')) continue
      const other = path[at] === 'A' ? 'B' : 'A'
      expect(links.read(path.slice(0, at) + other + path.slice(at + 1)), String(at)).toBeUndefined()
    }
    expect(links.read(path.replace(/jpg$/, 'png'))).toEqual({ file: cat.file, mime: cat.mime })
  })

  it('is invalid with another file, a part of its signature or another path', () => {
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
})
