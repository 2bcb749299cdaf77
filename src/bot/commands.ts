// The command menu in both languages: the commands of the catalog's models, then the fixed ones. The bot works without the menu, so
// a failure to publish it is retried and stops nothing.

import type { Api } from 'grammy'
import type { Catalog } from '../catalog/catalog.ts'
import { type Command, commands } from '../catalog/model.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { foreignLocale, locales, type Say, type Texts } from '../texts.ts'

/** The commands that have an offered model, in the order of the menu. */
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

/** The public menu in one language. */
export const menuOf = (catalog: Catalog, say: Say) =>
  [...offeredCommands(catalog), ...fixed].map((command) => ({
    command,
    description: say.plain(`command-${command}`),
  }))

export async function publishCommands({
  api,
  catalog,
  texts,
}: Pick<MenuDeps, 'api' | 'catalog' | 'texts'>): Promise<void> {
  const described = (say: Say) => menuOf(catalog, say)
  // The first menu is the default for users whose language has no menu of its own.
  await api.setMyCommands(described(texts(foreignLocale)))
  for (const locale of locales) await api.setMyCommands(described(texts(locale)), { language_code: locale })
}

interface MenuDeps {
  readonly api: Api
  readonly catalog: Catalog
  readonly texts: Texts
  readonly clock: Clock
  readonly log: Log
}

/** Before the next attempt; doubled with each failure. */
const retry = { firstMs: 5_000, longestMs: 30 * 60_000 }
const idleMs = 60_000

/** @param publishMore publishes the menus of operators, after the public one */
export function createMenus(deps: MenuDeps, publishMore: () => Promise<void>): Loop {
  const { clock, log } = deps
  const failed = 'the command menu cannot be published'
  let isPublished = false
  let failures = 0
  const pass = async (stopping: AbortSignal) => {
    if (isPublished) return false
    try {
      await publishCommands(deps)
      await publishMore()
      isPublished = true
    } catch (error) {
      log.warn({ error }, failed)
      await clock.wait(Math.min(retry.firstMs * 2 ** failures, retry.longestMs), stopping)
      failures += 1
    }
    return !isPublished
  }
  return createLoop(deps, { pass, idleMs, failed })
}
