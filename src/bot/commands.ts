// The command menus in every language: one for private chats and a shorter one for groups, without the commands about a user's account.

import type { Api } from 'grammy'
import type { BotCommandScope } from 'grammy/types'
import type { Catalog } from '../catalog/catalog.ts'
import { type Command, commands } from '../catalog/model.ts'
import { offeredModels, type TextModel } from '../catalog/text-models.ts'
import { foreignLocale, locales, type Say, type Texts } from '../texts.ts'

/** What this installation sells, by its configuration. */
export interface Sold {
  readonly catalog: Catalog
  readonly textModels: readonly TextModel[]
  readonly topUps: { readonly providers: readonly unknown[] }
}

/** The commands that have an offered model, in the order of the menu. */
export function offeredCommands(catalog: Catalog): readonly Command[] {
  return commands.filter((command) => catalog.offered(command).length > 0)
}

export const offersChat = ({ textModels }: Pick<Sold, 'textModels'>): boolean =>
  offeredModels(textModels).length > 0

export const canTopUp = ({ topUps }: Pick<Sold, 'topUps'>): boolean => topUps.providers.length > 0

const inPrivateChats = [
  'chat',
  'new',
  'persona',
  'balance',
  'topup',
  'history',
  'presets',
  'statement',
  'wallet',
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
] as const

/** Commands that no menu lists. */
const unlisted = ['start', 'favourites', 'system', 'retry', 'model', 'thinking', 'search'] as const

const inGroups = ['chat', 'new', 'persona', 'history', 'wallet', 'help', 'cancel'] as const

type FixedCommand = (typeof inPrivateChats)[number]

const fixedCommands: ReadonlySet<string> = new Set([...inPrivateChats, ...unlisted])

/** Whether the bot has this command. The operators' commands do not count. */
export const isCommand = (catalog: Catalog, command: string): boolean =>
  fixedCommands.has(command) || offeredCommands(catalog).some((one) => one === command)

function isAvailable(sold: Sold, command: FixedCommand): boolean {
  if (command === 'chat' || command === 'new' || command === 'persona') return offersChat(sold)
  return command !== 'topup' || canTopUp(sold)
}

const described = (sold: Sold, fixed: readonly FixedCommand[], say: Say) =>
  [...offeredCommands(sold.catalog), ...fixed.filter((command) => isAvailable(sold, command))].map(
    (command) => ({ command, description: say.plain(`command-${command}`) }),
  )

/** The menu of private chats in one language. */
export const menuOf = (sold: Sold, say: Say) => described(sold, inPrivateChats, say)

export interface MenuDeps extends Sold {
  readonly api: Api
  readonly texts: Texts
}

export async function publishCommands({ api, texts, ...sold }: MenuDeps): Promise<void> {
  const scopes = [
    { scope: { type: 'all_private_chats' }, fixed: inPrivateChats },
    { scope: { type: 'all_group_chats' }, fixed: inGroups },
  ] as const
  for (const { scope, fixed } of scopes) {
    await setCommands({ api, texts }, scope, (say) => described(sold, fixed, say))
  }
}

type CommandList = Parameters<Api['setMyCommands']>[0]

/** Sets the commands for every language of the bot; speakers of other languages get those of `foreignLocale`. */
export async function setCommands(
  { api, texts }: Pick<MenuDeps, 'api' | 'texts'>,
  scope: BotCommandScope,
  commandsIn: (say: Say) => CommandList,
): Promise<void> {
  await api.setMyCommands(commandsIn(texts(foreignLocale)), { scope })
  for (const locale of locales) {
    await api.setMyCommands(commandsIn(texts(locale)), { scope, language_code: locale })
  }
}
