// Every program prints its help and does nothing else, and refuses arguments that it does not take.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { start } from '../support/runtime/child.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const programs = Object.values(scripts).flatMap((script) => / (src\/\S+\.ts)$/.exec(script)?.[1] ?? [])

async function run(program: string, ...args: string[]) {
  // Whatever a program does beyond printing would fail here, or be complained about.
  const child = start(program, { DATABASE_URL: 'postgres://bot@127.0.0.1:9/bot' }, args)
  return { code: await child.ended, out: child.output(), err: child.complaints() }
}

describe.each(programs)('%s', (program) => {
  it.each(['--help', '-h'])('prints its help for %s and does nothing', async (flag) => {
    const { code, out, err } = await run(program, flag)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^npm (run|start)/)
  })

  it('refuses an argument that it does not take', async () => {
    for (const argument of ['--nonsense', 'nonsense'])
      expect(await run(program, argument)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/\S/),
      })
  })
})

it.each([
  [['stats', '7', 'x']],
  [['unmatched', 'x']],
  [['promo', 'list', 'x']],
  [['promo', 'list', '--uses', '3']],
  [['switch', 'maintenance', 'on', 'x']],
  [['updates', 'drop', '1', '2']],
  [['stats', '--key', 'x']],
])('a command of the desk refuses what it does not take: %j', async (words) => {
  expect(await run('src/cli/admin.ts', ...words)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Unexpected'),
  })
})

it.each(['backup', 'restore'])('docs/scripts/%s prints its help and does nothing', (name) => {
  const script = join(root, 'docs/scripts', name)
  const env = { PATH: process.env.PATH }
  const help = spawnSync(script, ['--help'], { env, encoding: 'utf8' })
  expect([help.status, help.stdout]).toEqual([0, expect.stringMatching(/^usage: docs\/scripts/)])
  expect(spawnSync(script, ['--nonsense'], { env, encoding: 'utf8' }).status).toBe(2)
})
