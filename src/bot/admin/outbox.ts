// How what goes on by itself reaches the chats: the copies of a broadcast, its end, and alarms.

import { type Api, GrammyError } from 'grammy'
import type { News } from '../../operator/alarms.ts'
import type { Copied } from '../../operator/broadcaster.ts'
import type { Broadcast } from '../../operator/broadcasts.ts'
import { localTime } from '../../operator/periods.ts'
import type { Say } from '../../texts.ts'
import { broadcastText } from './broadcast.ts'
import { type TellDeps, tellOperators } from './tell.ts'

export async function copy(api: Api, { chatId, messageId }: Broadcast, to: number): Promise<Copied> {
  try {
    await api.copyMessage(to, chatId, messageId)
    return 'sent'
  } catch (error) {
    return copiedBy(error)
  }
}

/** A lost answer may have been a sent message: it is sent again rather than left out. */
function copiedBy(error: unknown): Copied {
  if (!(error instanceof GrammyError)) return { again: 'later' }
  const { error_code: code, description, parameters } = error
  if (code === 429) return { again: 'later', afterMs: (parameters.retry_after ?? 1) * 1000 }
  if (code >= 500 || code === 401) return { again: 'later' }
  return /message to copy not found|can't be copied|MESSAGE_ID_INVALID/i.test(description)
    ? 'no-source'
    : 'unreachable'
}

export async function tellEnd(deps: TellDeps, ended: Broadcast): Promise<void> {
  await tellOperators(deps, [ended.chatId], (say) => broadcastText(say, ended, 0))
}

export async function tellAlarm(deps: TellDeps, ids: readonly number[], news: News): Promise<boolean> {
  // The log has it, and there is nobody to try again.
  if (ids.length === 0) return true
  return tellOperators(deps, ids, (say) => alarmText(say, news))
}

function alarmText(say: Say, { is, kind, fact, since }: News): string {
  const facts = { kind, fact, since: localTime(since) }
  if (is === 'begins') return say.html('alarm-begins', facts)
  return is === 'lasts' ? say.html('alarm-lasts', facts) : say.html('alarm-over', facts)
}
