// What a file at a link of a user is, read from its first bytes and a few parts of it: by servers that are well-behaved, slow, endless or in
// our own network.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRemoteFiles } from '../../src/media/remote.ts'
import { createPublicWeb, type PublicWeb } from '../../src/runtime/public-web.ts'
import { clip, colored, makeMp3, makeWav, sine } from '../support/media/media-files.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => void

let answer: Answer = (_, res) => void res.end()
let asked: string[] = []
const server = createServer((req, res) => {
  asked.push(req.headers.range ?? '')
  answer(req, res)
})
let host = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await once(server.close(), 'close')
})

const webs: PublicWeb[] = []
afterEach(async () => {
  asked = []
  for (const web of webs.splice(0)) await web.close()
})

/** The server may be asked although its address is private. */
const reading = (settings: { ownUrl?: string; deadlineMs?: number; isPrivate?: boolean } = {}) => {
  const { ownUrl, isPrivate = true, ...rest } = settings
  const web = createPublicWeb({ mayBePrivate: isPrivate ? [host] : [] })
  webs.push(web)
  return createRemoteFiles({ web, ownUrl, ...rest })
}
const read = (settings: Parameters<typeof reading>[0] = {}) => reading(settings).read(`http://${host}/file`)

/** A server that gives parts, as storages do. @returns the number of bytes that it has sent */
function gives(bytes: Buffer, type = 'application/octet-stream') {
  const sent = { bytes: 0 }
  answer = ({ headers: { range = '' } }, res) => {
    const [, from = 0, to = 0] = (/^bytes=(\d+)-(\d+)$/.exec(range) ?? []).map(Number)
    const part = bytes.subarray(from, to + 1)
    sent.bytes += part.length
    const given = `bytes ${from}-${from + part.length - 1}/${bytes.length}`
    res.writeHead(206, { 'content-type': type, 'content-range': given }).end(part)
  }
  return sent
}
/** A server that always gives the whole file. */
const givesWhole = (bytes: Buffer) => {
  answer = (_, res) => void res.writeHead(200, { 'content-length': bytes.length }).end(bytes)
}

/** The same video with its index behind a film of this size, as phones and cameras write it. */
async function withIndexAtEnd(name: string, filmBytes: number): Promise<Buffer> {
  const bytes = await clip(name)
  const boxes: Buffer[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
    boxes.push(bytes.subarray(at, at + bytes.readUInt32BE(at)))
  const named = (type: string) =>
    boxes.find((box) => box.toString('latin1', 4, 8) === type) ?? Buffer.alloc(0)
  const film = Buffer.alloc(filmBytes)
  film.writeUInt32BE(filmBytes, 0)
  film.write('mdat', 4)
  return Buffer.concat([named('ftyp'), film, named('moov')])
}

describe('the facts of a file', () => {
  it('are read from the bytes, whatever the server calls it', async () => {
    gives(await colored(320, 240, [200, 30, 30]).png().toBuffer(), 'text/plain')
    expect(await read()).toMatchObject({
      ok: true,
      medium: 'image',
      mime: 'image/png',
      width: 320,
      height: 240,
    })
    gives(await clip('480x848.mp4'), 'image/png')
    const video = { ok: true, medium: 'video', mime: 'video/mp4', width: 480, height: 848, seconds: 4 }
    expect(await read()).toEqual({ ...video, bytes: (await clip('480x848.mp4')).length })
    gives(makeWav(17, sine(300), { rate: 8000 }), 'video/mp4')
    expect(await read()).toMatchObject({ ok: true, medium: 'audio', seconds: 17 })
    gives(await makeMp3(2))
    expect(await read()).toMatchObject({ ok: true, medium: 'audio', mime: 'audio/mpeg' })
  })

  it('of a video are read without the film between its beginning and its index', async () => {
    const sent = gives(await withIndexAtEnd('1920x1088.mp4', 30_000_000))
    expect(await read()).toMatchObject({ medium: 'video', width: 1920, height: 1088, seconds: 4 })
    expect(asked[0]).toBe('bytes=0-262143')
    expect(sent.bytes).toBeLessThan(600_000)
  })
})

describe('a link is refused', () => {
  it('that leads to nothing or to an error, by its bytes or by its status', async () => {
    for (const bytes of [Buffer.from('{"error":"no access"}'), Buffer.alloc(0)]) {
      givesWhole(bytes)
      expect(await read()).toEqual({ ok: false, reason: 'not-media' })
    }
    for (const status of [204, 401, 403, 404, 416, 500]) {
      answer = (_, res) => void res.writeHead(status).end()
      expect([status, await read()]).toEqual([status, { ok: false, reason: 'unreachable' }])
    }
  })

  it('when nobody listens, and when the server sends too slowly', async () => {
    const web = createPublicWeb({ mayBePrivate: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    webs.push(web)
    const unheard = createRemoteFiles({ web, ownUrl: undefined })
    expect(await unheard.read('http://files.example/a.png')).toEqual({ ok: false, reason: 'unreachable' })
    const late = { ok: false, reason: 'unreachable' }
    answer = () => undefined
    expect(await read({ deadlineMs: 200 })).toEqual(late)
    const drops: NodeJS.Timeout[] = []
    answer = (_, res) => void drops.push(setInterval(() => res.write('x'), 20))
    expect(await read({ deadlineMs: 200 })).toEqual(late)
    for (const one of drops) clearInterval(one)
  })

  it('whose body never ends, only if its beginning is no file', async () => {
    const flood = (first: Buffer): Answer => {
      return (_, res) => {
        res.write(first)
        const more = () => {
          while (res.write(Buffer.alloc(65_536)));
        }
        res.on('drain', more)
        more()
      }
    }
    answer = flood(Buffer.alloc(10))
    expect(await read()).toEqual({ ok: false, reason: 'not-media' })
    answer = flood(await colored(64, 48, [9, 9, 9]).png().toBuffer())
    expect(await read()).toEqual({ ok: true, medium: 'image', mime: 'image/png', width: 64, height: 48 })
  })

  it('unread when it leads into our network, to a file of another user or with a token', async () => {
    const files = reading({ isPrivate: false, ownUrl: 'https://bot.example.com' })
    for (const address of [
      `http://${host}/file`,
      'http://10.0.0.1/a.png',
      'http://169.254.169.254/latest/meta-data',
      'https://api.telegram.org/file/bot123456:ABC-DEF/photos/1.jpg',
      'https://media.invalid/data?file=AgAC&mime=image/png',
      'https://bot.example.com/files/abc.def/file.jpg',
    ])
      expect([address, await files.read(address)]).toEqual([address, { ok: false, reason: 'not-public' }])
    expect(asked).toEqual([])
    answer = (_, res) => void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    expect(await read()).toEqual({ ok: false, reason: 'not-public' })
  })
})
