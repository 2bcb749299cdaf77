// The files of the chat page over HTTP: which are served, and which are not.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve } from '../../../src/sandbox/http.ts'
import { createPage } from '../../../src/sandbox/page.ts'

let server: Awaited<ReturnType<typeof serve>>
const ask = (path: string) => fetch(server.url + path)
beforeAll(async () => {
  server = await serve(0, [createPage()])
})
afterAll(() => server.close())

it('are served with their types, and nothing else is', async () => {
  for (const [path, type] of [
    ['/', 'text/html; charset=utf-8'],
    ['/page/ts/main.ts', 'text/javascript; charset=utf-8'],
    ['/page/lib/preact.mjs', 'text/javascript; charset=utf-8'],
    ['/page/css/base.css', 'text/css; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
  ] as const) {
    const answer = await ask(path)
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type])
    expect(await answer.text()).not.toBe('')
  }
  for (const name of ['..%2fhttp.ts', 'tsconfig.json', 'ts', 'none.ts', '%E0%A4%A'])
    expect([name, (await ask(`/page/${name}`)).status]).toEqual([name, 404])
})

it('include every file that index.html and the modules name, without types, and forbid other scripts', async () => {
  const seen = new Set<string>()
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const answer = await ask(path)
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
  const { headers } = await ask('/')
  const policy = /default-src 'self'; script-src 'self' 'sha256-[^']+';/
  expect(headers.get('content-security-policy')).toMatch(policy)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
