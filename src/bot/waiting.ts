// Decides what of the bot's waits for the words of a user. While something waits, words are never sent to a text model, which charges for
// its answers, without a tap on a button with the price.

import type { Message } from 'grammy/types'
import { type Draft, draftForWords, draftOfCard } from '../generations/drafts.ts'
import { stepOf } from './cards/guide/step.ts'
import { shownSetting } from './cards/typed-value.ts'
import { type BotDeps, type Ctx, locationOf } from './context.ts'
import { isRecent, menuFor, type OpenMenu } from './menus.ts'
import { repliedTo } from './notes.ts'

export type Waiting =
  | { readonly for: 'nothing' }
  /** The open page of a setting, or a field without which the card has no price. */
  | { readonly for: 'value'; readonly draft: Draft; readonly since: Date }
  /** The page of a setting on the card of another person, in a group. */
  | { readonly for: 'other-person'; readonly since: Date }
  /** A step of the guide for which no conversation waits any more. */
  | { readonly for: 'step'; readonly draft: Draft; readonly since: Date }
  /** A card that needs no words. */
  | { readonly for: 'card'; readonly draft: Draft; readonly since: Date }
  | ({ readonly for: 'menu' } & OpenMenu)

const nothing: Waiting = { for: 'nothing' }

/** What was shown last counts. A reply is for what it replies to, in groups only a reply is. */
export async function waitingFor(deps: BotDeps, ctx: Ctx, message: Message): Promise<Waiting> {
  if (message.external_reply) return nothing
  const menu = await menuFor(deps, ctx, message)
  const card = await waitingCard(deps, ctx, message)
  if (menu && (!card || card.since < menu.since)) return { for: 'menu', ...menu }
  return card ?? nothing
}

/** A page waits as long as it is open, a card as long as a price that it shows counts. */
async function waitingCard(deps: BotDeps, ctx: Ctx, message: Message) {
  const replied = repliedTo(message)
  const draft = await draftFor(deps, ctx, message)
  if (!draft) return undefined
  const since = draft.updatedAt
  if (draft.userId !== ctx.user.id)
    return draft.openPage === null ? undefined : ({ for: 'other-person', since } as const)
  if (draft.openPage === null && !replied && !isRecent(message, since)) return undefined
  if ((await stepOf(deps, draft)) !== undefined) return { for: 'step', draft, since } as const
  const takesWords = draft.openPage !== null || (message.caption === undefined && shownSetting(deps, draft))
  return { for: takesWords ? 'value' : 'card', draft, since } as const
}

async function draftFor({ db }: BotDeps, ctx: Ctx, message: Message): Promise<Draft | undefined> {
  const replied = repliedTo(message)
  const location = locationOf(ctx)
  if (replied) return draftOfCard(db, message.chat.id, replied.message_id, ctx.user.id)
  const isPrivate = message.chat.type === 'private'
  return isPrivate && location ? draftForWords(db, ctx.user.id, location) : undefined
}
