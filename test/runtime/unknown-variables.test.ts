// Misspelt variables are named at the start and by the doctor, and variables of other programs are not.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { unknownVariables } from '../../src/config/unknown-variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'unknown-variables-'))
afterAll(() => rmSync(folder, { recursive: true }))

function foundIn(lines: string): readonly string[] {
  const file = join(folder, '.env')
  writeFileSync(file, lines)
  return unknownVariables({}, file).toSorted()
}

it('a variable in .env that nothing reads is named, with the one that was meant', () => {
  expect(foundIn('DAILY_SPENDCAP=5\nADMIN_ID=1\nTOPUP_MAXIMUM=7\nmy_note=x\nBOT_TOKEN=1:abc')).toEqual([
    'ADMIN_ID: there is no such variable: did you mean ADMIN_IDS?',
    'DAILY_SPENDCAP: there is no such variable: did you mean DAILY_SPEND_CAP?',
    'TOPUP_MAXIMUM: there is no such variable: did you mean TOPUP_MAX?',
    'my_note: there is no such variable: correct its name, or remove it from .env',
  ])
})

it('variables of the guides, of compose.yaml, of Node.js and of the system are not named', () => {
  const root = join(import.meta.dirname, '../..')
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  const used = [...read('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => `${name}=1`)
  const example = read('.env.example').replaceAll(/^# (?=[A-Z_]+=)/gm, '')
  expect(used.length).toBeGreaterThan(5)
  expect(
    foundIn([example, ...used, 'NODE_OPTIONS=x\nTZ=UTC\nHTTPS_PROXY=x\nCOMPOSE_FILE=x'].join('\n')),
  ).toEqual([])
  const usual = 'PATH HOME HOSTNAME PWD npm_config_loglevel npm_package_name POSTGRES_DB PORTS USER'.split(
    ' ',
  )
  expect(unknownVariables(Object.fromEntries(usual.map((name) => [name, 'x'])), 'none')).toEqual([])
})
