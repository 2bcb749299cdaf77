// Prometheus, Caddy and nginx themselves check the files that an operator gives them. Each check is skipped where its program
// is missing; .ci/run unpacks Debian's packages.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/metrics.ts'
import { createGauges } from '../../src/operator/gauges.ts'
import { readDoc } from '../support/project/ops-files.ts'
import { certificateFor, isMissing, nginxAround, programPath } from '../support/project/programs.ts'
import { createWorld, type GenerationWorld } from '../support/worlds/generations.ts'

const docs = join(import.meta.dirname, '../../docs')

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'checkers-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

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
})

describe.skipIf(isMissing('nginx', 'openssl'))('nginx', () => {
  it('accepts the server block, with a certificate of the test', () => {
    certificateFor(scratch)
    const file = nginxAround(scratch, readDoc('nginx.conf'))
    accepts('nginx', ['-t', '-p', scratch, '-e', 'stderr', '-c', file])
  })
})
