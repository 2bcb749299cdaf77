// `npm run gateway`: the local gateway as a program of its own.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { type Child, run, start } from '../../support/runtime/child.ts'

const program = 'src/sandbox/gateway/main.ts'
let folder: string
let gateway: Child
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-alone-'))
  const env = { GATEWAY_PORT: '0', GATEWAY_KEY: 'my-key', GATEWAY_SPEED: '1000', DATA_DIR: folder }
  gateway = start(program, env)
  const line = await gateway.firstLine()
  url = /^The gateway is open at (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? line
})
afterAll(async () => {
  gateway.kill('SIGKILL')
  await gateway.ended
  await rm(folder, { recursive: true, force: true })
})

const post = (path: string, body: object, key = 'my-key') =>
  fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })

describe('npm run gateway', () => {
  it('prints an example that works unchanged', async () => {
    const [, address = '', , authorization = '', type = '', body = ''] =
      /curl (\S+) .*?-H '([^:]+: ([^']+))'.*?-H '[^:]+: ([^']+)'.*?-d '([^']+)'/s.exec(gateway.output()) ?? []
    expect(address).toBe(`${url}/v1/chat/completions`)
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: { authorization, 'content-type': type },
    })
    expect(await answer.json()).toMatchObject({
      choices: [{ message: { content: expect.stringContaining('Hello!') } }],
    })
  })

  it.each(['/v1', '/gateway/v1'])('serves a client at %s', async (path) => {
    const client = new OpenAI({ baseURL: url + path, apiKey: 'my-key', maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Tell me about tea' }]
    const { choices } = await client.chat.completions.create({ model: 'TEXT-GPT', messages })
    expect(choices[0]?.message.content).toContain('Tell me about tea')
  })

  it('creates tasks at the short path, and requires its own key', async () => {
    const order = { model: videoReel.id, positivePrompt: 'a cat', duration: 3 }
    expect((await post('/v1/videos/generations', order, 'sandbox-gateway-key')).status).toBe(401)
    const created = await post('/v1/videos/generations', order)
    expect(created.status).toBe(202)
    const { id } = (await created.json()) as { id: string }
    const headers = { authorization: 'Bearer my-key' }
    expect((await fetch(`${url}/v1/tasks/${id}?again=1`, { headers })).status).toBe(200)
    const account = await (await fetch(`${url}/api/gateway/account`)).json()
    expect(account).toMatchObject({ tasks: [{ id }] })
  })

  it('accepts scripted faults', async () => {
    const fault = { kind: 'error', status: 503 }
    expect((await post('/api/faults', { target: 'gateway', operation: 'chat', fault })).status).toBe(200)
    expect(await (await fetch(`${url}/api/faults`)).json()).toMatchObject([{ operation: 'chat' }])
    expect((await post('/v1/chat/completions', {})).status).toBe(503)
    expect((await post('/api/faults', { target: 'gateway' })).status).toBe(400)
    await post('/api/faults', { target: 'gateway', operation: 'chat', fault })
    expect(await (await fetch(`${url}/api/faults`, { method: 'DELETE' })).json()).toEqual([])
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
  })

  it('reports a port in use in one line that suggests another one', async () => {
    const port = Number(new URL(url).port)
    const env = { GATEWAY_PORT: String(port), DATA_DIR: join(folder, 'other') }
    expect(await run(program, env)).toEqual({
      code: 1,
      output: '',
      complaints: `GATEWAY_PORT: port ${port} is already in use; set another one, for example GATEWAY_PORT=${port + 1}\n`,
    })
  })

  it('reports a folder in use in one line that names it', async () => {
    const { code, output, complaints } = await run(program, { GATEWAY_PORT: '0', DATA_DIR: folder })
    expect([code, output]).toEqual([1, ''])
    expect(complaints).toMatch(/^DATA_DIR: another process is using [^\n]+\n$/)
  })

  it.each([{ GATEWAY_PORT: '65536' }, { GATEWAY_SPEED: '0' }, { GATEWAY_KEY: 'two words' }])(
    'reports the invalid setting %j and ends',
    async (wrong) => {
      const env = { GATEWAY_PORT: '0', DATA_DIR: join(folder, 'other'), ...wrong }
      const { code, output, complaints } = await run(program, env)
      expect([code, output]).toEqual([1, ''])
      expect(complaints).toContain(Object.keys(wrong)[0])
      expect(complaints).not.toMatch(/^ {4}at /m)
    },
  )

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'shuts down on %s, and starts again with the same account',
    async (signal) => {
      const charged = async () => {
        const account = await (await fetch(`${url}/api/gateway/account`)).json()
        return (account as { charged: number }).charged
      }
      const before = await charged()
      expect(before).toBeGreaterThan(0)
      gateway.kill(signal)
      expect(await gateway.ended).toBe(0)
      expect(gateway.complaints()).toBe('')
      gateway = start(program, { GATEWAY_PORT: '0', GATEWAY_SPEED: '1000', DATA_DIR: folder })
      url = (await gateway.firstLine()).replace('The gateway is open at ', '')
      expect(await charged()).toBeGreaterThanOrEqual(before)
    },
  )
})
