// Makes a custom style in two questions: its name, and one to five pictures. The style is then picked on the card it was started from.

import { type Context, InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import { type Attachment, isTakenPicture } from '../../catalog/field.ts'
import { type Draft, findDraft } from '../../orders/drafts.ts'
import { makeStyle, type StyleOrder } from '../../orders/styles.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { shownName } from '../../users/user.ts'
import { answerTap, type BotDeps, type Ctx, send } from '../context.ts'
import { noteKind } from '../notes.ts'
import {
  type Asker,
  type BotConversation,
  putQuestion,
  waitForAnswer,
  waitForAnswerOrTap,
} from '../question.ts'
import { nameRefusal, refusalText } from './answer-text.ts'
import { answerDraft } from './answers.ts'
import { attachmentIn } from './attachment.ts'
import { type Ending, endWithCard, sendEnding } from './cards.ts'

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
    const { name, files: before, ctx: named } = await readName(asking, first)
    const files = await askPictures(asking, first, before, named)
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
    answerTap: () => conversation.external((outside) => answerTap(outside)),
  }
}

type Asking = ReturnType<typeof askingFor>

type Files = StyleOrder['files']

const picturesIn = (sent: Attachment | null): Files =>
  sent?.medium === 'image' && isTakenPicture(sent.mime) ? [{ file: sent.file, mime: sent.mime }] : []

/**
 * A picture that comes before the name is kept.
 * @param first the id of the first message that asked
 */
async function readName(
  asking: Asking,
  first: number,
  before: Files = [],
): Promise<{ name: string; files: Files; ctx: Context }> {
  const { say, put, fileIn, answer } = asking
  const { message, ctx } = await answer(first)
  const files = [...before, ...picturesIn(await fileIn(message))].slice(0, maxPictures)
  const name = shownName(wordsIn(message))
  const refusal = nameRefusal(say, name, maxName)
  if (refusal === undefined) return { name, files, ctx }
  await put(ctx, name === '' ? say.html('style-name-first', { count: files.length }) : refusal)
  return readName(asking, first, files)
}

async function askPictures(asking: Asking, first: number, before: Files, named: Context): Promise<Files> {
  const files = [...before]
  let refusal: string | undefined
  let ctx = named
  while (files.length < maxPictures) {
    await askPicture(asking, ctx, files.length, refusal)
    const reply = await asking.answerOrTap(first)
    ctx = reply.ctx
    if (reply.message) {
      const sent = await asking.fileIn(reply.message)
      files.push(...picturesIn(sent))
      refusal = pictureRefusal(asking.say, sent)
      continue
    }
    await asking.answerTap()
    if (files.length > 0) break
  }
  return files
}

async function askPicture(
  { say, put }: Asking,
  ctx: Context,
  count: number,
  refusal: string | undefined,
): Promise<void> {
  if (count === 0) return void (await put(ctx, refusal ?? say.html('style-pictures', { max: maxPictures })))
  const enough = new InlineKeyboard().text(say.plain('button-enough'), taps.stylePicturesSent.data())
  await put(ctx, refusal ?? say.html('ask-more-files', { count, max: maxPictures }), enough)
}

function pictureRefusal(say: Say, sent: Attachment | null): string | undefined {
  if (sent?.medium !== 'image') return say.html('style-pictures', { max: maxPictures })
  return isTakenPicture(sent.mime) ? undefined : refusalText(say, { reason: 'picture-format' }, undefined)
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
