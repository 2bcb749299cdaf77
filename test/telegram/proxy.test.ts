// A proxy for Telegram only: all requests to the Bot API and its files go through it, and nothing else does.

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { inspectBot } from '../../src/telegram/identify.ts'
import { startTelegram, token } from '../support/telegram/local-telegram.ts'
import { jpeg } from '../support/users/pictures.ts'
import { openSandbox } from '../support/users/sandbox.ts'

const login = { user: 'anna', password: 'p@ss:wörd/1' } as const

type TestProxy = Awaited<ReturnType<typeof started>>

const userInfo = `${login.user}:${encodeURIComponent(login.password)}@`

interface Ways {
  /** Connects both ends. */
  join(client: Socket, host: string, port: number, connected: () => void, failed: () => void): void
}

async function started(scheme: 'http' | 'socks5', make: (ways: Ways) => ReturnType<typeof createServer>) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const join: Ways['join'] = (client, host, port, connected, failed) => {
    const target = connect(port, host, () => {
      connected()
      client.on('data', (bytes) => {
        const [line = ''] = /^(GET|POST) \/\S*/.exec(bytes.toString('latin1')) ?? []
        if (line) requests.push(line)
      })
      client.pipe(target).pipe(client)
    })
    track(target)
    target.once('error', failed)
    client.once('close', () => target.destroy())
  }
  const server = make({ join })
  server.on('connection', track)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Its address, with the user and the password. */
    url: `${scheme}://${userInfo}127.0.0.1:${port}`,
    /** The first line of each request without TLS that went through it. */
    requests,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const expected = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

const startHttpProxy = (): Promise<TestProxy> =>
  started('http', ({ join }) =>
    createHttpServer((_, res) => res.writeHead(405).end()).on('connect', (req, duplex) => {
      const client = duplex as Socket
      const refuse = (status: string) => void client.end(`HTTP/1.1 ${status}\r\n\r\n`)
      if (req.headers['proxy-authorization'] !== expected) return refuse('407 Proxy Authentication Required')
      const { hostname, port } = new URL(`http://${req.url}`)
      const connected = () => client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      join(client, hostname, Number(port), connected, () => refuse('502 Bad Gateway'))
    }),
  )

const bytesOf = async (client: Socket): Promise<Buffer> => (await once(client, 'data'))[0]

/** RFC 1929. */
async function isLoggedIn(client: Socket): Promise<boolean> {
  const [, , ...methods] = await bytesOf(client)
  client.write(Buffer.from([5, methods.includes(2) ? 2 : 255]))
  const given = await bytesOf(client)
  const userEnd = 2 + (given[1] ?? 0)
  const [user, password] = [given.subarray(2, userEnd), given.subarray(userEnd + 1)].map(String)
  const isKnown = user === login.user && password === login.password
  client.write(Buffer.from([1, isKnown ? 0 : 1]))
  return isKnown
}

const reply = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])

/** RFC 1928. Each message comes in one read. */
async function serveSocks(client: Socket, { join }: Ways): Promise<void> {
  if (!(await isLoggedIn(client))) return void client.end()
  const asked = await bytesOf(client)
  const host = asked[3] === 1 ? asked.subarray(4, 8).join('.') : String(asked.subarray(5, -2))
  const port = asked.readUInt16BE(asked.length - 2)
  join(
    client,
    host,
    port,
    () => client.write(reply(0)),
    () => client.end(reply(5)),
  )
}

const startSocksProxy = (): Promise<TestProxy> =>
  started('socks5', (ways) =>
    createServer((client) => void serveSocks(client, ways).catch(() => client.destroy())),
  )

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function opened(start: () => Promise<TestProxy>): Promise<TestProxy> {
  const proxy = await start()
  closing.push(proxy.close)
  return proxy
}

it('a SOCKS5 proxy carries polling, calls, uploads and downloads of the Bot API, and nothing else', async () => {
  const proxy = await opened(startSocksProxy)
  const sandbox = await openSandbox('postgres', { TELEGRAM_PROXY: proxy.url })
  closing.push(sandbox.stop)
  const anna = await sandbox.user('Anna')
  await anna.attaches(await jpeg(), '/chat what is on it?', /looked at what you attached/)
  await anna.sends('/image a fox')
  await anna.taps(/^Generate · ₽5\.28/)
  await anna.sees(({ photo }) => photo !== undefined)
  const made = new Set(
    proxy.requests.map((line) => line.replace(/\/bot[^/]+/, '').replace(/(\/file).*/, '$1')),
  )
  expect([...made]).toEqual(
    expect.arrayContaining(['POST /getUpdates', 'POST /sendMessage', 'POST /getFile', 'GET /file']),
  )
  expect([...made].filter((line) => !/^(POST \/[a-zA-Z]+|GET \/file)$/.test(line))).toEqual([])
  expect(proxy.requests.filter((line) => !/^(POST|GET \/file)\b.*\/bot\d/.test(line))).toEqual([])
})

it.each([
  ['an HTTP proxy', startHttpProxy],
  ['a SOCKS5 proxy', startSocksProxy],
])('%s that fails is named with the part that failed, without the password', async (_, start) => {
  const proxy = await opened(start)
  const telegram = await startTelegram()
  closing.push(telegram.discard)
  const troubleWith = async (address: string) => {
    const found = await inspectBot(token, { apiRoot: telegram.url, proxy: address }, systemClock, [])
    return found.ok ? 'none' : found.trouble
  }
  expect(await troubleWith(proxy.url)).toBe('none')
  expect(await troubleWith(proxy.url.replace(/:p%40[^@]+@/, ':another@'))).toMatch(
    /^TELEGRAM_PROXY: the proxy 127\.0\.0\.1:\d+ refuses the login \(.+\): correct the user and the password\.$/,
  )
  const fault = { kind: 'error', status: 401, description: 'Unauthorized' } as const
  telegram.faults.add({ target: 'telegram', operation: 'getMe', times: 1, fault })
  expect(await troubleWith(proxy.url)).toMatch(/^BOT_TOKEN: Telegram at .+ refuses the token/)
  await proxy.close()
  expect(await troubleWith(proxy.url)).toMatch(
    /^TELEGRAM_PROXY: the proxy 127\.0\.0\.1:\d+ does not lead to Telegram at http.+ \(.+\): check its address/,
  )
})
