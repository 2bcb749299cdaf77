// Tests the Dockerfile and compose.yaml: the steps of the Dockerfile build a folder, and the services of compose.yaml run in this folder.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { type Outside, startOutside } from '../../src/sandbox/outside.ts'
import { emptyUrl } from '../support/database/old-database.ts'
import { composeWith, ours, services, usualEnv } from '../support/project/compose-file.ts'
import { lastOf, pairsIn, wordsIn } from '../support/project/dockerfile.ts'
import { buildImage, type Image, traceOf } from '../support/project/image.ts'
import { createUser } from '../support/users/user.ts'
import { freePorts } from '../tools/chaos/machine/network.ts'

const root = join(import.meta.dirname, '../..')

let image: Image
let temporary: string
beforeAll(async () => {
  image = await buildImage()
  temporary = await mkdtemp(join(tmpdir(), 'image-tmp-'))
}, 120_000)
afterAll(async () => {
  await image.remove()
  await rm(temporary, { recursive: true, force: true })
})

type Env = Readonly<Record<string, string>>

/** Starts a program in the image's folder, with the image's environment, `env` and another temporary folder. */
function launch(words: readonly string[], env: Env = {}) {
  const [program = '', ...args] = words
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const child = spawn(program, args, {
    cwd: image.folder,
    env: { PATH: path, TMPDIR: temporary, ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  return { child, ended, said: () => said }
}

type Launched = ReturnType<typeof launch>

/** Waits until the process logs that it has started. */
async function started({ child, said, ended }: Launched): Promise<void> {
  while (!said().includes('"started"')) {
    const more = await Promise.race([once(child.stdout ?? child, 'data'), ended])
    if (!Array.isArray(more)) throw new Error(`ended with ${more}: ${said()}`)
  }
}

const command = () => wordsIn(lastOf(image.stage, 'CMD'))
/** Runs the shell form of HEALTHCHECK as Docker does. @returns the exit code */
const healthCheck = (env: Env) => {
  const [, line = ''] = /CMD (.*)$/.exec(lastOf(image.stage, 'HEALTHCHECK')) ?? []
  return launch(['/bin/sh', '-c', line], env).ended
}

describe('the image', () => {
  it('contains the app and its dependencies, and nothing for development only', async () => {
    expect((await readdir(image.folder)).toSorted()).toEqual([
      'built',
      'compiled',
      'drizzle',
      'node_modules',
      'package.json',
      'src',
    ])
    expect(await readdir(join(image.folder, 'src/bot'))).toEqual(['locales'])
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const isThere = (name: string) => existsSync(join(image.folder, 'node_modules', name))
    expect(Object.keys(dependencies).filter((name) => !isThere(name))).toEqual([])
    expect(Object.keys(devDependencies).filter(isThere)).toEqual([])
    expect(
      (await readdir(join(image.folder, 'node_modules'))).filter((name) => /^node-linux/.test(name)),
    ).toEqual([])
  })

  it('has the Node.js version of the tests, and the system programs that the app starts', () => {
    const [major] = process.versions.node.split('.')
    expect(new Set(image.bases)).toEqual(new Set([`node:${major}-slim`]))
    expect(image.packages).toEqual(['ffmpeg'])
  })

  it('runs as an unprivileged user, and declares its stop signal, port and title', () => {
    expect(lastOf(image.stage, 'USER')).toBe('node')
    expect(lastOf(image.stage, 'STOPSIGNAL')).toBe('SIGTERM')
    expect(lastOf(image.stage, 'EXPOSE')).toBe(image.env.PORT)
    expect(image.env.HOST).toBe('0.0.0.0')
    expect(pairsIn(lastOf(image.stage, 'LABEL'))).toHaveProperty(['org.opencontainers.image.title'])
  })

  it('is unhealthy if no process listens on its port', async () => {
    expect(await healthCheck({ PORT: '9' })).toBe(1)
  })
})

describe('compose.yaml', () => {
  const environment = (name: string): Env => services[name]?.environment ?? {}

  const app = { BOT_TOKEN: '1:abc', GATEWAY_URL: 'https://gateway.example', GATEWAY_KEY: 'key' }
  /** What the roles get when `.env` has `written`: Compose hands it on as it is, and `environment` wins. */
  const configured = (written: Env) => {
    const started = Object.entries(composeWith(written).services).filter(
      ([, { env_file }]) => env_file.length > 0,
    )
    for (const [, { env_file }] of started) expect(env_file).toEqual(['.env'])
    const roles = started.filter(([name]) => name !== 'migrate')
    return roles.map(([name, service]) => {
      const parsed = parseConfig({ ...app, ...written, ...service.environment })
      return [name, parsed.ok ? [parsed.config.updates, parsed.config.publicUrl] : parsed.problems]
    })
  }
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
    const roles = ours.map(([name, service]) => [name, service.environment.ROLE])
    expect(Object.fromEntries(roles)).toEqual({
      migrate: undefined,
      web: 'web',
      bot: 'bot',
      worker: 'worker',
    })
    for (const [name, service] of ours) {
      expect(service.depends_on).toEqual([name === 'migrate' ? 'postgres' : 'migrate'])
    }
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

  describe('with its three roles on one database', () => {
    let outside: Outside
    let url: string
    let ports: Record<string, string>
    const running: Launched[] = []
    beforeAll(async () => {
      url = await emptyUrl()
      const [web = 0, bot = 0, worker = 0] = await freePorts(3)
      ports = { web: `${web}`, bot: `${bot}`, worker: `${worker}` }
      const publicUrl = `http://127.0.0.1:${ports.web}`
      const dataDir = join(temporary, 'outside')
      outside = await startOutside({ port: 0, dataDir, speed: 40, random: Math.random, publicUrl })
    })
    afterAll(async () => {
      for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
      await outside.close()
    })

    const envOf = (name: string): Env => ({
      ...outside.env,
      ...environment(name),
      DATABASE_URL: url,
      PUBLIC_URL: outside.env.PUBLIC_URL ?? '',
      PORT: ports[name] ?? '',
      METRICS_TOKEN: 'a-token-for-the-test',
      WELCOME_CREDIT: '500',
    })
    const at = (name: string, path: string, headers: Env = {}) =>
      fetch(`http://127.0.0.1:${ports[name]}${path}`, { headers })

    it('creates the schema with the service migrate', async () => {
      const { ended, said } = launch(services.migrate?.command ?? [], envOf('migrate'))
      expect(await ended).toBe(0)
      expect(said()).toContain('The schema is up to date')
    })

    it('starts healthy and ready processes that show their metrics only with the token', async () => {
      for (const name of ['web', 'bot', 'worker']) {
        const one = launch(command(), envOf(name))
        running.push(one)
        await started(one)
        expect(await healthCheck({ PORT: ports[name] ?? '' })).toBe(0)
        expect((await at(name, '/readyz')).status).toBe(200)
        expect((await at(name, '/metrics')).status).toBe(401)
        const shown = await at(name, '/metrics', { authorization: 'Bearer a-token-for-the-test' })
        expect(await shown.text()).toMatch(/^bot_database_up 1$/m)
      }
    })

    it('delivers a picture to a user, and writes nothing to the folder of the app', async () => {
      // In the image the compile cache belongs to root; here the decoders may add to it.
      const trace = async () => (await traceOf(image.folder)).filter((file) => !file.startsWith('compiled'))
      const before = await trace()
      const anna = await createUser(outside.url, { first_name: 'Anna', language_code: 'en' })
      await anna.sends('/start')
      await anna.sees(/Hello, Anna!/)
      await anna.sends('/image a fox')
      await anna.sees(/Price: /)
      await anna.taps(/^Generate/)
      await anna.sees((message) => message.photo !== undefined)
      await anna.sees(/Done in/)
      expect(await trace()).toEqual(before)
    })

    it('ends all processes with code 0 after the stop signal', async () => {
      const signal = lastOf(image.stage, 'STOPSIGNAL')
      const isSignal = (name: string): name is NodeJS.Signals => name === 'SIGTERM'
      if (!isSignal(signal)) throw new Error(`${signal} is not what the app waits for`)
      for (const { child } of running) child.kill(signal)
      const codes = await Promise.all(running.map(({ ended }) => ended))
      expect(codes).toEqual([0, 0, 0])
      expect(running.filter(({ child }: { child: ChildProcess }) => child.signalCode !== null)).toEqual([])
      expect(running.map(({ said }) => said()).join('')).not.toContain('Warning')
    })
  })
})
