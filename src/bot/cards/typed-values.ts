// Decides which card a typed text is a value for: the one whose page the user opened last or, in groups, the one that the text replies to.
// While a page is open, its words answer the open question or the page, and are never sent to a text model, which charges for it.

import type { Composer } from 'grammy'
import type { Message } from 'grammy/types'
import { type Draft, draftOfCard, newestDraftAtPage, newestOpenDraft } from '../../generations/drafts.ts'
import { isInDigits } from '../../money.ts'
import { newestNote } from '../../telegram/message-notes.ts'
import { typedAmount } from '../account/typed-amount.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { isMentioned } from '../mention.ts'
import { commandQuestionName, questionSuffix, repliedTo } from '../notes.ts'
import { reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { isCardOf } from './cards.ts'
import { guideName } from './guide/conversation.ts'
import { guideStep } from './guide/step.ts'
import { refuseText, type Typed, takeText, wasTaken } from './typed-value.ts'

export function typedValues(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.chatType('private').on(['message:text', 'message:caption'], async (ctx, next) => {
    const typed = typedIn(ctx.msg)
    const draft = await valuedDraft(deps, ctx, typed)
    if (!draft) return next()
    if (await takeText(deps, ctx, draft, typed)) return
    await (draft.openPage === null ? next() : refuseText(deps, ctx, draft))
  })
  composer
    .chatType(['group', 'supergroup'])
    .on(['message:text', 'message:caption'], (ctx, next) => takeReply(deps, ctx, typedIn(ctx.msg), next))
  return composer
}

/** Installed before the conversations: a page opened after a question takes the value, not the question. */
export function valuesBeforeQuestions(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.chatType('private').on('message:text', async (ctx, next) => {
    const isAsked = Object.values(ctx.conversation.active()).some((count) => count > 0)
    const isNumber = isAsked && isInDigits(ctx.msg.text)
    const isAmount = isNumber && (await typedAmount(deps, ctx, ctx.msg)) !== undefined
    const draft = isAsked && !isAmount ? await valuedDraft(deps, ctx, ctx.msg) : undefined
    const isForPage = draft && (repliedTo(ctx.msg) || !(await isAskedSince(deps, ctx, draft)))
    if (!isForPage || !(await takeText(deps, ctx, draft, ctx.msg))) return next()
  })
  return composer
}

const typedIn = (message: Message): Typed => ({ ...message, text: message.text ?? message.caption ?? '' })

/** @returns undefined also for a reply to another message than the card */
async function valuedDraft(deps: BotDeps, ctx: Ctx, message: Typed): Promise<Draft | undefined> {
  const draft = message.text.startsWith('/') ? undefined : await draftAtPage(deps, ctx)
  const replied = repliedTo(message)
  return draft && (!replied || isCardOf(draft, replied)) ? draft : undefined
}

/** Prefers the draft whose card shows the page of a setting, even if another card is newer: a value is free, a question is charged for. */
async function draftAtPage({ db }: BotDeps, ctx: Ctx): Promise<Draft | undefined> {
  const location = locationOf(ctx)
  if (!location) return undefined
  const isHere = (draft: Draft | undefined) => draft?.topicId === location.topicId
  const atPage = await newestDraftAtPage(db, ctx.user.id, location.chatId)
  if (isHere(atPage)) return atPage
  const newest = await newestOpenDraft(db, ctx.user.id, location.chatId)
  return isHere(newest) ? newest : undefined
}

/** Whether the open question was asked, or asked again, since the card was changed. */
async function isAskedSince(deps: BotDeps, ctx: Ctx, { chatId, updatedAt }: Draft): Promise<boolean> {
  const inGuide = (ctx.conversation.active()[guideName] ?? 0) > 0
  const asking = inGuide ? guideStep.name : questionSuffix
  const question = await newestNote(deps, chatId, ctx.user.id, asking, commandQuestionName)
  return question !== undefined && question.createdAt >= updatedAt
}

/** A reply to the page of a setting is meant for the card, and is never a paid question unless it mentions the bot. */
async function takeReply(deps: BotDeps, ctx: Ctx, typed: Typed, next: () => Promise<void>): Promise<void> {
  const replied = repliedTo(typed)
  if (typed.text.startsWith('/') || replied?.from?.id !== ctx.me.id) return next()
  const draft = await draftOfCard(deps.db, replied.chat.id, replied.message_id)
  // When the same update is handled again after a crash, its value is on the card already.
  if (draft?.openPage == null) return (await wasTaken(deps, ctx, typed)) ? undefined : next()
  if (isMentioned(ctx, typed)) return next()
  const { say } = ctx
  if (draft.userId !== ctx.user.id) return reply(ctx, say.html('typed-on-foreign-card'))
  if (!(await takeText(deps, ctx, draft, typed))) await refuseText(deps, ctx, draft)
}
