// The conversation about one field: asks for the answer, explains a refusal and asks again, writes the draft, shows the card.
// Everything that must survive is in the draft row; the stored state stays small, since each refusal is rewound.

import { type Context, InlineKeyboard } from 'grammy'
import type { Message } from 'grammy/types'
import { type Field, isUserField } from '../../catalog/field.ts'
import { codePoints } from '../../catalog/fields.ts'
import { findDraft } from '../../orders/drafts.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type BotDeps, send } from '../context.ts'
import { type Asker, type BotConversation, putQuestion, sayNow, waitForAnswer } from '../question.ts'
import { answerByMessage, inputIn, roomFor } from './answers.ts'
import { type Ending, endWithCard, sendEnding } from './cards.ts'
import { fieldQuestion, modelOf, presentField } from './switch-model.ts'
import { addCopy, offerTyped } from './unfit.ts'

export interface AskArgs extends Asker {
  readonly draftId: string
  readonly modelId: string
  readonly fieldName: string
  /** The field's name beside the other answers, and its hint; by default those of the field. */
  readonly label?: string
  readonly hint?: string
  /** HTML that says why the present answer must be corrected; it replaces the hint. */
  readonly why?: string
  /** The present answer, for a button that copies it. */
  readonly was?: string
  /** Name of a toggle that the answer switches on. */
  readonly turnsOn?: string
  /** HTML above the question for a prompt: what is made, and the files that were given for it. */
  readonly above?: string
  /** A ready prompt, which one tap takes. */
  readonly example?: string
  /** The button that has a text model write the lyrics, with its price. */
  readonly lyrics?: string
  /** The message with the picture that is animated; in a private chat the question replies to it. */
  readonly about?: number
}

export const askName = 'ask'

export function createAsk(deps: BotDeps) {
  return async function ask(conversation: BotConversation, ctx: Context, args: AskArgs): Promise<void> {
    const fields = deps.catalog.find(args.modelId)?.fields.filter(isUserField)
    const field = fields?.find(({ name }) => name === args.fieldName)
    if (!field) return
    const { draftId, fieldName, turnsOn } = args
    const about = turnsOn === undefined ? { draftId, fieldName } : { draftId, fieldName, turnsOn }
    const asked = { kind: fieldQuestion, userId: BigInt(args.userId), about }
    const put = (to: Context, say: Say, html: string, keyboard?: Keyboard) =>
      putQuestion(deps, conversation, to, asked, { html, say, keyboard, about: args.about })
    const atFirst = deps.texts(args.locale)
    const kept = await conversation.external(() => offerKept(deps, args, ctx.message, atFirst))
    const keyboard = withOffer(kept, questionKeyboard(ctx, field, atFirst, args), atFirst)
    const first = await put(ctx, atFirst, questionText(field, atFirst, args), keyboard)
    const start = conversation.checkpoint()
    const reply = await waitForAnswer(deps, conversation, asked, first)
    const say = await sayNow(deps, conversation)
    const outcome = await conversation.external(() => takeReply(deps, args, field, reply.message, say))
    switch (outcome.is) {
      case 'refused':
      case 'more':
        await put(
          reply.ctx,
          say,
          outcome.html,
          outcome.keyboard ??
            withOffer(outcome.offer, questionKeyboard(ctx, field, say, { ...args, was: '' }), say),
        )
        return conversation.rewind(start)
      case 'closed':
        await send(reply.ctx, say.html('card-closed'))
        return
      case 'taken':
        return sendEnding(deps, conversation, reply.ctx, draftId, outcome.ending)
    }
  }
}

/**
 * Offers to set the settings first: some models need no prompt beside a picture or a style.
 * @returns undefined for the usual keyboard
 */
function questionKeyboard(
  ctx: Context,
  field: Field,
  say: Say,
  { draftId, was = '', turnsOn, example, lyrics }: AskArgs,
): Keyboard | undefined {
  if (field.audience !== 'asked' || ctx.chat?.type !== 'private') return undefined
  const keyboard = new InlineKeyboard()
  const isKept = turnsOn !== undefined && was !== ''
  if (isKept) keyboard.text(say.plain('button-keep-text'), taps.keepText.data()).row()
  else addCopy(keyboard, say, was)
  if (lyrics !== undefined) keyboard.text(lyrics, taps.suggest.data({ draftId, rewriting: 'lyrics' })).row()
  if (example !== undefined) {
    keyboard.text(say.plain('button-sample'), taps.takeSample.data({ which: 'shown' }))
    keyboard.text(say.plain('button-surprise'), taps.takeSample.data({ which: 'any' })).row()
  }
  if (turnsOn === undefined) keyboard.text(say.plain('button-settings-first'), taps.showCard.data()).row()
  const { inline_keyboard } = keyboard.text(say.plain('button-stop-asking'), taps.stopAsking.data())
  return { inline_keyboard }
}

/** The rows that offer to rewrite the prompt that a command has brought and the model refuses. */
async function offerKept(
  deps: BotDeps,
  { draftId, userId, fieldName, why }: AskArgs,
  message: Message | undefined,
  say: Say,
): Promise<Rows> {
  const draft = why === undefined ? undefined : await findDraft(deps.db, draftId, BigInt(userId))
  if (!message || !draft || draft.unfitPrompt === null) return []
  return offerTyped(deps, draft, fieldName, message, draft.unfitPrompt, say)
}

/** @param offer rows above the usual ones */
function withOffer(offer: Rows, usual: Keyboard | undefined, say: Say): Keyboard | undefined {
  if (offer.length === 0) return usual
  const { inline_keyboard } = new InlineKeyboard().text(
    say.plain('button-stop-asking'),
    taps.stopAsking.data(),
  )
  return { inline_keyboard: [...offer, ...(usual?.inline_keyboard ?? inline_keyboard)] }
}

/** Code points of the longest present answer that fits into a message beside the question. */
const longestShown = 3000

function questionText(field: Field, say: Say, { was = '', why, above, example, ...called }: AskArgs): string {
  const { label = say.label(field.label), hint = field.hint ? say.label(field.hint) : '' } = called
  if (field.kind === 'media') return say.html(`ask-${field.media[0] ?? 'image'}`, { label, hint })
  const asked = why
    ? say.html('ask-corrected', { label, why: { html: why } })
    : say.html('ask', { label, hint })
  const isShown = was !== '' && codePoints(was) <= longestShown
  return [
    ...(above === undefined ? [] : [above]),
    asked,
    ...(isShown ? [say.html('ask-was', { was })] : []),
    ...(example === undefined ? [] : [say.html('ask-example', { example })]),
  ].join('\n\n')
}

/** JSON-safe: the conversation stores it. */
type Taken =
  | { readonly is: 'refused'; readonly html: string; readonly offer: Rows; readonly keyboard?: undefined }
  | { readonly is: 'closed' }
  /** A file was taken, and the field takes more. */
  | { readonly is: 'more'; readonly html: string; readonly keyboard: Keyboard }
  | { readonly is: 'taken'; readonly ending: Ending }
type Keyboard = Pick<InlineKeyboard, 'inline_keyboard'>
type Rows = Keyboard['inline_keyboard']

/** @param asked the field of the model that the card had when the question was asked */
async function takeReply(
  deps: BotDeps,
  args: AskArgs,
  asked: Field,
  message: Message,
  say: Say,
): Promise<Taken> {
  const draft = await findDraft(deps.db, args.draftId, BigInt(args.userId))
  if (draft?.state !== 'open') return { is: 'closed' }
  const field = presentField(deps, draft, asked)
  // The card was switched to a model that has no field for the answer.
  if (!field) {
    const model = say.label(modelOf(deps, draft).label)
    return {
      is: 'taken',
      ending: await endWithCard(deps, draft, say, say.html('answer-not-needed', { model })),
    }
  }
  const also = args.turnsOn === undefined ? {} : { [args.turnsOn]: true }
  const input = await inputIn(deps, field, message)
  const told = await answerByMessage(deps, draft, field, message, input, say, also)
  if (told.is === 'closed') return told
  if (told.is === 'refused') return { is: 'refused', html: told.html, offer: told.offer }
  const room = roomFor(told.draft, field)
  if (!room)
    return { is: 'taken', ending: await endWithCard(deps, told.draft, say, told.remarks.join('\n\n')) }
  const html = [...told.remarks, say.html('ask-more-files', room)].join('\n\n')
  const { inline_keyboard } = new InlineKeyboard().text(say.plain('button-enough'), taps.showCard.data())
  return { is: 'more', html, keyboard: { inline_keyboard } }
}
