// The command menu, in both languages: what generates comes from the catalog, the rest is fixed.

import type { Api } from 'grammy'
import type { Catalog } from '../catalog/catalog.ts'
import { type Command, commands } from '../catalog/model.ts'
import { locales, type Say, type Texts } from '../texts.ts'

/** The commands that have a model on offer, in the order of the menu. */
export function offeredCommands(catalog: Catalog): readonly Command[] {
  return commands.filter((command) => catalog.offered(command).length > 0)
}

const fixed = [
  'chat',
  'new',
  'balance',
  'topup',
  'history',
  'statement',
  'promo',
  'invite',
  'settings',
  'support',
  'paysupport',
  'terms',
  'privacy',
  'export',
  'delete_me',
  'help',
  'cancel',
]

/** The public menu in one language. */
export const menuOf = (catalog: Catalog, say: Say) =>
  [...offeredCommands(catalog), ...fixed].map((command) => ({
    command,
    description: say.plain(`command-${command}`),
  }))

export async function publishCommands(api: Api, catalog: Catalog, texts: Texts): Promise<void> {
  const described = (say: Say) => menuOf(catalog, say)
  // English for everybody, and each language for its own.
  await api.setMyCommands(described(texts('en')))
  for (const locale of locales) await api.setMyCommands(described(texts(locale)), { language_code: locale })
}
