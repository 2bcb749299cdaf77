// The legal texts: in both languages, with the operator's contact; the operator can replace each text.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTexts } from '../../../src/texts.ts'
import { openSandbox, type TestSandbox } from '../../support/users/sandbox.ts'

describe("the legal texts with the operator's contact and own texts", () => {
  let sandbox: TestSandbox
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'texts-'))
    await writeFile(join(folder, 'ru.ftl'), 'legal-terms = Наша оферта: { $contact }\n')
    sandbox = await openSandbox('postgres', { SUPPORT_CONTACT: '@help_<me>', TEXTS_DIR: folder })
  })
  afterAll(async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })

  it.each([
    ['ru', '/support', /Поддержка[\s\S]*@help_<me>/],
    ['ru', '/paysupport', /Вопросы об оплате[\s\S]*@help_<me>/],
    ['ru', '/terms', /^Наша оферта: @help_<me>$/],
    ['ru', '/privacy', /Личные данные[\s\S]*\/export[\s\S]*@help_<me>/],
    ['en', '/support', /Support[\s\S]*@help_<me>/],
    ['en', '/paysupport', /Questions about payments[\s\S]*@help_<me>/],
    ['en', '/terms', /Terms[\s\S]*@help_<me>/],
    ['en', '/privacy', /Personal data[\s\S]*\/delete_me[\s\S]*@help_<me>/],
  ] as const)('in the language %s %s shows its text with the contact', async (language, command, wanted) => {
    const anna = await sandbox.user('Anna', language)
    await anna.sends(command)
    await anna.sees(wanted)
  })

  it('a text with an unknown key fails the start', async () => {
    await writeFile(join(folder, 'en.ftl'), 'legal-termz = Ours\n')
    expect(() => loadTexts(folder)).toThrow(/legal-termz/)
  })
})

describe('the legal texts without a contact', () => {
  it('say that the operator has not given a contact', async () => {
    const sandbox = await openSandbox('postgres', { SUPPORT_CONTACT: '' })
    const anna = await sandbox.user('Anna')
    await anna.sends('/paysupport')
    await anna.sees(/Where to write: the operator has not given a contact/)
    await sandbox.stop()
  })
})
