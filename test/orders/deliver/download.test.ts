// Results are downloaded only from the public internet or from the gateway itself, and within limits, whatever the address, the
// resolver or the server do. test/hostile tries many more addresses, and answers that come slowly or never end.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo, type LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  createDownloads,
  type DownloadSettings,
  type Downloads,
} from '../../../src/orders/deliver/download.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => void

let answer: Answer = (_, res) => void res.end()
let visits = 0
const server = createServer((req, res) => {
  visits += 1
  answer(req, res)
})
let port = 0
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  await once(server.close(), 'close')
})

const opened: Downloads[] = []
afterEach(async () => {
  for (const downloads of opened.splice(0)) await downloads.close()
})
const open = (settings: Partial<DownloadSettings> = {}) => {
  const downloads = createDownloads({ gatewayUrl: 'https://gateway.example/api', ...settings })
  opened.push(downloads)
  return downloads
}
/** The server takes the place of the gateway, so its private address is allowed. */
const ofGateway = (settings: Partial<DownloadSettings> = {}) =>
  open({ gatewayUrl: `http://127.0.0.1:${port}/api`, ...settings })
const file = () => `http://127.0.0.1:${port}/file`

const connection = z.looseObject({ host: z.string(), lookup: z.custom<LookupFunction>().optional() })

/** Until the end of the test, connections to all addresses reach the server. @returns the addresses of other machines */
function allLeadsHere(): string[] {
  const reached: string[] = []
  const { connect } = net
  const spy = vi.spyOn(net, 'connect').mockImplementation((...args: unknown[]) => {
    const { host, lookup } = connection.parse(args[0])
    if (host !== '127.0.0.1' && net.isIP(host) !== 0) reached.push(host)
    if (!lookup || net.isIP(host) !== 0) return connect({ host: '127.0.0.1', port })
    const redirected: LookupFunction = (name, options, give) =>
      lookup(name, options, (error, found) => {
        if (error) return give(error, found)
        reached.push(...[found].flat().map((one) => (typeof one === 'string' ? one : one.address)))
        give(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4)
      })
    return connect({ host, port, lookup: redirected })
  })
  onTestFinished(() => spy.mockRestore())
  return reached
}

const media = (bytes: Buffer, headers: Record<string, string> = {}): Answer => {
  return (_, res) => void res.writeHead(200, { 'content-type': 'video/mp4', ...headers }).end(bytes)
}

it('a host name that does not resolve is reported as unavailable, and one of this machine is not connected to', async () => {
  const downloads = open({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  expect(await downloads.get('http://files.example/a')).toEqual({ ok: false, reason: 'unavailable' })
  visits = 0
  expect(await open().get(`http://localhost:${port}/file`)).toEqual({ ok: false, reason: 'forbidden' })
  expect(visits).toBe(0)
})

describe('the gateway', () => {
  it('may have a private address, at its own port only', async () => {
    answer = media(Buffer.from('bytes'))
    expect(await ofGateway().get(file())).toMatchObject({ ok: true, bytes: Buffer.from('bytes') })
    const beside = open({ gatewayUrl: `http://127.0.0.1:${port + 1}` })
    expect(await beside.get(file())).toEqual({ ok: false, reason: 'forbidden' })
    const byName = open({ gatewayUrl: `http://localhost:${port}` })
    expect(await byName.get(file())).toEqual({ ok: false, reason: 'forbidden' })
  })

  it('may put the file into a data URL, if there is one in it', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')
    for (const [url, extension] of [
      [`data:image/png;base64,${png}`, 'png'],
      ['data:text/vtt;charset=utf-8,WEBVTT%0A%0A', 'vtt'],
      ['data:,%7B%22seed%22%3A7%7D', 'json'],
    ] as const)
      expect(await open().get(url)).toMatchObject({ ok: true, format: { extension } })
    for (const url of ['data:image/png;base64,', 'data:,', 'data:nothing', 'data:text/html,%zz'])
      expect(await open().get(url), url).toEqual({ ok: false, reason: 'not-a-file' })
  })
})

describe('a redirect', () => {
  const bytes = Buffer.from('glTF, at last')
  /** The answer per path: a status with a location, or the file. */
  const paths = (entries: Record<string, readonly [number, string?] | Buffer>) => {
    const seen: IncomingMessage[] = []
    answer = (req, res) => {
      seen.push(req)
      const entry = entries[req.url ?? ''] ?? [404]
      if (Buffer.isBuffer(entry)) return void res.end(entry)
      const [status, location] = entry
      res.writeHead(status, location === undefined ? {} : { location }).end('moved')
    }
    return seen
  }
  const get = (settings: Partial<DownloadSettings> = {}) => ofGateway(settings).get(file())

  it('is followed, whatever its status and its form', async () => {
    const signed = '/signed?key=1&x=%20'
    for (const [status, location, path] of [
      ...[301, 302, 303, 307, 308].map(
        (code) => [code, `http://127.0.0.1:${port}${signed}`, signed] as const,
      ),
      [302, '/there/file.glb', '/there/file.glb'],
      [302, 'there/file.glb', '/there/file.glb'],
      [302, `//127.0.0.1:${port}/there/file.glb`, '/there/file.glb'],
      [302, '/there/file.glb#part', '/there/file.glb'],
    ] as const) {
      paths({ '/file': [status, location], [path]: bytes })
      expect(await get(), location).toMatchObject({ ok: true, bytes })
    }
  })

  it('is followed up to five times', async () => {
    const hops = (last: number) =>
      Object.fromEntries(
        Array.from({ length: last }, (_, n) => [n ? `/${n}` : '/file', [302, `/${n + 1}`] as const]),
      )
    paths({ ...hops(5), '/5': bytes })
    expect(await get()).toMatchObject({ ok: true, bytes })
    const seen = paths({ ...hops(6), '/6': bytes })
    expect(await get()).toEqual({ ok: false, reason: 'refused' })
    expect(seen).toHaveLength(6)
    paths({ '/file': [302] })
    expect(await get(), 'without a location').toEqual({ ok: false, reason: 'refused' })
  })

  it('to an address that is not public is not followed', async () => {
    for (const location of [
      ...['http://127.0.0.1:1/secret', 'http://[::1]/secret', 'http://localhost/secret', 'http://[::1'],
      ...['file:///etc/passwd', 'data:image/png;base64,AAAA', 'https://user:password@files.example/a'],
    ]) {
      const seen = paths({ '/file': [302, '/hop'], '/hop': [302, location] })
      expect(await get(), location).toEqual({ ok: false, reason: 'forbidden' })
      expect(seen).toHaveLength(2)
    }
  })

  it('to a host name that resolves to a private address is not followed', async () => {
    const asked: string[] = []
    const resolve = async (hostname: string) => {
      asked.push(hostname)
      return [{ address: '127.0.0.1', family: 4 }]
    }
    paths({ '/file': [302, `http://cdn.example:${port}/secret`] })
    visits = 0
    expect(await get({ resolve })).toEqual({ ok: false, reason: 'forbidden' })
    expect(asked).toEqual(['cdn.example'])
    expect(visits).toBe(1)
  })

  it('to a public address, or to a host name that has one, is followed there, without key, cookie and referrer', async () => {
    const resolve = async () => [{ address: '8.8.8.8', family: 4 }]
    const reached = allLeadsHere()
    for (const host of ['cdn.example', '8.8.8.8']) {
      const seen = paths({ '/file': [302, `http://${host}/signed`], '/signed': bytes })
      expect(await get({ resolve })).toMatchObject({ ok: true, bytes })
      expect(reached.splice(0)).toEqual(['8.8.8.8'])
      expect(seen.map(({ headers }) => headers.host)).toEqual([`127.0.0.1:${port}`, host])
      const names = ['accept-encoding', 'connection', 'host', 'user-agent']
      for (const { headers } of seen) expect(Object.keys(headers).toSorted()).toEqual(names)
    }
  })

  it('gives the file the name of its target', async () => {
    paths({ '/file': [302, '/signed/chair.FBX?key=1'], '/signed/chair.FBX?key=1': Buffer.from('\0\x01\x02') })
    expect(await get()).toMatchObject({ ok: true, format: { kind: 'model3d', extension: 'fbx' } })
  })
})

describe('an answer', () => {
  it('without a body has the meaning of its status', async () => {
    const rows = [
      ['not-a-file', 200, 204],
      ['refused', 300, 304, 400, 403],
      ['gone', 404, 410],
      ['unavailable', 202, 408, 429, 500, 503],
    ] as const
    for (const [reason, ...statuses] of rows)
      for (const status of statuses) {
        answer = (_, res) => void res.writeHead(status, { 'content-type': 'video/mp4' }).end()
        expect(await ofGateway().get(file()), `${status}`).toEqual({ ok: false, reason })
      }
  })

  it('of exactly the maximal size is accepted, whether its length is declared or not', async () => {
    for (const headers of [{ 'content-length': '1000' }, {}]) {
      answer = media(Buffer.alloc(1000, 1), headers)
      expect(await ofGateway({ maxBytes: 1000 }).get(file())).toMatchObject({ ok: true })
      expect(await ofGateway({ maxBytes: 999 }).get(file())).toMatchObject({ reason: 'too-large' })
    }
  })

  it('that is compressed although it was not asked to be is decompressed, within the same limit', async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000))
    expect(bomb.length).toBeLessThan(100_000)
    answer = media(bomb, { 'content-encoding': 'gzip' })
    expect(await ofGateway({ maxBytes: 100_000 }).get(file())).toEqual({ ok: false, reason: 'too-large' })
    answer = (req, res) => {
      expect(req.headers['accept-encoding']).toBe('identity')
      media(gzipSync('glTF....'), { 'content-encoding': 'GZIP' })(req, res)
    }
    const glb = { ok: true, bytes: Buffer.from('glTF....'), format: { kind: 'model3d', extension: 'glb' } }
    expect(await ofGateway().get(file())).toMatchObject(glb)
    answer = media(Buffer.from('glTF....'), { 'content-encoding': 'gzip', 'content-type': 'text/html' })
    expect(await ofGateway().get(file()), 'its header may be wrong').toMatchObject(glb)
  })

  it('that is an archive is not unpacked', async () => {
    const bytes = gzipSync('a model')
    answer = media(bytes)
    expect(await ofGateway().get(file())).toMatchObject({ ok: true, bytes, format: { extension: 'gz' } })
  })
})
