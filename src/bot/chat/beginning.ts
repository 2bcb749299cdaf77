// Begins an answer, or explains why nothing was asked.

import { maxFileBytes, maxInlineBytes } from '../../catalog/media.ts'
import { labelOf } from '../../catalog/text-models.ts'
import { isSpoken, type NotAccepted } from '../../chat/question-files.ts'
import { answersBeingWritten } from '../../chat/turns.ts'
import type { Kopecks } from '../../money.ts'
import { writeNote } from '../../telegram/message-notes.ts'
import { isOperator } from '../admin/operator.ts'
import { offerTopUp } from '../balance.ts'
import { askConsent, needsConsent } from '../basics/consent.ts'
import { type BotDeps, type Ctx, firstNameOf, locationOf, reply } from '../context.ts'
import { type Asked, ask, type Refused } from './asking.ts'
import { type Offered, unpaidWords } from './chooser.ts'
import { namesOf, offerModels } from './settings.ts'

interface ToAsk extends Pick<Asked, 'text' | 'files' | 'messageId'> {
  /** By default the id of the context's update. */
  readonly updateId?: number
}

/** Asks, or explains why nothing was asked. @returns whether the question was asked, now or when the same update was handled before */
export async function begin(deps: BotDeps, ctx: Ctx, question: ToAsk): Promise<boolean> {
  const location = locationOf(ctx)
  if (!location) return false
  const { api, user, say } = ctx
  const { files, updateId = ctx.update.update_id } = question
  // A voice message has no words of its own: this stands for it in the conversation.
  const text = question.text || (isSpoken(files) ? say.plain('spoken-question') : '')
  const isPrivate = ctx.chat?.type === 'private'
  const offer = { text, files: [...files], messageId: question.messageId, updateId }
  if (needsConsent(deps, ctx)) {
    await askConsent(deps, ctx, offer)
    return false
  }
  const asker = { user, isOperator: isOperator(deps, ctx), say, location, isPrivate }
  const begun = await ask(deps, { ...question, ...asker, text, updateId, api })
  if (!begun.ok) await explain(deps, ctx, begun, offer)
  else if (begun.forgets) await reply(ctx, say.html('file-forgotten'))
  return begun.ok
}

/** @param question is offered again after a top-up */
export async function explain(deps: BotDeps, ctx: Ctx, refused: Refused, question?: Offered): Promise<void> {
  if (refused.reason === 'insufficient') return explainShort(deps, ctx, refused.missing, question)
  if (refused.reason === 'daily-cap' && ctx.chat?.type !== 'private') {
    return reply(ctx, ctx.say.html('cap-in-group', { name: firstNameOf(ctx) }))
  }
  if (refused.reason === 'daily-cap') {
    const [most, spent] = [ctx.say.roubles(refused.most), ctx.say.roubles(refused.spent)]
    return reply(ctx, ctx.say.html('chat-daily-cap', { most, spent }))
  }
  if (refused.reason === 'model-off') return offerModels(deps, ctx, refused.model)
  if (refused.reason === 'files-not-accepted') return reply(ctx, notTakenText(ctx, refused))
  if (refused.reason === 'too-long') {
    const { kind, maxSeconds: max } = refused
    return reply(ctx, ctx.say.html('chat-too-long', { kind, max }))
  }
  if (refused.reason === 'no-file') {
    const { kind } = refused
    const max = (kind === 'audio' ? maxFileBytes : maxInlineBytes) / 1024 / 1024
    return reply(ctx, ctx.say.html('chat-no-file', { kind, max }))
  }
  await reply(ctx, ctx.say.html(`chat-${refused.reason}`))
}

async function explainShort(
  deps: BotDeps,
  ctx: Ctx,
  missing: Kopecks,
  question: Offered | undefined,
): Promise<void> {
  const written = await answersBeingWritten(deps.db, ctx.user.id)
  const held = written.reduce((sum, { amount }) => sum + amount, 0n)
  if (held >= missing) return reply(ctx, ctx.say.html('chat-held'))
  const sent = await offerTopUp(deps, ctx, missing, question ? 'chat-short' : 'chat-not-enough')
  if (sent && question)
    await writeNote(deps, sent, { kind: unpaidWords, userId: ctx.user.id, about: question })
}

/** What is said when no model takes such a file. */
const takenByNone = {
  image: 'chat-unread-image',
  audio: 'chat-unread-sound',
  pdf: 'chat-unreadable',
  video: 'chat-unread-video',
} as const

/** Says which model or mode does not take the file, and what the user can do. */
function notTakenText({ say }: Ctx, { kind, model, because, others }: NotAccepted): string {
  const what = { model: labelOf(model), cannot: say.plain(`cannot-${kind}`) }
  if (because.length > 0) return say.html('chat-not-taken-mode', { ...what, modes: namesOf(say, because) })
  const models = others.map(labelOf).join(', ')
  return models ? say.html('chat-not-taken', { ...what, models }) : say.html(takenByNone[kind])
}
