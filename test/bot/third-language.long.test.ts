// Adding a language takes one folder: a copy of the sources with a third folder of locales runs unchanged, in that language too.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshUrl } from '../support/database/database.ts'
import { problemsOf, readLocales, typesOf } from '../support/project/locales.ts'
import { type Child, start } from '../support/runtime/child.ts'
import { createUser, labelsOf } from '../support/users/user.ts'

const root = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'third-language-'))
const folder = join(scratch, 'src/bot/locales/de')
let sandbox: Child
let url = ''

/** The English texts with a mark before each, and two of them in German. */
function translate(text: string): string {
  const marked = text.replace(/^([a-z][\w-]*) = (?=[^{\s])/gm, '$1 = ¤ ')
  return marked
    .replace(/^field-prompt = .*/m, 'field-prompt = Beschreibung')
    .replace(/^frame-first = .*/m, 'frame-first = erstes')
}

beforeAll(async () => {
  // Any other languages are left out, so that German is the third.
  const isKept = (path: string) => !/\/locales\/(?!en\b|ru\b)\w/.test(path)
  cpSync(join(root, 'src'), join(scratch, 'src'), { recursive: true, filter: isKept })
  cpSync(join(root, 'drizzle'), join(scratch, 'drizzle'), { recursive: true })
  cpSync(join(root, 'package.json'), join(scratch, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  mkdirSync(folder)
  const english = join(root, 'src/bot/locales/en')
  for (const name of readdirSync(english).filter((one) => one.endsWith('.ftl')))
    writeFileSync(join(folder, name), translate(readFileSync(join(english, name), 'utf8')))
  const settings = { name: 'Deutsch', dates: 'de-DE', amounts: 'de-DE', alsoFor: ['lb'] }
  writeFileSync(join(folder, 'locale.json'), JSON.stringify(settings))
  sandbox = start(join(relative(root, scratch), 'src/sandbox/main.ts'), {
    SANDBOX_PORT: '0',
    SANDBOX_SPEED: '40',
    DATA_DIR: join(scratch, 'data'),
    DATABASE_URL: await freshUrl('postgres'),
    WELCOME_CREDIT: '2000',
  })
  url = /http\S+/.exec(await sandbox.firstLine())?.[0] ?? ''
})
afterAll(async () => {
  sandbox.kill('SIGTERM')
  await sandbox.ended
  rmSync(scratch, { recursive: true, force: true })
})

const person = (first_name: string, language_code: string) => createUser(url, { first_name, language_code })

describe('a third folder of locales', () => {
  it('is used for users of its language: texts, names of fields, amounts', async () => {
    const anna = await person('Anna', 'de')
    await anna.asks('/balance', /¤ Balance: 2\.000 ₽/)
    await anna.asks('/video a cat surfing', /Beschreibung: a cat surfing/)
    await anna.sees((message) => labelsOf(message).some((label) => /^¤ Generate · 92,45 ₽/.test(label)))
  })

  it('is used for related languages too, and changes nothing for other users', async () => {
    const luc = await person('Luc', 'lb')
    await luc.asks('/balance', /¤ Balance/)
    const boris = await person('Борис', 'uk')
    await boris.asks('/balance', /Баланс: 2 000 ₽/)
    const carl = await person('Carl', 'fr')
    await carl.asks('/balance', /^Balance: ₽2,000/)
  })

  it('can be chosen in /settings, and the choice is kept', async () => {
    const dora = await person('Dora', 'en')
    await dora.opens('/settings', 'Deutsch')
    await dora.sees((message) => labelsOf(message).includes('● Deutsch'))
    await dora.asks('/balance', /¤ Balance/)
  })

  it('is compared with the other folders; missing texts, values and settings are reported', () => {
    const locales = join(scratch, 'src/bot/locales')
    expect(problemsOf(readLocales(locales))).toEqual([])
    expect(typesOf(readLocales(locales))).toContain("export type Locale = 'de' | 'en' | 'ru'")
    const core = readFileSync(join(folder, 'core.ftl'), 'utf8')
    writeFileSync(
      join(folder, 'core.ftl'),
      core.replace(/^cancel-nothing = .*\n/m, '').replace(/^balance = .*/m, 'balance = { $saldo }'),
    )
    expect(problemsOf(readLocales(locales))).toEqual([
      'de: "balance" does not show $available',
      'de: there is no text "cancel-nothing"',
      'en: "balance" does not show $saldo',
      'ru: "balance" does not show $saldo',
    ])
    const settings = { name: 'Deutsch', dates: 'xx-XX', amounts: 'a_b', alsoFor: [] }
    writeFileSync(join(folder, 'locale.json'), JSON.stringify(settings))
    expect(problemsOf(readLocales(locales))).toContain('de/locale.json: amounts: Invalid input')
    writeFileSync(join(folder, 'locale.json'), JSON.stringify({ ...settings, amounts: 'de-DE' }))
    expect(problemsOf(readLocales(locales))).toContain('de/locale.json: Intl does not know "xx-XX"')
    rmSync(join(folder, 'locale.json'))
    expect(problemsOf(readLocales(locales))).toContain('de: there is no locale.json')
  })
})
