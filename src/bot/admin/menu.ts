// The command menu of operators, in their own chats only: their commands, then those of everybody.

import type { Log } from '../../runtime/log.ts'
import type { Say } from '../../texts.ts'
import { type MenuDeps, menuOf, setCommands } from '../commands.ts'

export async function publishOperatorMenu(
  deps: MenuDeps & { readonly log: Log },
  ids: readonly number[],
): Promise<void> {
  const list = (say: Say) => [...operatorCommands(say), ...menuOf(deps, say)]
  for (const chat_id of ids) {
    // Fails for an operator who has never written to the bot: there is no chat yet.
    await setCommands(deps, { type: 'chat', chat_id }, list).catch((error: unknown) =>
      deps.log.info({ operator: chat_id, error }, 'menu of an operator not published'),
    )
  }
}

const operatorCommands = (say: Say) => [
  { command: 'admin', description: say.plain('admin-command-admin') },
  { command: 'user', description: say.plain('admin-command-user') },
  { command: 'broadcast', description: say.plain('admin-command-broadcast') },
  { command: 'promo_add', description: say.plain('admin-command-promo-add') },
  { command: 'promo_end', description: say.plain('admin-command-promo-end') },
]
