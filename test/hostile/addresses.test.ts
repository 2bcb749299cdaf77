// Hostile addresses of results, given by the gateway directly or by a redirect. A server in our own network must not be visited.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
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

/** The addresses that are not refused, directly and by a redirect of the gateway to them. */
async function visited(from: Downloads, addresses: readonly string[]): Promise<string[]> {
  const refused = [forbidden, forbidden]
  const missed: string[] = []
  for (const address of addresses) {
    location = address
    const answers = [await from.get(address), await from.get(`http://127.0.0.1:${gateway}/file`)]
    if (!isDeepStrictEqual(answers, refused)) missed.push(address)
  }
  return missed
}

describe('downloads', () => {
  it('refuse hosts of our own networks, names of this machine, and what is no address', async () => {
    expect(
      await visited(
        plain,
        privateHosts.map((host) => `http://${host}:${canary}/file`),
      ),
    ).toEqual([])
    expect(
      await visited(
        resolved,
        privateNames.map((name) => `http://${name}:${canary}/file`),
      ),
    ).toEqual([])
    for (const address of noAddresses)
      expect([address, await resolved.get(address)]).toEqual([address, forbidden])
  })

  it('refuse an address whose spelling hides a private one', async () => {
    for (const address of disguised) {
      location = address
      expect([address, await plain.get(address)]).toEqual([address, forbidden])
      // As a redirect, a spelling without slashes is a path of the redirecting server, so it fails with another reason.
      expect(await plain.get(`http://127.0.0.1:${gateway}/file`)).toMatchObject({ ok: false })
    }
  })

  it('refuse a name that resolves to a private address', async () => {
    for (const addresses of privateAnswers) {
      const answer = await open({ resolve: found(addresses) }).get(`http://files.example:${canary}/file`)
      expect([addresses, answer]).toEqual([addresses, forbidden])
    }
  })

  it('look up the name each time, so that one that resolves to a private address later is refused', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    let looks = 0
    const resolve = () => found(answers[Math.min(looks++, 1)] ?? [])()
    const downloads = open({ resolve, deadlineMs: 300 })
    expect((await downloads.get(`http://files.example:${canary}/file`)).ok).toBe(false)
    expect(await downloads.get(`http://files.example:${canary}/file`)).toEqual(forbidden)
  })
})

it('public addresses are accepted', () => {
  expect(publicAddresses.filter((address) => !isPublic(address))).toEqual([])
})
