// The one-field conversation: asks for one answer, explains a refusal and asks again, writes the draft, shows the card.
// All that matters is in the draft row; the state of the conversation stays small, since each refusal is rewound.

import type { Conversation } from '@grammyjs/conversations'
import { type Context, InlineKeyboard } from 'grammy'
import type { Locale } from '../catalog/field.ts'
import { setCard } from '../generations/drafts.ts'
import type { Say } from '../texts.ts'
import { answerDraft, refusalText, viewDraft } from './cards.ts'
import type { BotDeps, Ctx } from './context.ts'
import { readTextFile, textFileLimit } from './text-file.ts'

/** Strings only: the plugin stores them as JSON. */
export interface AskArgs {
  readonly draftId: string
  readonly modelId: string
  readonly fieldName: string
  readonly userId: string
  readonly locale: Locale
}

export const askName = 'ask'

export function createAsk(deps: BotDeps) {
  return async function ask(
    conversation: Conversation<Ctx, Context>,
    ctx: Context,
    args: AskArgs,
  ): Promise<void> {
    const say = deps.texts(args.locale)
    await putQuestion(deps, ctx, args, say)
    const asked = conversation.checkpoint()
    const reply = await conversation.wait()
    if (!reply.message) return conversation.skip({ next: true })
    const text = reply.message.text ?? (await textOfFile(deps, conversation, reply))
    if (text === undefined) {
      await reply.reply(say.html('ask-text-please'), { parse_mode: 'HTML' })
      return conversation.rewind(asked)
    }
    const outcome = await conversation.external(() => takeAnswer(deps, args, text, say))
    if (outcome.is === 'refused') {
      await reply.reply(outcome.html, { parse_mode: 'HTML' })
      return conversation.rewind(asked)
    }
    if (outcome.is === 'closed') {
      await reply.reply(say.html('card-closed'), { parse_mode: 'HTML' })
      return
    }
    const sent = await reply.reply(outcome.html, { parse_mode: 'HTML', reply_markup: outcome.keyboard })
    await conversation.external(() => setCard(deps.db, args.draftId, sent.message_id))
    if (outcome.oldCard !== null)
      await reply.api.deleteMessage(sent.chat.id, outcome.oldCard).catch(() => undefined)
  }
}

/** The words of a small text document; undefined for anything else. */
async function textOfFile(
  { fileRoot }: BotDeps,
  conversation: Conversation<Ctx, Context>,
  reply: Context,
): Promise<string | undefined> {
  const document = reply.message?.document
  const isText = document?.mime_type?.startsWith('text/') && (document.file_size ?? 0) <= textFileLimit
  if (!isText) return undefined
  const { file_path: filePath } = await reply.getFile()
  if (!filePath) return undefined
  const { token } = reply.api
  const read = await conversation.external(async () => ({
    text: await readTextFile({ apiRoot: fileRoot, token, filePath }),
  }))
  return read.text
}

async function putQuestion(
  deps: BotDeps,
  ctx: Context,
  { modelId, fieldName }: AskArgs,
  say: Say,
): Promise<void> {
  const field = deps.catalog.find(modelId)?.fields.find((one) => one.name === fieldName)
  const label = field ? say.label(field.label) : fieldName
  const hint = field?.hint ? say.label(field.hint) : ''
  const isPrivate = ctx.chat?.type === 'private'
  await ctx.reply(say.html('ask', { label, hint }), {
    parse_mode: 'HTML',
    reply_markup: isPrivate
      ? new InlineKeyboard().text(say.plain('button-stop-asking'), 'k')
      : { force_reply: true, selective: true },
  })
}

/** JSON-safe, since the conversation stores it. */
type Taken =
  | { readonly is: 'refused'; readonly html: string }
  | { readonly is: 'closed' }
  | {
      readonly is: 'taken'
      readonly html: string
      readonly keyboard: Keyboard
      readonly oldCard: number | null
    }
type Keyboard = Pick<InlineKeyboard, 'inline_keyboard'>

async function takeAnswer(deps: BotDeps, args: AskArgs, text: string, say: Say): Promise<Taken> {
  const userId = BigInt(args.userId)
  const answered = await answerDraft(deps, args.draftId, userId, args.fieldName, text)
  if (!answered.ok) {
    if (answered.reason === 'closed') return { is: 'closed' }
    return { is: 'refused', html: refusalText(say, answered.refusal) }
  }
  const { html, keyboard } = await viewDraft(deps, answered.draft, say)
  const { inline_keyboard } = keyboard
  return { is: 'taken', html, keyboard: { inline_keyboard }, oldCard: answered.draft.cardMessageId }
}
