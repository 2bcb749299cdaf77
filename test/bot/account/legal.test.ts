// The legal texts have the operator's contact, and the operator can replace each text.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadTexts } from '../../../src/texts.ts'
import { openSandbox, sharedSandbox } from '../../support/users/sandbox.ts'

const shared = await sharedSandbox()

it("the legal texts have the operator's contact and own words; an own text with an unknown key fails the start", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'texts-'))
  await writeFile(join(folder, 'ru.ftl'), 'legal-terms = Наша оферта: { $contact }\n')
  const sandbox = await openSandbox('postgres', { SUPPORT_CONTACT: '@help_<me>', TEXTS_DIR: folder })
  const people = { ru: await sandbox.user('Anna', 'ru'), en: await sandbox.user('Boris') }
  const texts = [
    ['ru', '/terms', /^Наша оферта: @help_<me>$/],
    ['ru', '/support', /Поддержка[\s\S]*@help_<me>/],
    ['en', '/paysupport', /Questions about payments[\s\S]*@help_<me>/],
    ['en', '/terms', /Terms[\s\S]*@help_<me>/],
    ['en', '/privacy', /Personal data[\s\S]*\/delete_me[\s\S]*@help_<me>/],
  ] as const
  for (const [language, command, wanted] of texts) {
    await people[language].sends(command)
    await people[language].sees(wanted)
  }
  await writeFile(join(folder, 'en.ftl'), 'legal-termz = Ours\n')
  expect(() => loadTexts(folder)).toThrow(/legal-termz/)
  await sandbox.stop()
  await rm(folder, { recursive: true })
})

it('without a contact the legal texts say that the operator has not given one', async () => {
  const anna = await shared.user('Anna')
  await anna.asks('/paysupport', /Where to write: the operator has not given a contact/)
})
