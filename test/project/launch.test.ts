// src/launch.js, the launcher: which Node.js runs the scripts of package.json, and how arguments, signals and exit codes are passed on.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { packagesWithEngines, readLockfile } from '../support/project/lockfile.ts'

const root = join(import.meta.dirname, '../..')
const launcher = join(root, 'src/launch.js')
const folder = mkdtempSync(join(tmpdir(), 'launch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Options {
  /** The Node.js version that the launcher sees as its own; by default the real one. */
  readonly version?: string
  readonly platform?: string
}

const pretending = (property: string, of: string, value: string | undefined): string[] =>
  value === undefined
    ? []
    : ['--import', `data:text/javascript,Object.defineProperty(${of},"${property}",{value:"${value}"})`]

function launch(args: readonly string[], { version, platform }: Options = {}): ChildProcess {
  const pretended = [
    ...pretending('node', 'process.versions', version),
    ...pretending('platform', 'process', platform),
  ]
  return spawn(process.execPath, [...pretended, launcher, ...args], { cwd: folder })
}

async function ended(child: ChildProcess) {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const [code, signal] = await once(child, 'close')
  return { ...said, end: code ?? signal }
}

const run = (args: readonly string[], options?: Options) => ended(launch(args, options))

describe('the launcher', () => {
  it('uses its own Node.js if that is new enough', async () => {
    expect(await run(['-p', 'process.execPath'])).toMatchObject({ stdout: `${process.execPath}\n`, end: 0 })
  })

  it("uses the installed Node.js package of this platform if the launcher's own Node.js is too old", async () => {
    const { stdout, end } = await run(['-p', 'process.execPath'], { version: '18.20.8' })
    expect(stdout.trim()).toBe(join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`))
    expect(end).toBe(0)
  })

  it('puts the chosen Node.js on the PATH, so that tools that start `node` by name use it too', async () => {
    const script =
      'console.log(require("child_process").execFileSync("node", ["-p", "process.execPath"]) + "")'
    const { stdout } = await run(['-e', script], { version: '20.20.2' })
    expect(stdout.trim()).toBe(join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`))
  })

  it.each(['darwin', 'win32'])('tells in one sentence which Node.js to install on %s', async (platform) => {
    const { stdout, stderr, end } = await run(['-p', '1'], { version: '22.1.0', platform })
    expect([stdout, end]).toEqual(['', 1])
    expect(stderr).toMatch(
      /^Node\.js 24 or newer is needed, .*: install it from https:\/\/nodejs\.org .*\.\n$/,
    )
  })

  it('passes on the arguments and the exit code', async () => {
    const script = 'console.log(process.argv.slice(1).join("|")); process.exit(7)'
    expect(await run(['-e', script, 'a b', '--flag'])).toMatchObject({ stdout: 'a b|--flag\n', end: 7 })
  })

  it('supports --env-file-if-exists, with and without the file', async () => {
    const args = ['--env-file-if-exists=.env', '-p', 'process.env.FROM_FILE']
    expect((await run(args)).stdout).toContain('undefined')
    writeFileSync(join(folder, '.env'), 'FROM_FILE=found\n')
    expect((await run(args)).stdout).toBe('found\n')
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes on %s and waits until the program has ended',
    async (signal) => {
      const script = `process.on("${signal}", () => { console.log("ending"); process.exit(3) }); console.log("on"); setInterval(() => {}, 1e6)`
      const child = launch(['-e', script])
      const end = ended(child)
      await once(child.stdout ?? child, 'data')
      child.kill(signal)
      expect(await end).toMatchObject({ stdout: 'on\nending\n', end: 3 })
    },
  )

  it('ends by the signal that ended the program', async () => {
    expect((await run(['-e', 'process.kill(process.pid, "SIGKILL")'])).end).toBe('SIGKILL')
  })
})

describe('package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )

  it('starts every script by src/launch.js or npm, not by a binary in node_modules/.bin', () => {
    const steps = Object.values(scripts).flatMap((script) => script.split(' && '))
    expect(steps.filter((step) => !/^(node src\/launch\.js|npm run) /.test(step))).toEqual([])
  })
})

describe('package-lock.json', () => {
  it('names no engines, so that any npm installs everything: run `npm run lockfile`', () => {
    expect(packagesWithEngines(readLockfile())).toEqual([])
  })

  it('contains no address of a registry', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"')
  })
})
