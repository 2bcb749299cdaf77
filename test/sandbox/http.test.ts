// The server of the doubles answers programs and its own pages, and no other web page.

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalTelegram, startTelegram } from '../support/telegram/local-telegram.ts'
import { createUser } from '../support/users/user.ts'

let local: LocalTelegram
let port: string
beforeAll(async () => {
  local = await startTelegram()
  await createUser(local.url, { first_name: 'Anna' })
  port = new URL(local.url).port
})
afterAll(() => local.discard())

/** Not by `fetch`, which sets the host itself. */
async function ask(method: 'GET' | 'POST', headers: Readonly<Record<string, string>>) {
  const sent = request(`${local.url}/api/users`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
  }).end(method === 'POST' ? '{"first_name":"Anna"}' : '')
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  const parts = await answer?.setEncoding('utf8').toArray()
  return { status: answer?.statusCode, text: parts?.join('') }
}

describe('a request', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
    'to %s is answered, with any port',
    async (name) => {
      for (const host of [name, `${name}:1`, `${name}:${port}`])
        expect(await ask('GET', { host })).toMatchObject({
          status: 200,
          text: expect.stringContaining('Anna'),
        })
    },
  )

  it.each(['evil:8080', 'evil', '127.0.0.1.evil', 'localhost.evil:80', 'evil:80@localhost', '127.0.0.2'])(
    'to the host "%s", which a page of the web may have, is refused',
    async (host) => {
      const { status, text } = await ask('GET', { host })
      expect(status).toBe(403)
      expect(text).not.toContain('Anna')
    },
  )

  it('without an origin, as of a program, is answered', async () => {
    expect(await ask('POST', {})).toMatchObject({ status: 200 })
  })

  it.each(['127.0.0.1', 'localhost'])('of a page of the server itself at %s is answered', async (name) => {
    const host = `${name}:${port}`
    expect(await ask('POST', { host, origin: `http://${host}` })).toMatchObject({ status: 200 })
  })

  it.each(['https://evil', 'null', 'http://localhost:1', 'https://127.0.0.1', 'http://127.0.0.1'])(
    'of a page at %s is refused',
    async (origin) => {
      expect(await ask('POST', { origin })).toMatchObject({ status: 403 })
    },
  )
})
