// The question for one field, and its conversation: it takes the answer, explains a refusal and asks again, or writes the draft and shows
// the card. Everything that must survive is in the draft row; the stored state stays small, since each refusal is rewound.

import { type Context, InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import type { Answers, Field } from '../../catalog/field.ts'
import { codePoints } from '../../catalog/fields.ts'
import { settingAt, whyUnfit } from '../../form/fit.ts'
import { counterpartIn } from '../../form/switch.ts'
import { type Draft, findDraft } from '../../orders/drafts.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { type BotDeps, type Ctx, reply } from '../context.ts'
import { noteKind } from '../notes.ts'
import { type Asker, actOutside, type BotConversation, putQuestion, waitForAnswer } from '../question.ts'
import { filesGiven, labelOf, refusalText, titleOf } from './answer-text.ts'
import { answerByMessage, inputIn, roomFor } from './answers.ts'
import { sendCard } from './cards.ts'
import { samplesFor } from './samples.ts'
import { modelOf } from './switch-model.ts'
import { addCopy, offerText, offerTyped, suggestionOffers } from './unfit.ts'

type Rows = InlineKeyboardMarkup['inline_keyboard']

interface AskArgs extends Asker {
  readonly draftId: string
  readonly modelId: string
  readonly fieldName: string
  /** Name of a toggle that the answer switches on. */
  readonly turnsOn?: string
  readonly html: string
  /** The buttons in a private chat. In a group the question opens the reply field. */
  readonly rows?: Rows
  /** The button above them that rewrites the words of the command; an answer that is refused has its own. */
  readonly offer?: Rows
  /** The message with the picture that is animated; in a private chat the question replies to it. */
  readonly about?: number
}

export const askName = 'ask'

export const fieldQuestion = noteKind(
  'field-question',
  z.strictObject({ draftId: z.string(), fieldName: z.string(), turnsOn: z.string().exactOptional() }),
)

export function createAsk(deps: BotDeps) {
  return async function ask(conversation: BotConversation, ctx: Context, args: AskArgs): Promise<void> {
    const { draftId, fieldName, turnsOn, rows, offer = [], html, about } = args
    const say = deps.texts(args.locale)
    const what = { draftId, fieldName, ...(turnsOn === undefined ? {} : { turnsOn }) }
    const asked = { kind: fieldQuestion, userId: BigInt(args.userId), about: what }
    const put = (to: Context, text: string, buttons: Rows | undefined) =>
      putQuestion(deps, conversation, to, asked, {
        html: text,
        say,
        about,
        keyboard: buttons && { inline_keyboard: buttons },
      })
    const first = await put(ctx, html, rows && [...offer, ...rows])
    const start = conversation.checkpoint()
    const answer = await waitForAnswer(deps, conversation, asked, first)
    const again = await actOutside(conversation, (now) => takeReply(deps, now, args, answer.message))
    if (!again) return
    await put(answer.ctx, again.html, again.rows)
    return conversation.rewind(start)
  }
}

/** JSON-safe: the conversation stores it. */
interface Again {
  readonly html: string
  readonly rows?: Rows
}

/** @returns what is asked next; null when the question is answered */
async function takeReply(
  deps: BotDeps,
  ctx: Ctx,
  { draftId, userId, modelId, fieldName, turnsOn, rows }: AskArgs,
  message: Message,
): Promise<Again | null> {
  const { say, api } = ctx
  const closed = async () => {
    await reply(ctx, say.html('card-closed'))
    return null
  }
  const done = async (draft: Draft, above: readonly string[]) => {
    await sendCard(deps, api, draft, say, { at: 'main' }, above)
    return null
  }
  const draft = await findDraft(deps.db, draftId, BigInt(userId))
  if (draft?.state !== 'open') return closed()
  const asked = deps.catalog.find(modelId)?.fields.find(({ name }) => name === fieldName)
  // The card may have been switched to a model whose field has another name, or that has no field for the answer.
  const field = asked && counterpartIn(modelOf(deps, draft), asked)
  if (!field)
    return done(draft, [say.html('answer-not-needed', { model: say.label(modelOf(deps, draft).label) })])
  const also = turnsOn === undefined ? {} : { [turnsOn]: true }
  const input = await inputIn(deps, field, message)
  const told = await answerByMessage(deps, draft, field, message, input, say, also)
  if (told.is === 'closed') return closed()
  const enough = [[InlineKeyboard.text(say.plain('button-enough'), taps.showCard.data())]]
  if (told.is === 'refused') {
    const last = field.kind === 'media' && draft.answers[field.name] !== undefined ? enough : rows
    return { html: told.html, ...(rows && last ? { rows: [...told.offer, ...last] } : {}) }
  }
  const room = roomFor(told.draft, field)
  if (!room) return done(told.draft, told.remarks)
  // A file was taken, and the field takes more.
  return { html: [...told.remarks, say.html('ask-more-files', room)].join('\n\n'), rows: enough }
}

/** Asks for a field. @param turnsOn a toggle that the answer switches on */
export async function askField(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  fieldName: string,
  turnsOn?: string,
): Promise<void> {
  const { id: draftId, modelId, userId } = draft
  const model = modelOf(deps, draft)
  const answers = turnsOn === undefined ? draft.answers : { ...draft.answers, [turnsOn]: true }
  const field = settingAt(model, model.complete(answers), fieldName)?.field
  if (!field) return
  await ctx.conversation.enter(askName, {
    ...{ draftId, modelId, fieldName, userId: String(userId), locale: ctx.say.locale },
    ...(turnsOn === undefined ? {} : { turnsOn }),
    ...(field.audience === 'asked'
      ? await promptQuestion(deps, ctx, draft, { field, answers, turnsOn })
      : fieldQuestionOf(ctx, draft, field)),
  } satisfies AskArgs)
}

type Question = Pick<AskArgs, 'html' | 'rows' | 'offer' | 'about'>

function fieldQuestionOf({ say, chat }: Ctx, { answers }: Draft, field: Field): Question {
  const was = answers[field.name]
  const html = questionLines(field, say, typeof was === 'string' ? was : '').join('\n\n')
  return { html, ...(chat?.type === 'private' ? { rows: [[stopButton(say)]] } : {}) }
}

interface Prompt {
  readonly field: Field
  readonly answers: Answers
  readonly turnsOn: string | undefined
}

/** The question for a prompt says what is made, of which files, and what was wrong with the words of a command. */
async function promptQuestion(
  deps: BotDeps,
  ctx: Ctx,
  draft: Draft,
  { field, answers, turnsOn }: Prompt,
): Promise<Question> {
  const { say, message } = ctx
  const model = modelOf(deps, draft)
  const kept = draft.unfitPrompt
  const was = String(draft.answers[field.name] ?? kept ?? '')
  const refusal = kept === null ? undefined : whyUnfit(model, answers, kept)
  const [example] = was === '' ? samplesFor(deps, model, answers, say) : []
  const files = filesGiven(model, draft.answers, say, field)
  const above = [titleOf(model, say), ...files].join('\n')
  const lines = questionLines(field, say, was, refusal && refusalText(say, refusal, field), example)
  const about = files.length > 0 ? messageWithFile(ctx) : undefined
  const question = { html: [above, ...lines].join('\n\n'), ...(about === undefined ? {} : { about }) }
  if (ctx.chat?.type !== 'private') return question
  const isOffered = refusal && message
  const offer = isOffered ? await offerTyped(deps, draft, field.name, message, was, say) : []
  return { ...question, offer, rows: await promptRows(deps, say, draft, was, turnsOn, example) }
}

/** Code points of the longest present answer that fits into a message beside the question. */
const longestShown = 3000

function questionLines(field: Field, say: Say, was: string, why?: string, example?: string): string[] {
  const label = labelOf(field, say)
  const hint = field.hint ? say.label(field.hint) : ''
  if (field.kind === 'media') return [say.html(`ask-${field.media[0] ?? 'image'}`, { label, hint })]
  const isShown = was !== '' && codePoints(was) <= longestShown
  return [
    why === undefined
      ? say.html('ask', { label, hint })
      : say.html('ask-corrected', { label, why: { html: why } }),
    ...(isShown ? [say.html('ask-was', { was })] : []),
    ...(example === undefined ? [] : [say.html('ask-example', { example })]),
  ]
}

const stopButton = (say: Say) => InlineKeyboard.text(say.plain('button-stop-asking'), taps.stopAsking.data())

/** A prompt can be answered last: some models need none beside a picture or a style. */
async function promptRows(
  deps: BotDeps,
  say: Say,
  draft: Draft,
  was: string,
  turnsOn: string | undefined,
  example: string | undefined,
): Promise<Rows> {
  const keyboard = new InlineKeyboard()
  if (turnsOn !== undefined && was !== '')
    keyboard.text(say.plain('button-keep-text'), taps.keepText.data()).row()
  else addCopy(keyboard, say, was)
  const offers = turnsOn === undefined ? [] : await suggestionOffers(deps, draft)
  for (const lyrics of offers.filter(({ rewriting }) => rewriting.to === 'lyrics')) {
    const data = taps.suggest.data({ draftId: draft.id, rewriting: 'lyrics' })
    keyboard.text(offerText(lyrics, say), data).row()
  }
  if (example !== undefined) {
    keyboard.text(say.plain('button-sample'), taps.takeSample.data({ which: 'shown' }))
    keyboard.text(say.plain('button-surprise'), taps.takeSample.data({ which: 'any' })).row()
  }
  if (turnsOn === undefined) keyboard.text(say.plain('button-settings-first'), taps.showCard.data()).row()
  return keyboard.add(stopButton(say)).inline_keyboard
}

/** The message with the file: the one of the command or of the tapped button, or the one that it replies to. */
function messageWithFile({ message, callbackQuery }: Ctx): number | undefined {
  const near = message ?? callbackQuery?.message
  const replied = near && 'reply_to_message' in near ? near.reply_to_message : undefined
  const hasFile = (one: typeof near) => one && ('photo' in one || 'video' in one || 'document' in one)
  return [near, replied].find(hasFile)?.message_id
}
