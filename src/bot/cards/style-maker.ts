// Makes a custom style in two questions: its name, and one to five pictures. The style is then picked on the card it was started from.

import { type Context, InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import { isTakenPicture } from '../../catalog/attachment.ts'
import { type Draft, findDraft } from '../../generations/drafts.ts'
import { makeStyle, type StyleOrder } from '../../generations/styles.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { shownName } from '../../users/name.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteKind } from '../notes.ts'
import {
  type Asker,
  type BotConversation,
  putQuestion,
  waitForAnswer,
  waitForAnswerOrTap,
} from '../question.ts'
import { answerTap, send } from '../responses.ts'
import { attachmentIn } from './attachment.ts'
import { type Ending, endWithCard, sendEnding } from './card-below.ts'
import { answerDraft } from './cards.ts'
import { nameRefusal, refusalText } from './refusal-text.ts'

interface Args extends Asker {
  readonly draftId: string
  readonly fieldName: string
}

export const styleMakerName = 'style'

const styleQuestion = noteKind('style-question', z.strictObject({ draftId: z.string() }))

const maxName = 40
const maxPictures = 5

export function enterStyleMaker(ctx: Ctx, draft: Draft, fieldName: string): Promise<void> {
  const { locale } = ctx.say
  const args: Args = { draftId: draft.id, fieldName, userId: String(draft.userId), locale }
  return ctx.conversation.enter(styleMakerName, args)
}

export function createStyleMaker(deps: BotDeps) {
  return async function style(conversation: BotConversation, ctx: Context, args: Args): Promise<void> {
    const say = deps.texts(args.locale)
    const asking = askingFor(deps, conversation, args, say)
    const first = await asking.put(ctx, say.html('style-name', { max: maxName }))
    const { name, ctx: named } = await readName(asking, first)
    const files = await askPictures(asking, first, named)
    await send(ctx, say.html('style-under-way'))
    const order: StyleOrder = { userId: BigInt(args.userId), name, files }
    const outcome = await conversation.external(() => finish(deps, args, order, say))
    await sendEnding(deps, conversation, ctx, args.draftId, outcome)
  }
}

function askingFor(deps: BotDeps, conversation: BotConversation, { draftId, userId }: Args, say: Say) {
  const asked = { kind: styleQuestion, userId: BigInt(userId), about: { draftId } }
  return {
    say,
    put: (to: Context, html: string, keyboard?: InlineKeyboardMarkup) =>
      putQuestion(deps, conversation, to, asked, { html, say, keyboard }),
    fileIn: (message: Message) =>
      conversation.external(async () => (await attachmentIn(deps.files, message)) ?? null),
    answer: (first: number) => waitForAnswer(deps, conversation, asked, first),
    answerOrTap: (first: number) =>
      waitForAnswerOrTap(deps, conversation, asked, taps.stylePicturesSent, first),
  }
}

type Asking = ReturnType<typeof askingFor>

/** @param first the id of the first message that asked */
async function readName(asking: Asking, first: number): Promise<{ name: string; ctx: Context }> {
  const { say, put, answer } = asking
  const reply = await answer(first)
  const name = shownName(wordsIn(reply.message))
  const refusal = nameRefusal(say, name, maxName)
  if (refusal === undefined) return { name, ctx: reply.ctx }
  await put(reply.ctx, refusal)
  return readName(asking, first)
}

async function askPictures(
  { say, put, fileIn, answerOrTap }: Asking,
  first: number,
  ctx: Context,
): Promise<StyleOrder['files']> {
  const files: { file: string; mime: string }[] = []
  const enough = new InlineKeyboard().text(say.plain('button-enough'), taps.stylePicturesSent.data())
  await put(ctx, say.html('style-pictures', { max: maxPictures }))
  while (files.length < maxPictures) {
    const reply = await answerOrTap(first)
    if (!reply.message) {
      await answerTap(reply.ctx)
      if (files.length > 0) break
    }
    const sent = reply.message && (await fileIn(reply.message))
    if (sent?.medium !== 'image') {
      await put(reply.ctx, say.html('style-pictures', { max: maxPictures }))
      continue
    }
    if (!isTakenPicture(sent.mime)) {
      await put(reply.ctx, refusalText(say, { reason: 'picture-format' }, undefined))
      continue
    }
    files.push({ file: sent.file, mime: sent.mime })
    if (files.length === maxPictures) break
    await put(reply.ctx, say.html('ask-more-files', { count: files.length, max: maxPictures }), enough)
  }
  return files
}

async function finish(deps: BotDeps, args: Args, order: StyleOrder, say: Say): Promise<Ending> {
  const made = await makeStyle(deps, order)
  if (!made.ok) {
    const said = made.reason === 'refused' ? made.said : undefined
    const words = said === undefined ? [] : [say.html('failure-said', { said })]
    return { html: [say.html(`style-${made.reason}`), ...words].join('\n') }
  }
  const answered = await answerDraft(deps, args.draftId, order.userId, args.fieldName, { typed: made.id })
  const draft = answered.ok ? answered.draft : await findDraft(deps.db, args.draftId, order.userId)
  if (draft?.state !== 'open') return { html: say.html('style-made', { name: order.name }) }
  return endWithCard(deps, draft, say, say.html('style-made', { name: order.name }))
}
