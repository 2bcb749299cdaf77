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
  it('uses the installed Node.js package if its own is too old, also for tools that start `node` by name', async () => {
    const script =
      'console.log(require("child_process").execFileSync("node", ["-p", "process.execPath"]) + process.execPath)'
    const { stdout, end } = await run(['-e', script], { version: '18.20.8' })
    const installed = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
    expect([stdout, end]).toEqual([`${installed}\n${installed}\n`, 0])
  })

  it('tells in one sentence which Node.js to install where none is installed', async () => {
    const { stdout, stderr, end } = await run(['-p', '1'], { version: '22.1.0', platform: 'darwin' })
    expect([stdout, end]).toEqual(['', 1])
    expect(stderr).toMatch(
      /^Node\.js 24 or newer is needed, .*: install it from https:\/\/nodejs\.org .*\.\n$/,
    )
  })

  it('uses its own Node.js if that is new enough, and passes on the arguments and the exit code', async () => {
    const script = 'console.log(process.execPath, process.argv.slice(1).join("|")); process.exit(7)'
    const stdout = `${process.execPath} a b|--flag\n`
    expect(await run(['-e', script, 'a b', '--flag'])).toMatchObject({ stdout, end: 7 })
  })

  it('supports --env-file-if-exists, with and without the file', async () => {
    const args = ['--env-file-if-exists=.env', '-p', 'process.env.FROM_FILE']
    expect((await run(args)).stdout).toContain('undefined')
    writeFileSync(join(folder, '.env'), 'FROM_FILE=found\n')
    expect((await run(args)).stdout).toBe('found\n')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
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

  it('runs the tests on the Node.js from npm, not on an older one of the system', () => {
    expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24)
  })

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
