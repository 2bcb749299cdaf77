// Hostile addresses of results, given by the gateway directly or by a redirect. A server in our own network must not be visited.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDownloads, type DownloadSettings, type Downloads } from '../../src/orders/deliver/download.ts'
import { isPublic } from '../../src/runtime/public-web.ts'
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

/** The address in UTF-8, without characters that a header cannot contain. */
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

/** Downloads from the address directly, and through a redirect of the gateway to it. */
async function visited(from: Downloads, address: string) {
  location = address
  return [await from.get(address), await from.get(`http://127.0.0.1:${gateway}/file`)]
}

describe('downloads', () => {
  it.each(privateHosts)('refuse the private host %s', async (host) => {
    expect(await visited(plain, `http://${host}:${canary}/file`)).toEqual([forbidden, forbidden])
  })

  it.each(privateNames)('refuse the name %s, which belongs to this machine', async (name) => {
    expect(await visited(resolved, `http://${name}:${canary}/file`)).toEqual([forbidden, forbidden])
  })

  it.each(disguised)('refuse %j, whose spelling hides a private address', async (address) => {
    const [direct, redirected] = await visited(plain, address)
    // As a redirect, a spelling without slashes is a path of the redirecting server, so it fails with another reason.
    expect([direct, redirected?.ok]).toEqual([forbidden, false])
  })

  it.each(noAddresses)('refuse the invalid address %j', async (address) => {
    expect(await resolved.get(address)).toEqual(forbidden)
  })

  it.each(privateAnswers)('refuse a name that resolves to %j %s %s', async (...addresses) => {
    const downloads = open({ resolve: found(addresses) })
    expect(await downloads.get(`http://files.example:${canary}/file`)).toEqual(forbidden)
  })
})

describe('the check of public addresses', () => {
  it.each(publicAddresses)('accepts %s as public', (address) => expect(isPublic(address)).toBe(true))

  it('is repeated at each download, so that a name that resolves to a private address later is refused', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    let looks = 0
    const resolve = () => found(answers[Math.min(looks++, 1)] ?? [])()
    const downloads = open({ resolve, deadlineMs: 300 })
    expect((await downloads.get(`http://files.example:${canary}/file`)).ok).toBe(false)
    expect(await downloads.get(`http://files.example:${canary}/file`)).toEqual(forbidden)
  })
})
