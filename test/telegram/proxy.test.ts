// A proxy for Telegram only: all requests to the Bot API and its files go through it, and nothing else does.

import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { inspectBot } from '../../src/telegram/identify.ts'
import { startTelegram, token } from '../support/telegram/local-telegram.ts'
import { startHttpProxy, startSocksProxy, type TestProxy } from '../support/telegram/proxies.ts'
import { jpeg } from '../support/users/pictures.ts'
import { openSandbox } from '../support/users/sandbox.ts'

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
