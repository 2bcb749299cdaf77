// The commands in the guides work as written: their scripts and files exist. On a host npm starts every program, with the right Node.js
// (launch.js); only commands inside the image call `node` directly.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { services } from '../support/project/compose-file.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = [
  'README.md',
  '.env.example',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]
const text = guides.map(read).join('\n')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')))

it('every program that a guide calls with node exists and is called inside the image', () => {
  const called = [...text.matchAll(/^.*?\bnode (?:src|built)\/(?!launch)(\S+?)\.[jt]s/gm)]
  expect(called.length).toBeGreaterThan(10)
  const isThere = (path: string) => existsSync(join(root, `src/${path}.ts`))
  expect(called.map(([, path = '']) => path).filter((path) => !isThere(path))).toEqual([])
  const onHost = called
    .map(([line]) => line)
    .filter((line) => !/\b(worker|migrate|web|bot)\b[^`]*node built\//.test(line))
  expect(onHost).toEqual([])
})

it('git and the linter ignore the catalog that the guides have written into settings', () => {
  expect(text).toContain('--example settings/catalog.json')
  expect(read('.gitignore').split('\n')).toContain('/settings/')
  const { files } = z
    .object({ files: z.object({ includes: z.array(z.string()) }) })
    .parse(JSON.parse(read('biome.json')))
  expect(files.includes).toContain('!settings')
})

it("the npm scripts of the operator's programs read .env", () => {
  const programs = ['start', 'admin', 'audit', 'migrate', 'catalog', 'doctor', 'gateway-check']
  expect(
    programs.filter((name) => !scripts[name]?.startsWith('node src/launch.js --env-file-if-exists=.env ')),
  ).toEqual([])
})

describe("the operator's guide for Docker", () => {
  const guide = read('docs/operating.md')
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guide-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs shell commands with stand-ins for programs: the bodies of shell scripts. What is called is noted. */
  const run = (commands: string, standIns: Readonly<Record<string, string>>) => {
    const tools = join(folder, 'tools')
    mkdirSync(tools, { recursive: true })
    for (const [name, body] of Object.entries(standIns)) {
      const script = `#!/bin/sh\necho "${name} $*" >> "${folder}/calls"\n${body}\n`
      writeFileSync(join(tools, name), script, { mode: 0o755 })
    }
    writeFileSync(join(folder, 'calls'), '')
    const DATABASE_URL = 'postgres://bot:letters@postgres/bot'
    const env = { PATH: `${tools}:${process.env.PATH}`, DATABASE_URL }
    const { status } = spawnSync('/bin/sh', ['-c', commands], { cwd: folder, env })
    return { status, calls: readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') }
  }

  it('checks a dump before it touches the database, and keeps the former one', () => {
    const [, restoring = ''] = /^## Restoring$([\s\S]*?)^## /m.exec(guide) ?? []
    const [, inside = ''] = /docker compose run --rm backup '([^']+)'/.exec(restoring) ?? []
    expect(restoring).not.toMatch(/\bpg_restore\b|\bcreatedb -U/)
    const { entrypoint, volumes } = services.backup ?? {}
    expect(entrypoint).toEqual(['/bin/sh', '-c'])
    expect(volumes).toEqual(['./docs/scripts:/app/docs/scripts:ro', './backups:/backups'])
    const commands = inside.replace('/app/', `${root}/`).replace('/backups/', `${folder}/`)
    const tools = {
      pg_dump: '',
      pg_restore: 'for last; do :; done; grep -q whole "$last"',
      psql: 'echo 0',
      node: 'exit 1',
    }
    const steps = (dump: string) => {
      writeFileSync(join(folder, 'bot.dump'), dump)
      const { status, calls } = run(commands, tools)
      return [
        status,
        ...calls.map((call) => /--list|count|(create|alter) database \S+|^pg_restore/.exec(call)?.[0]),
      ]
    }
    expect(steps('broken')).toEqual([2, 'pg_restore'])
    const restored = expect.stringMatching(/ "bot_restored_\d+"$/)
    expect(steps('whole')).toEqual([
      0,
      'pg_restore',
      'count',
      restored,
      'pg_restore',
      'alter database "bot"',
      restored,
    ])
  })
})
