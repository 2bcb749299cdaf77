// Prometheus, Caddy and nginx with the files that an operator gives them: each program accepts its files, and the proxies write down neither
// the address of a request that they cannot pass on, which can be a permission or have the bot token in it, nor its headers, of which one is
// the secret of the webhook. Each check is skipped where its program is missing; .ci/run unpacks Debian's packages.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/metrics.ts'
import { createGauges } from '../../src/operator/gauges.ts'
import { readDoc } from '../support/project/ops-files.ts'
import { createWorld, type GenerationWorld } from '../support/worlds/generations.ts'

/** Debian installs nginx in a folder that only root has in PATH. */
const programPath = `${process.env.PATH}:/usr/sbin:/sbin`

/** Also says so, since a test that needs the programs is then skipped. */
function isMissing(...programs: readonly string[]): boolean {
  const folders = programPath.split(':')
  const missing = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
  for (const name of missing) process.stderr.write(`${name} is not installed: its checks are skipped\n`)
  return missing.length > 0
}

const certificateIn = (folder: string) => ({
  key: join(folder, 'key.pem'),
  certificate: join(folder, 'certificate.pem'),
})

/** Writes a certificate for `nginxAround`. */
function certificateFor(folder: string): void {
  const { key, certificate } = certificateIn(folder)
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=bot.example.com', '-days', '1']
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
}

/** Writes a configuration with this server block, which listens on `folder/443` and writes its log in the folder. @returns its file */
function nginxAround(folder: string, serverBlock: string): string {
  const { key, certificate } = certificateIn(folder)
  const block = serverBlock
    .replace(/(ssl_certificate) .*;/, `$1 ${certificate};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${key};`)
    .replace('/var/log/nginx/error.log', join(folder, 'server.log'))
    .replaceAll(/listen (\d+)/g, `listen unix:${folder}/$1`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name), { recursive: true })
    return `${name}_temp_path ${join(folder, name)};`
  })
  const http = ['access_log off;', ...folders, block].join('\n')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${http}\n}\n`)
  return file
}

const docs = join(import.meta.dirname, '../../docs')

let scratch: string
let proxy: ChildProcess | undefined
let log = ''
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'programs-'))
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

function run(program: string, args: readonly string[], input?: string) {
  const env = { ...process.env, PATH: programPath, HOME: scratch, PUBLIC_HOST: 'bot.example.com' }
  const { status, stdout, stderr } = spawnSync(program, args, {
    env,
    input,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, said: `${stdout}${stderr}` }
}
const accepts = (program: string, args: readonly string[], input?: string) =>
  expect(run(program, args, input)).toEqual({ status: 0, said: expect.any(String) })

describe.skipIf(isMissing('promtool'))('promtool', () => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  it('accepts the alerts and the configuration of Prometheus', () => {
    accepts('promtool', ['check', 'rules', join(docs, 'alerts.yaml')])
    copyFileSync(join(docs, 'alerts.yaml'), join(scratch, 'alerts.yaml'))
    writeFileSync(join(scratch, 'token'), 'a token')
    const config = readDoc('prometheus.yml')
      .replace('/etc/prometheus/alerts.yaml', join(scratch, 'alerts.yaml'))
      .replace('/tmp/metrics_token', join(scratch, 'token'))
    writeFileSync(join(scratch, 'prometheus.yml'), config)
    accepts('promtool', ['check', 'config', join(scratch, 'prometheus.yml')])
  })

  it('finds nothing wrong with the metrics', async () => {
    const values = { models: ['MODEL-MUSIC'], endings: ['lost'], textModels: ['gpt'], operations: ['create'] }
    const text = await createMetrics({ values, figures: createGauges(world.deps) }).render()
    accepts('promtool', ['check', 'metrics'], text)
  })
})

describe.skipIf(isMissing('caddy'))('caddy', () => {
  it.each(['Caddyfile', 'Caddyfile.telegram-files'])('accepts %s', (name) => {
    accepts('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(docs, name)])
  })

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
  it('accepts the server block, with a certificate of the test', () => {
    certificateFor(scratch)
    const file = nginxAround(scratch, readDoc('nginx.conf'))
    accepts('nginx', ['-t', '-p', scratch, '-e', 'stderr', '-c', file])
  })

  it('does not write the address of a request that it cannot pass on', async () => {
    certificateFor(scratch)
    const file = nginxAround(scratch, readDoc('nginx.conf').replace('127.0.0.1:3000', '127.0.0.1:9'))
    const args = ['-p', scratch, '-e', 'stderr', '-g', 'daemon off;', '-c', file]
    expect(await statusBy('nginx', args, request, join(scratch, '443'))).toBe(502)
    expect(log + readFileSync(join(scratch, 'server.log'), 'utf8')).not.toContain(secret)
  })
})
