// The Dockerfile and compose.yaml, read and not built: what the image copies exists, what it starts is in the bundle, and the services of
// Compose configure the app.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import bundle from '../../rolldown.config.ts'
import { parseConfig } from '../../src/config.ts'
import { localesFolder, migrationsFolder } from '../../src/folders.ts'
import { composeWith, ours, services, usualEnv } from '../support/project/compose-file.ts'

const root = bundle.cwd
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** The instructions of the Dockerfile, with their lines joined. */
const steps = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
const lastOf = (name: string) => steps.findLast((step) => step.startsWith(`${name} `))?.slice(name.length + 1)
const copies = steps.filter((step) => step.startsWith('COPY ')).map((step) => step.split(' ').slice(1))

describe('the image', () => {
  it('has the Node.js version of the tests, and the system program that the app starts', () => {
    const [major] = process.versions.node.split('.')
    const bases = steps.flatMap((step) => /^FROM (\S+)/.exec(step)?.[1] ?? [])
    expect(bases).toEqual([`node:${major}-slim`, `node:${major}-slim`])
    expect(steps.find((step) => step.startsWith('RUN apt-get'))).toMatch(/ ffmpeg /)
  })

  it('copies files that exist and that .dockerignore leaves in, among them those that the app reads', () => {
    const ignored = read('.dockerignore').split('\n')
    const fromHere = copies
      .filter(([first]) => !first?.startsWith('--from='))
      .flatMap((words) => words.slice(0, -1))
    expect(fromHere.filter((path) => !existsSync(join(root, path)) || ignored.includes(path))).toEqual([])
    const last = steps.findLastIndex((step) => step.startsWith('FROM '))
    const folders = [localesFolder, migrationsFolder].map((path) => relative(root, path))
    const wanted = ['COPY package.json ./', ...folders.map((path) => `COPY ${path} ${path}`)]
    for (const copy of [...wanted, `COPY --from=build /app/${bundle.output.dir} ${bundle.output.dir}`])
      expect(steps.slice(last)).toContain(copy)
  })

  it('starts a program of the bundle by exec, as an unprivileged user, and declares its stop signal and port', () => {
    expect(Object.keys(bundle.input).map((path) => `CMD ["node", "built/${path}.js"]`)).toContain(
      steps.at(-2),
    )
    expect([lastOf('USER'), lastOf('STOPSIGNAL'), lastOf('EXPOSE')]).toEqual(['node', 'SIGTERM', '3000'])
    expect(steps.find((step) => step.startsWith('ENV'))).toMatch(/ HOST=0\.0\.0\.0 PORT=3000 /)
  })

  it('is healthy while the app answers on its port, and unhealthy otherwise', async () => {
    const check = async (port: number) => {
      const line = steps.find((step) => step.startsWith('HEALTHCHECK'))?.split(' CMD ')[1] ?? ''
      const child = spawn('/bin/sh', ['-c', line], { env: { PATH: process.env.PATH, PORT: String(port) } })
      return (await once(child, 'close'))[0]
    }
    const server = createServer((req, res) => res.writeHead(req.url === '/healthz' ? 200 : 404).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await check(port)).toBe(0)
    server.close()
    expect(await check(9)).toBe(1)
  })
})

type Env = Readonly<Record<string, string>>

describe('compose.yaml', () => {
  const app = { BOT_TOKEN: '1:abc', GATEWAY_URL: 'https://gateway.example', GATEWAY_KEY: 'key' }
  /** What the roles get when `.env` has `written`: Compose hands it on as it is, and `environment` wins. */
  const configured = (written: Env) =>
    Object.entries(composeWith(written).services)
      .filter(([name, { env_file }]) => env_file.includes('.env') && name !== 'migrate')
      .map(([name, service]) => {
        const parsed = parseConfig({ ...app, ...written, ...service.environment })
        return [name, parsed.ok ? [parsed.config.updates, parsed.config.publicUrl] : parsed.problems]
      })
  const ofAll = (value: readonly unknown[]) => ['web', 'bot', 'worker'].map((name) => [name, value])
  const { POSTGRES_PASSWORD, PUBLIC_HOST } = usualEnv

  it("hands the operator's UPDATES to every role, and without it takes the webhook", () => {
    const address = `https://${PUBLIC_HOST}`
    expect(configured(usualEnv)).toEqual(ofAll(['webhook', address]))
    expect(configured({ ...usualEnv, UPDATES: '' })).toEqual(ofAll(['webhook', address]))
    expect(configured({ ...usualEnv, UPDATES: 'polling' })).toEqual(ofAll(['polling', address]))
    expect(configured({ POSTGRES_PASSWORD, UPDATES: 'polling' })).toEqual(ofAll(['polling', undefined]))
    const advice = expect.stringMatching(/^PUBLIC_URL: .* or UPDATES=polling$/)
    expect(configured({ POSTGRES_PASSWORD })).toEqual(ofAll([advice]))
  })

  it('starts Caddy only with a public name', () => {
    const caddies = (env: Env) => composeWith(env).services.caddy?.scale
    expect([caddies(usualEnv), caddies({ POSTGRES_PASSWORD, UPDATES: 'polling' })]).toEqual([1, 0])
  })

  it('starts each role once, after the migration', () => {
    const roles = ours.map(([name, { environment, depends_on }]) => [name, environment.ROLE, depends_on])
    expect(roles.toSorted()).toEqual([
      ['bot', 'bot', ['migrate']],
      ['migrate', undefined, ['postgres']],
      ['web', 'web', ['migrate']],
      ['worker', 'worker', ['migrate']],
    ])
    expect(Object.keys(bundle.input).map((path) => `built/${path}.js`)).toContain(
      services.migrate?.command?.at(-1),
    )
  })

  it("gives the app's services a read-only root, no privileges, and enough time to end", () => {
    for (const [name, service] of ours) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']])
      expect(service.security_opt).toContain('no-new-privileges:true')
      expect(service.tmpfs).toEqual([expect.stringMatching(/^\/tmp/)])
      expect(service.volumes).toEqual(['./settings:/settings:ro'])
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(40)
    }
  })
})
