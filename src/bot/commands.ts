// The command menus in every language: one for private chats and a shorter one for groups, without the commands about a user's account.

import type { Api } from 'grammy'
import type { BotCommandScope } from 'grammy/types'
import type { Catalog } from '../catalog/catalog.ts'
import { type Command, commands, type Model } from '../catalog/model.ts'
import { offeredModels, type TextModel } from '../catalog/text-models.ts'
import type { Kopecks } from '../money.ts'
import { type Clock, doubledMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { modelSwitch, switchedOff } from '../sales/sales.ts'
import { outcomeOf } from '../telegram/send.ts'
import { datesOf, foreignLocale, type Locale, locales, type Say, type Texts } from '../texts.ts'
import type { BotDeps } from './context.ts'

/** What this installation sells, by its configuration. */
interface Sold {
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

/** A phone shows about twelve lines: with six kinds of orders, these fill them. What is not listed is in /help and /settings. */
const inPrivateChats = ['chat', 'ideas', 'balance', 'history', 'settings', 'help'] as const

const inGroups = ['chat', 'new', 'persona', 'ideas', 'prices', 'history', 'wallet', 'help', 'cancel'] as const

/** Commands that no menu of private chats lists, and that are suggested for an unknown one that resembles them. */
const unlisted = [
  'new',
  'persona',
  'prices',
  'topup',
  'favourites',
  'presets',
  'statement',
  'wallet',
  'promo',
  'invite',
  'support',
  'paysupport',
  'terms',
  'privacy',
  'export',
  'delete_me',
  'cancel',
] as const

/** Other names of commands, and those that nobody has to find. */
const hidden = ['start', 'models', 'system', 'retry', 'model', 'thinking', 'search'] as const

type ListedCommand = (typeof inPrivateChats)[number] | (typeof inGroups)[number]
type FixedCommand = ListedCommand | (typeof unlisted)[number]

const fixedCommands: ReadonlySet<string> = new Set([...inPrivateChats, ...unlisted, ...hidden])

/** Whether the bot has this command. The operators' commands do not count. */
export const isCommand = (catalog: Catalog, command: string): boolean =>
  fixedCommands.has(command) || offeredCommands(catalog).some((one) => one === command)

function isAvailable(sold: Sold, command: FixedCommand): boolean {
  if (command === 'chat' || command === 'new' || command === 'persona') return offersChat(sold)
  return command !== 'topup' || canTopUp(sold)
}

const described = (sold: Sold, fixed: readonly ListedCommand[], say: Say) =>
  [...offeredCommands(sold.catalog), ...fixed.filter((command) => isAvailable(sold, command))].map(
    (command) => ({ command, description: say.plain(`command-${command}`) }),
  )

/** The commands of users, among which an unknown one is looked for. */
export const suggestedCommands = (sold: Sold): readonly string[] => [
  ...offeredCommands(sold.catalog),
  ...[...inPrivateChats, ...unlisted].filter((command) => isAvailable(sold, command)),
]

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

// What can be ordered now: offered by the configuration and not switched off by an operator since.

export interface OnSale {
  readonly commands: readonly Command[]
  models(command: Command): readonly Model[]
}

export async function readOnSale({ db, catalog }: Pick<BotDeps, 'db' | 'catalog'>): Promise<OnSale> {
  const off = await switchedOff(db)
  const models = (command: Command) => catalog.offered(command).filter(({ id }) => !off.has(modelSwitch(id)))
  return { commands: offeredCommands(catalog).filter((command) => models(command).length > 0), models }
}

// What Telegram shows of the bot before the first message: its description and short description in every language, and the button
// that opens the command menu. They name what this installation sells.

export interface ProfileDeps extends MenuDeps {
  /** Zero when new users get no credit. */
  readonly welcomeCredit: Kopecks
}

/** For example `pictures, video and 3D models`. */
export const thingsText = (say: Say, commands: readonly Command[]): string =>
  new Intl.ListFormat(datesOf(say.locale)).format(commands.map((command) => say.plain(`thing-${command}`)))

export function descriptionIn(
  say: Say,
  { welcomeCredit, ...sold }: Sold & Pick<ProfileDeps, 'welcomeCredit'>,
): string {
  const things = thingsText(say, offeredCommands(sold.catalog))
  const lines = [
    say.plain('profile-promise'),
    ...(offersChat(sold) ? [say.plain('profile-chat')] : []),
    ...(welcomeCredit > 0n ? [say.plain('profile-gift', { amount: say.roubles(welcomeCredit) })] : []),
  ]
  return `${say.plain('profile-what', { things })}\n\n${lines.join('\n')}`
}

export const shortDescriptionIn = (say: Say, { catalog }: Pick<Sold, 'catalog'>): string =>
  say.plain('profile-short', { things: thingsText(say, offeredCommands(catalog)) })

/** Sets the texts for every language of the bot; speakers of other languages get those of `foreignLocale`. */
export async function publishProfile(deps: ProfileDeps): Promise<void> {
  await publishIn(deps, deps.texts(foreignLocale), {})
  for (const locale of locales) await publishIn(deps, deps.texts(locale), { language_code: locale })
}

/** Telegram allows few changes of these texts, so only those that differ are sent. */
async function publishIn(
  deps: ProfileDeps,
  say: Say,
  at: { readonly language_code?: Locale },
): Promise<void> {
  const { api } = deps
  const description = descriptionIn(say, deps)
  const before = await api.getMyDescription(at)
  if (before.description !== description) await api.setMyDescription(description, at)
  const short = shortDescriptionIn(say, deps)
  const shortBefore = await api.getMyShortDescription(at)
  if (shortBefore.short_description !== short) await api.setMyShortDescription(short, at)
}

export async function publishMenuButton({ api }: Pick<MenuDeps, 'api'>): Promise<void> {
  await api.setChatMenuButton({ menu_button: { type: 'commands' } })
}

// Publishes what Telegram shows around the chat: the command menus, the bot's descriptions, the menu button. The bot works without them, so
// each is published in the background on its own; a failure is retried and affects nothing else.

interface Publication {
  /** The name of the publication in the log. */
  readonly what: string
  publish(): Promise<void>
}

/** Pauses before the next attempt; doubled with each failure, and never shorter than the pause that Telegram asks for. */
const retry = { firstMs: 5_000, longestMs: 30 * 60_000 }
const idleMs = 60_000
const failed = 'what Telegram shows of the bot cannot be published'

export function createPublishing(
  deps: { readonly clock: Clock; readonly log: Log },
  publications: readonly Publication[],
): Loop {
  const { clock, log } = deps
  let left = publications
  let failures = 0
  const pass = async (stopping: AbortSignal) => {
    let pauseMs = doubledMs(retry.firstMs, failures, retry.longestMs)
    const unpublished: Publication[] = []
    for (const one of left) {
      try {
        await one.publish()
      } catch (error) {
        log.warn({ error, what: one.what }, failed)
        unpublished.push(one)
        const outcome = outcomeOf(error)
        if (outcome.retry) pauseMs = Math.max(pauseMs, outcome.afterMs ?? 0)
      }
    }
    left = unpublished
    if (left.length === 0) return false
    await clock.wait(pauseMs, stopping)
    failures += 1
    return true
  }
  return createLoop(deps, { pass, idleMs, failed })
}
