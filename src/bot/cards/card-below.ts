// How a conversation ends: with a text, and below it the card of its draft, which replaces the previous card.

import type { Context, InlineKeyboard } from 'grammy'
import { type Draft, setCard } from '../../generations/drafts.ts'
import { removeMessage } from '../../telegram/send-into.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'
import type { BotConversation } from '../question.ts'
import { send } from '../responses.ts'
import { viewDraft } from './cards.ts'

/** JSON-safe: the conversation stores it. */
export interface Ending {
  readonly html: string
  readonly card?: {
    readonly keyboard: InlineKeyboard['inline_keyboard']
    /** The message that the new card replaces. */
    readonly old: number | null
  }
}

/** @param words HTML above the card; empty for none */
export async function endWithCard(deps: BotDeps, draft: Draft, say: Say, words: string): Promise<Ending> {
  const { html, keyboard } = await viewDraft(deps, draft, say)
  return {
    html: words === '' ? html : `${words}\n\n${html}`,
    card: { keyboard: keyboard.inline_keyboard, old: draft.cardMessageId },
  }
}

export async function sendEnding(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  draftId: string,
  { html, card }: Ending,
): Promise<void> {
  const sent = await send(ctx, html, card && { inline_keyboard: card.keyboard })
  if (!card) return
  await conversation.external(() => setCard(deps.db, draftId, sent.message_id, deps.clock.now()))
  if (card.old !== null) await removeMessage(ctx.api, sent.chat.id, card.old)
}
