// What the proxies of docs/ write down about a request that they cannot pass on, since no process answers: neither its address, which can
// be a permission or have the bot token in it, nor its headers, of which one is the secret of the webhook.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readDoc } from '../support/project/ops-files.ts'
import { certificateFor, isMissing, nginxAround, programPath } from '../support/project/programs.ts'

let scratch: string
let proxy: ChildProcess | undefined
let log = ''
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'proxy-'))
  log = ''
})
afterEach(async () => {
  if (proxy?.exitCode === null && proxy.kill()) await once(proxy, 'exit')
  rmSync(scratch, { recursive: true, force: true })
})

const secret = 'a-secret-of-the-test'

/** Starts the proxy and sends it a request. @returns the status */
async function statusBy(program: string, args: readonly string[], ask: typeof request, socketPath: string) {
  proxy = spawn(program, args, {
    env: { PATH: programPath, HOME: scratch },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  proxy.stderr?.on('data', (said) => {
    log += String(said)
  })
  await expect.poll(() => existsSync(socketPath), { timeout: 10_000 }).toBe(true)
  const headers = { host: 'bot.example.com', 'x-telegram-bot-api-secret-token': secret }
  const options = {
    socketPath,
    path: `/callbacks/${secret}`,
    method: 'POST',
    headers,
    rejectUnauthorized: false,
  }
  const asked = ask(options).end('{}')
  const [answer] = await once(asked, 'response')
  answer.resume()
  return answer.statusCode
}

describe.skipIf(isMissing('caddy'))('caddy', () => {
  it.each(['Caddyfile', 'Caddyfile.telegram-files'])(
    'with %s writes neither the address nor the headers of a request that it cannot pass on',
    async (name) => {
      const socket = join(scratch, 'socket')
      const file = join(scratch, name)
      const here = readDoc(name)
        .replace(/^\{\n\tlog/m, '{\n\tadmin off\n\tlog')
        .replace(/^(\{\$PUBLIC_HOST\}|:8081) \{/m, `http:// {\n\tbind unix/${socket}`)
        .replace('dynamic a web 3000', 'dynamic a localhost 9')
        .replace('lb_try_duration 5s', 'lb_try_duration 0s')
        .replace('telegram-api:8081', '127.0.0.1:9')
      writeFileSync(file, here)
      const args = ['run', '--adapter', 'caddyfile', '--config', file]
      expect(await statusBy('caddy', args, plainRequest, socket)).toBe(502)
      await expect.poll(() => log).toMatch(/connection refused/)
      expect(log).not.toContain(secret)
    },
  )
})

describe.skipIf(isMissing('nginx', 'openssl'))('nginx', () => {
  it('does not write the address of a request that it cannot pass on', async () => {
    certificateFor(scratch)
    const file = nginxAround(scratch, readDoc('nginx.conf').replace('127.0.0.1:3000', '127.0.0.1:9'))
    const args = ['-p', scratch, '-e', 'stderr', '-g', 'daemon off;', '-c', file]
    expect(await statusBy('nginx', args, request, join(scratch, '443'))).toBe(502)
    expect(log + readFileSync(join(scratch, 'server.log'), 'utf8')).not.toContain(secret)
  })
})
