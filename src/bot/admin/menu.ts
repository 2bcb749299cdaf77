// The command menu of operators, in their own chats only: their commands, then the public ones.

import type { Api } from 'grammy'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Log } from '../../runtime/log.ts'
import { foreignLocale, locales, type Texts } from '../../texts.ts'
import { menuOf } from '../commands.ts'

interface MenuDeps {
  readonly api: Api
  readonly catalog: Catalog
  readonly texts: Texts
  readonly log: Log
}

export async function publishOperatorMenu(deps: MenuDeps, ids: readonly number[]): Promise<void> {
  for (const chat_id of ids) {
    // Fails for an operator who has never written to the bot: there is no chat yet.
    await publishTo(deps, chat_id).catch((error: unknown) =>
      deps.log.info({ operator: chat_id, error }, 'menu of an operator not published'),
    )
  }
}

async function publishTo({ api, catalog, texts }: MenuDeps, chat_id: number): Promise<void> {
  const scope = { type: 'chat', chat_id } as const
  for (const locale of locales) {
    const say = texts(locale)
    const own = [
      { command: 'admin', description: say.plain('admin-command-admin') },
      { command: 'user', description: say.plain('admin-command-user') },
      { command: 'broadcast', description: say.plain('admin-command-broadcast') },
      { command: 'promo_add', description: say.plain('admin-command-promo-add') },
    ]
    const all = [...own, ...menuOf(catalog, say)]
    if (locale === foreignLocale) await api.setMyCommands(all, { scope })
    await api.setMyCommands(all, { scope, language_code: locale })
  }
}
