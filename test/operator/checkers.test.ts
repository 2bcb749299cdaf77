// Prometheus, Caddy and nginx themselves check the files that an operator gives them. Each check is skipped where its program
// is missing; .ci/run unpacks Debian's packages.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/metrics.ts'
import { createGauges } from '../../src/operator/gauges.ts'
import { readDoc } from '../support/project/ops-files.ts'
import { createWorld, type GenerationWorld } from '../support/worlds/generations.ts'

const docs = join(import.meta.dirname, '../../docs')
// Debian installs nginx in a folder that only root has in PATH.
const path = `${process.env.PATH}:/usr/sbin:/sbin`
const isMissing = (...programs: readonly string[]) => {
  const missing = programs.filter((name) => !path.split(':').some((folder) => existsSync(join(folder, name))))
  for (const name of missing) process.stderr.write(`${name} is not installed: its checks are skipped\n`)
  return missing.length > 0
}

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'checkers-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function run(program: string, args: readonly string[], input?: string) {
  const env = { ...process.env, PATH: path, HOME: scratch, PUBLIC_HOST: 'bot.example.com' }
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

  it('refuses an alert whose expression is broken', () => {
    const broken = join(scratch, 'broken.yaml')
    writeFileSync(
      broken,
      readDoc('alerts.yaml').replace('min(bot_database_up) == 0', 'min(bot_database_up ='),
    )
    expect(run('promtool', ['check', 'rules', broken]).status).toBe(1)
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
})

describe.skipIf(isMissing('nginx', 'openssl'))('nginx', () => {
  it('accepts the server block, with a certificate of the test', () => {
    const [key, certificate] = [join(scratch, 'key.pem'), join(scratch, 'certificate.pem')]
    const subject = ['-subj', '/CN=bot.example.com', '-days', '1']
    accepts('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      ...subject,
      '-keyout',
      key,
      '-out',
      certificate,
    ])
    const block = readDoc('nginx.conf')
      .replace(/(ssl_certificate) .*;/, `$1 ${certificate};`)
      .replace(/(ssl_certificate_key) .*;/, `$1 ${key};`)
      .replaceAll(/listen (\d+)/g, `listen unix:${scratch}/$1`)
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
      mkdirSync(join(scratch, name))
      return `${name}_temp_path ${join(scratch, name)};`
    })
    const file = join(scratch, 'nginx.conf')
    writeFileSync(
      file,
      `pid ${scratch}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${folders.join('\n')}\n${block}\n}\n`,
    )
    accepts('nginx', ['-t', '-p', scratch, '-e', 'stderr', '-c', file])
  })
})
