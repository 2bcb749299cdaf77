// Makes a custom style in two questions: its name, and one to five pictures. The style is then picked on the card it was started from.

import { type Context, InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import { isTakenPicture } from '../../catalog/field.ts'
import { type Draft, findDraft } from '../../orders/drafts.ts'
import { makeStyle, type StyleOrder } from '../../orders/styles.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { noteKind } from '../notes.ts'
import { type Asker, actOutside, type BotConversation, putQuestion, waitForAnswerOrTap } from '../question.ts'
import { refusalText } from './answer-text.ts'
import { answerDraft } from './answers.ts'
import { attachmentIn } from './attachment.ts'
import { sendCard } from './cards.ts'
import { askForName } from './presets.ts'

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
    const userId = BigInt(args.userId)
    const asked = { kind: styleQuestion, userId, about: { draftId: args.draftId } }
    const html = say.html('style-name', { max: maxName })
    const question = { html, say, max: maxName }
    const { name, ctx: named } = await askForName(deps, conversation, ctx, asked, question)
    const put = (to: Context, text: string, keyboard?: InlineKeyboard) =>
      putQuestion(deps, conversation, to, asked, { html: text, say, keyboard })
    const wait = () => waitForAnswerOrTap(deps, conversation, asked, taps.stylePicturesSent, named.msgId)
    const files = await askPictures(deps, conversation, say, named, put, wait)
    await actOutside(conversation, (outside) => finish(deps, outside, args, { userId, name, files }))
  }
}

/** Takes pictures until there are enough, or the tap that says so. */
async function askPictures(
  deps: BotDeps,
  conversation: BotConversation,
  say: Say,
  named: Context,
  put: (to: Context, html: string, keyboard?: InlineKeyboard) => Promise<number>,
  wait: () => ReturnType<typeof waitForAnswerOrTap>,
): Promise<StyleOrder['files']> {
  const enough = new InlineKeyboard().text(say.plain('button-enough'), taps.stylePicturesSent.data())
  const files: StyleOrder['files'][number][] = []
  let to = named
  let told = say.html('style-pictures', { max: maxPictures })
  while (files.length < maxPictures) {
    await put(to, told, files.length > 0 ? enough : undefined)
    const { ctx, message } = await wait()
    to = ctx
    if (!message) {
      await conversation.external((outside) => answerTap(outside))
      if (files.length > 0) break
      continue
    }
    const sent = await conversation.external(() => pictureIn(deps, message, say))
    if (typeof sent === 'string') told = sent
    else {
      files.push(sent)
      told = say.html('ask-more-files', { count: files.length, max: maxPictures })
    }
  }
  return files
}

/** @returns HTML that says what is expected, when it is no picture that can be taken */
async function pictureIn({ files }: BotDeps, message: Message, say: Say) {
  const sent = await attachmentIn(files, message)
  if (sent?.medium !== 'image') return say.html('style-pictures', { max: maxPictures })
  const { file, mime } = sent
  return isTakenPicture(mime) ? { file, mime } : refusalText(say, { reason: 'picture-format' }, undefined)
}

async function finish(deps: BotDeps, ctx: Ctx, args: Args, order: StyleOrder): Promise<void> {
  const { say, api } = ctx
  await reply(ctx, say.html('style-under-way'))
  const made = await makeStyle(deps, order)
  if (!made.ok) {
    const said = made.reason === 'refused' ? made.said : undefined
    const words = said === undefined ? [] : [say.html('failure-said', { said })]
    return reply(ctx, [say.html(`style-${made.reason}`), ...words].join('\n'))
  }
  const answered = await answerDraft(deps, args.draftId, order.userId, args.fieldName, { typed: made.id })
  const draft = answered.ok ? answered.draft : await findDraft(deps.db, args.draftId, order.userId)
  const told = say.html('style-made', { name: order.name })
  if (draft?.state !== 'open') return reply(ctx, told)
  await sendCard(deps, api, draft, say, { at: 'main' }, [told])
}
