// Hostile addresses of results, given by the gateway at once or by a redirect. A server in our own network waits for a visit.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDownloads, type DownloadSettings, type Downloads } from '../../src/delivery/download.ts'
import { isPublic } from '../../src/delivery/public-address.ts'
import {
  disguised,
  noAddresses,
  privateAnswers,
  privateHosts,
  privateNames,
  publicAddresses,
} from './tables/addresses.ts'

const forbidden = { ok: false, reason: 'forbidden' }
const servers: Server[] = []
const downloads: Downloads[] = []
let visits = 0
let location = ''
let canary = 0
let gateway = 0

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await once(server.listen(0), 'listening')
  return (server.address() as AddressInfo).port
}

function open(settings: Partial<DownloadSettings> = {}): Downloads {
  const opened = createDownloads({ gatewayUrl: `http://127.0.0.1:${gateway}/api`, ...settings })
  downloads.push(opened)
  return opened
}

const found = (addresses: readonly string[]) => async () =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** The bytes as UTF-8, without what no header can hold. */
const inHeader = (address: string) => Buffer.from(address.replaceAll(/[\t\n\0]/g, '')).toString('latin1')

let plain: Downloads
let resolved: Downloads
beforeAll(async () => {
  canary = await listen((_, res) => {
    visits += 1
    res.end('secret')
  })
  gateway = await listen((_, res) => void res.writeHead(302, { location: inHeader(location) }).end())
  plain = open({ resolve: async () => [] })
  resolved = open({ resolve: found(['127.0.0.1']) })
})
afterAll(async () => {
  await Promise.all(downloads.map((one) => one.close()))
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  expect(visits).toBe(0)
})

/** The address itself, and the same behind a redirect of the gateway. */
async function visited(from: Downloads, address: string) {
  location = address
  return [await from.get(address), await from.get(`http://127.0.0.1:${gateway}/file`)]
}

describe('not connected to', () => {
  it.each(privateHosts)('%s', async (host) => {
    expect(await visited(plain, `http://${host}:${canary}/file`)).toEqual([forbidden, forbidden])
  })

  it.each(privateNames)('%s, which is private', async (name) => {
    expect(await visited(resolved, `http://${name}:${canary}/file`)).toEqual([forbidden, forbidden])
  })

  it.each(disguised)('%j', async (address) => {
    const [direct, redirected] = await visited(plain, address)
    // Without slashes it is a path of the server that redirects.
    expect([direct, redirected?.ok]).toEqual([forbidden, false])
  })

  it.each(noAddresses)('%j', async (address) => {
    expect(await resolved.get(address)).toEqual(forbidden)
  })

  it.each(privateAnswers)('a name that is resolved to %j %s %s', async (...addresses) => {
    const downloads = open({ resolve: found(addresses) })
    expect(await downloads.get(`http://files.example:${canary}/file`)).toEqual(forbidden)
  })
})

describe('an address', () => {
  it.each(publicAddresses)('%s is public', (address) => expect(isPublic(address)).toBe(true))

  it('that is public at the first look and private at the second is looked up anew, and checked', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    let looks = 0
    const resolve = () => found(answers[Math.min(looks++, 1)] ?? [])()
    const downloads = open({ resolve, deadlineMs: 300 })
    expect((await downloads.get(`http://files.example:${canary}/file`)).ok).toBe(false)
    expect(await downloads.get(`http://files.example:${canary}/file`)).toEqual(forbidden)
  })
})
