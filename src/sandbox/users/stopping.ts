// The button "Stop" of a draft: the bot is told that its words are wanted no longer.

import { defined } from '../telegram/defined.ts'
import type { Draft } from '../telegram/events.ts'
import type { ChatState } from '../telegram/state.ts'
import type { World } from '../telegram/world.ts'
import { complain } from './route.ts'

export function stopDraft(world: World, { chat }: ChatState, draftId: number | undefined): Draft {
  if (chat.type !== 'private') return complain('drafts are only in private chats')
  const which = draftId === undefined ? 'no draft' : `no draft ${draftId}`
  const draft =
    world.drafts.stop(chat.id, draftId) ?? complain(`${which} with a Stop button is in this chat now`, 404)
  const { draft_id, message_thread_id } = draft
  world.updates.push({ stopped_message_generation: { chat, draft_id, ...defined({ message_thread_id }) } })
  return draft
}
