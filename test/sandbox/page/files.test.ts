// The files of the chat page over HTTP: which are served, and which are not.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPage } from '../../../src/sandbox/page.ts'

describe('the files of the page', () => {
  const page = createPage()
  const server = createServer(async (req, res) => {
    const ours = await page(req, res, new URL(req.url ?? '/', 'http://sandbox'))
    if (!ours) res.writeHead(418).end()
  })
  let url = ''
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    url = `http://127.0.0.1:${address.port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/page/ts/main.ts', 'text/javascript; charset=utf-8'],
    ['/page/lib/preact.mjs', 'text/javascript; charset=utf-8'],
    ['/page/css/base.css', 'text/css; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
  ])('%s is served as %s', async (path, type) => {
    const answer = await fetch(url + path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect(await answer.text()).not.toBe('')
  })

  it.each(['/page/..%2fhttp.ts', '/page/tsconfig.json', '/page/ts', '/page/none.ts', '/page/%E0%A4%A'])(
    '%s is answered with 404',
    async (path) => {
      expect((await fetch(url + path)).status).toBe(404)
    },
  )

  it('include every file that index.html and the modules name, without types', async () => {
    const seen = new Set<string>()
    const visit = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const answer = await fetch(url + path)
      expect([path, answer.status]).toEqual([path, 200])
      const body = await answer.text()
      expect(body).not.toMatch(/^(import type|interface|type) /m)
      const named = [/(?:href|src)="([^"]+)"/g, /": "(\/page\/[^"]+)"/g, /from '(\.\/[^']+)'/g].flatMap(
        (one) => [...body.matchAll(one)],
      )
      for (const [, name = ''] of named) await visit(new URL(name, `http://x${path}`).pathname)
    }
    await visit('/')
    expect(seen.size).toBeGreaterThan(15)
  })

  it('forbid scripts of other origins', async () => {
    const { headers } = await fetch(url)
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'self'; script-src 'self' 'sha256-[^']+';/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('leave other addresses to other handlers', async () => {
    expect((await fetch(`${url}/api/users`)).status).toBe(418)
  })
})
