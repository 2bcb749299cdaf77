// Hostile addresses of results, given by the gateway directly or by a redirect. A server in our own network must not be visited.

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDownloads, type DownloadSettings, type Downloads } from '../../src/orders/deliver/download.ts'
import { isPublic } from '../../src/runtime/public-web.ts'
import { rows, words } from './tables/words.ts'

/** Hosts that are not public. */
const privateHosts: readonly string[] = words(`
  127.0.0.1 127.0.0.2 127.255.255.254 2130706433 0177.0.0.1 00000177.0.0.01 0x7f.0.0.1
  0X7F.0x0.0x0.0x1 0x7f000001 017700000001 127.1 127.0.1 0x7f.1 ①②⑦.⓪.⓪.① １２７.０.０.１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏
  127。0。0。1 127．0．0．1 127｡0｡0｡1 127.0.0.1. %31%32%37.0.0.1 127%2e0%2e0%2e1 0 0.0.0.0 0x0 00 0.0.0.1
  0.255.255.255 10.1.2.3 10.255.255.255 167838211 0xa010203 012.1.2.3 172.16.0.1 172.31.255.255
  192.168.0.1 192.168.257 3232235521 100.64.0.1 100.127.255.255 169.254.169.254 169.254.43518
  2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 169.254.255.255 192.0.0.170
  192.0.0.255 192.0.0.192 192.88.99.1 192.88.99.255 192.168.255.255 198.18.0.1 198.19.255.255
  198.51.100.7 198.51.100.255 203.0.113.7 203.0.113.255 192.0.2.1 192.0.2.255 224.0.0.1
  239.255.255.250 240.0.0.1 250.1.1.1 255.255.255.255 4294967295 [::1] [0:0:0:0:0:0:0:1] [0000::0001]
  [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:127.0.0.1] [0:0:0:0:0:ffff:a9fe:a9fe]
  [::ffff:169.254.169.254] [::ffff:10.0.0.1] [::ffff:8.8.8.8] [::ffff:0:127.0.0.1] [::127.0.0.1]
  [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a00:1]
  [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:808:808::] [2001::7f00:1]
  [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:db8::1] [2001:20::1] [3fff::1] [fc00::1] [fd00::1]
  [fd00:ec2::254] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1] [100::1] [5f00::1] [4000::1]
`)

/** Names that the system or a DNS server can resolve to this machine. */
const privateNames: readonly string[] = words(`
  localhost LOCALHOST localhost. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ lo%63alhost foo.localhost localhost.localdomain
  ip6-localhost ip6-loopback localtest.me 127.0.0.1.nip.io 127-0-0-1.sslip.io metadata
  metadata.google.internal instance-data host.docker.internal kubernetes.default.svc router.local db
  a.example xn--80ak6aa92e.example пример.рф local\u00adhost local\u200bhost
`)

/** Addresses that must be refused whatever DNS servers answer. */
const noAddresses: readonly string[] = [
  ...words(`
  x / /file.mp4 // ?x #x file.mp4 http: http:/ http:// http:/// http://. http://.. http://?x
  http://:80 http://[ http://[] http://[::1 http://::1/ http://[::1%25lo]/ http://[fe80::1%eth0]/
  http://[::ffff:127.0.0.1 http://1.2.3.4.5.6.256/ http://256.1.1.1/ http://1.2.3.999/
  http://0x100000000/ http://4294967296/ http://a<b>.example/ http://a.example:99999/
  http://a.example:-1/ http://a.example:x/ http://a.example:8０8０/ http://user@a.example/
  http://user:password@a.example/ http://:password@a.example/ http://a.example@127.0.0.1/
  http://127.0.0.1@a.example/ http://a.example:80@127.0.0.1/ http://a%40b@127.0.0.1/ http://xn--a/
  http://xn--a.example/ http://a%00.example/ http://a%2f.example/ http://a%5c.example/
  http://a|b.example/ ftp://a.example/a.mp4 ftps://a.example/a.mp4 sftp://a.example/a.mp4
  file:///etc/passwd file://localhost/etc/passwd FILE:///etc/passwd file:etc/passwd
  gopher://127.0.0.1:6379/_PING dict://127.0.0.1:11211/stat ldap://127.0.0.1/ tftp://127.0.0.1/x
  ssh://127.0.0.1 redis://127.0.0.1:6379 postgres://127.0.0.1:5432 unix:///var/run/docker.sock
  http+unix://%2Fvar%2Frun%2Fdocker.sock/info jar:http://a.example!/x netdoc:///etc/passwd phar://x
  php://filter/x ws://a.example/ wss://a.example/ blob:http://a.example/x about:blank
  view-source:http://a.example javascript:alert(1) JaVaScRiPt:alert(1) vbscript:x mailto:a@example.com
  tel:+1 tg://user?id=1 intent://x httpx://a.example ｈｔｔｐ://a.example/ null undefined
  {"url":"http://a.example"}
`),
  ...rows(`| |http://a b.example/|http://a\u0000.example/|h\u0000ttp://a.example|[object Object]`),
]

/** Spellings that parsing turns into an address of this machine: white space is dropped, backslashes become slashes. */
const disguised: readonly string[] = [
  ...words(`
  http:127.0.0.1 http:/127.0.0.1 http:////127.0.0.1/ http://127.0.0.1#@a.example/
  http://127.0.0.1?@a.example/ HTTP://127.0.0.1/ hTTpS://127.0.0.1/ http://127.0.0.1:080/
  http://127.0.0.1:00080/ http://127.0.0.1:443/ https://127.0.0.1:80/ http://127.0.0.1:6379/
  http://127.0.0.1:/
`),
  ...rows(
    `ht\ttp://127.0.0.1/|http:\n//127.0.0.1/| http://127.0.0.1/ |\u0000http://127.0.0.1/|` +
      `http:\\\\127.0.0.1\\|http:/\\127.0.0.1/|http://127.0.0.1\\@a.example/|` +
      `http://127.0.0.1:80\\@a.example|http://12\t7.0.0.1/|http://127.0.\n0.1/`,
  ),
]

/** DNS answers for a name that must be refused. */
const privateAnswers: readonly (readonly string[])[] = [
  ...words(`
  127.0.0.1 127.0.0.2 0.0.0.0 10.0.0.1 169.254.169.254 192.168.1.1 100.100.100.200 ::1 :: ::ffff:127.0.0.1
  ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fd00:ec2::254 fe80::1 fe80::1%eth0 2130706433 0x7f.1 127.1
`).map((one) => [one]),
  ['8.8.8.8', '127.0.0.1'],
  ['127.0.0.1', '8.8.8.8'],
  ['2606:4700::1111', '::1'],
  ['8.8.8.8', '8.8.4.4', '10.0.0.1'],
  ['not an address'],
  [''],
  [],
]

const publicAddresses: readonly string[] = words(`
  8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 169.253.255.255 198.17.255.255
  198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4010:c05::64 2001:4860:4860::8888
  64:ff9b::808:808 64:ff9b::8.8.8.0 3ffe:831f::1
`)

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
    const atCanary = (hosts: readonly string[]) => hosts.map((host) => `http://${host}:${canary}/file`)
    expect(await visited(plain, atCanary(privateHosts))).toEqual([])
    expect(await visited(resolved, atCanary(privateNames))).toEqual([])
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
