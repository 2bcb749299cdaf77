// The guide: asks for one setting of a draft after another. Its message is edited by taps and sent again below words and files.

import type { Context, InlineKeyboard, MiddlewareFn } from 'grammy'
import type { Message } from 'grammy/types'
import { z } from 'zod'
import type { Field } from '../../catalog/field.ts'
import type { Drawn } from '../../form/card-data.ts'
import type { Setting } from '../../form/fit.ts'
import { type Draft, dropDraft, findDraft } from '../../orders/drafts.ts'
import { type MessageRef, readNote } from '../../telegram/message-notes.ts'
import { removeMessage } from '../../telegram/send.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import { alert, answerTap, type BotDeps, type Ctx, deleteTapped, redraw, reply, send } from '../context.ts'
import { enteredWith } from '../conversation-storage.ts'
import { repliedTo } from '../notes.ts'
import { type Asker, type BotConversation, guideName, sayNow, waitForAnswer } from '../question.ts'
import type { Routes } from '../routes.ts'
import { droppedPlain } from './answer-text.ts'
import { answerByMessage, answerDraft, type Input, inputIn, roomFor, writeAnswer } from './answers.ts'
import { onCardTap, viewDraft } from './cards.ts'
import {
  drawnOf,
  firstStep,
  guideStep,
  isAdvanced,
  leaveGuide,
  openGuideOf,
  setStep,
  stepAfter,
  stepBefore,
  stepOf,
  stepsOf,
  viewStep,
} from './guide-steps.ts'
import { meantKey } from './match.ts'
import { modelOf, switchModel } from './switch-model.ts'

export const guide = (deps: BotDeps): Routes => ({
  taps: [
    onCardTap(deps, taps.guide, async (ctx, draft) => {
      await answerTap(ctx)
      await show(deps, ctx, draft, await viewOf(deps, draft, firstStep(await drawnOf(deps, draft)), ctx.say))
    }),
    onStepTap(deps, taps.guideSet, (ctx, draft, { step, value }) => set(deps, ctx, draft, step, value)),
    onStepTap(deps, taps.guideClear, (ctx, draft, { step }) => clear(deps, ctx, draft, step)),
    onStepTap(deps, taps.guideGo, (ctx, draft, { way, step }) => go(deps, ctx, draft, way, step)),
    // Guides of earlier versions asked for the model.
    onCardTap(deps, taps.guideModel, async (ctx, draft, { modelId }) => {
      const switched = await switchModel(deps, draft, modelId)
      if (!switched) return alert(ctx, ctx.say.plain('stale-option'))
      await answerTap(ctx, droppedPlain(ctx.say, switched.dropped))
      await show(deps, ctx, switched.draft, await viewOf(deps, switched.draft, undefined, ctx.say))
    }),
    onCardTap(deps, taps.guideDone, async (ctx, draft) => {
      await answerTap(ctx)
      await show(deps, ctx, draft, await viewOf(deps, draft, undefined, ctx.say))
    }),
    onCardTap(deps, taps.guideDrop, (ctx, draft) => drop(deps, ctx, draft)),
    onCardTap(deps, taps.dropDraft, (ctx, draft) => drop(deps, ctx, draft)),
  ],
})

const alertPassed = (ctx: Ctx): Promise<void> => answerTap(ctx, ctx.say.plain('guide-step-passed'))

async function drop(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  await stopWaiting(ctx, draft)
  await dropDraft(deps.db, draft.id, deps.clock.now())
  await answerTap(ctx, ctx.say.plain('card-dropped'))
  await deleteTapped(ctx)
}

/** Handles a tap on the step at which the guide stands. */
function onStepTap<Args extends { draftId: string; step: string }>(
  deps: BotDeps,
  tap: Tap<Args>,
  handle: (ctx: Ctx, draft: Draft, args: Args) => Promise<void>,
) {
  return onCardTap(deps, tap, async (ctx, draft, args) => {
    if ((await stepOf(deps, draft)) !== args.step) return alertPassed(ctx)
    await handle(ctx, draft, args)
  })
}

/** Edits the tapped message into this step, or into the card. */
async function show(deps: BotDeps, ctx: Ctx, draft: Draft, { html, keyboard, step }: View): Promise<void> {
  const message = ctx.callbackQuery?.message
  if (!message) return
  await (step === undefined ? leaveGuide(deps, draft, message) : setStep(deps, draft, message, step))
  await redraw(ctx, html, keyboard)
  await (step === undefined ? stopWaiting(ctx, draft) : waitForWords(ctx, draft))
}

async function settingAtStep(deps: BotDeps, draft: Draft, name: string) {
  return stepsOf(await drawnOf(deps, draft), true).find(({ page }) => page === name)
}

async function set(deps: BotDeps, ctx: Ctx, draft: Draft, step: string, value: string): Promise<void> {
  const setting = await settingAtStep(deps, draft, step)
  if (!setting) return alertPassed(ctx)
  const { field } = setting
  const answered = await answerDraft(deps, draft.id, draft.userId, field.name, { tapped: value })
  if (!answered.ok) return alert(ctx, ctx.say.plain('stale-option'))
  await answerTap(ctx)
  const isMany = field.kind === 'text' && field.many
  const view = isMany
    ? await viewOf(deps, answered.draft, setting, ctx.say)
    : await viewAfter(deps, answered.draft, step, ctx.say)
  await show(deps, ctx, answered.draft, view)
}

async function clear(deps: BotDeps, ctx: Ctx, draft: Draft, step: string): Promise<void> {
  const setting = await settingAtStep(deps, draft, step)
  if (!setting) return alertPassed(ctx)
  const cleared = await writeAnswer(deps, draft, modelOf(deps, draft), setting.field, {})
  if (!cleared.ok) return alertPassed(ctx)
  await answerTap(ctx)
  await show(deps, ctx, cleared.draft, await viewOf(deps, cleared.draft, setting, ctx.say))
}

/** Goes to the next step, back, or on to the advanced settings. */
async function go(deps: BotDeps, ctx: Ctx, draft: Draft, way: 'n' | 'b' | 'v', step: string): Promise<void> {
  await answerTap(ctx)
  if (way === 'n') return show(deps, ctx, draft, await viewAfter(deps, draft, step, ctx.say))
  const drawn = await drawnOf(deps, draft)
  const other = way === 'b' ? stepBefore(drawn, step) : stepAfter(drawn, step, true)
  await show(deps, ctx, draft, await viewOf(deps, draft, other, ctx.say))
}

/** At least three words, or a question. */
const request = /\S\s+\S+\s+\S|\?\s*$/

/** Whether words typed at a step with options mean none of them, and are rather a prompt or a question. */
export async function isAside(deps: BotDeps, draft: Draft, step: string, words: string): Promise<boolean> {
  const drawn = await drawnOf(deps, draft)
  const field = stepsOf(drawn, true).find(({ page }) => page === step)?.field
  if (field?.kind !== 'choice' && field?.kind !== 'toggle') return false
  return request.test(words) && meantKey(deps.texts, drawn, field, [], words) === undefined
}

/** A reply to the message of the current step answers it, whatever has happened since. A reply to an earlier step answers nothing. */
export const repliesToSteps =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { message, user, say } = ctx
    const isCommand = message !== undefined && wordsIn(message).startsWith('/')
    const replied = message && !isCommand ? repliedTo(message) : undefined
    const note = replied && (await readNote(deps, replied, user.id, guideStep))
    if (!message || !note || note.step === null) return next()
    const { draftId } = note
    const draft = await findDraft(deps.db, draftId, user.id)
    const isCurrent = draft?.cardMessageId === replied.message_id
    if (!isCurrent || !(await answerStep(deps, ctx, draft, message)))
      return reply(ctx, say.html('question-closed'))
  }

/** Takes a message as the answer to the step at which the guide stands. @returns false when the guide has ended */
export async function answerStep(deps: BotDeps, ctx: Ctx, draft: Draft, message: Message): Promise<boolean> {
  const { id: draftId, userId } = draft
  const view = await takeReply(deps, { draftId, userId }, message, ctx.say)
  if (!view) return false
  await noteGuideMessage(deps, { draftId, userId: String(userId) }, await showBelow(ctx, view), view)
  await (view.step === undefined ? stopWaiting(ctx, draft) : waitForWords(ctx, draft))
  return true
}

// The guide as a conversation: it waits for the words and files that answer the step of the guide. Its stored state does not grow:
// after each answer it is rewound to its beginning.

interface GuideArgs extends Asker {
  readonly draftId: string
}

export function createGuide(deps: BotDeps) {
  return async function guide(conversation: BotConversation, _: Context, args: GuideArgs): Promise<void> {
    const { draftId } = args
    const userId = BigInt(args.userId)
    const start = conversation.checkpoint()
    const step = await conversation.external(
      async () => (await openGuideOf(deps, draftId, userId))?.step ?? null,
    )
    if (step === null) return
    const asked = { kind: guideStep, userId, about: { draftId, step } }
    const { ctx, message } = await waitForAnswer(deps, conversation, asked)
    const say = await sayNow(deps, conversation)
    const view = await conversation.external(
      async () => (await takeReply(deps, { draftId, userId }, message, say)) ?? null,
    )
    if (!view) {
      await send(ctx, say.html('card-closed'))
      return
    }
    const sent = await showBelow(ctx, view)
    await conversation.external(() => noteGuideMessage(deps, args, sent, view))
    if (view.step !== undefined) return conversation.rewind(start)
  }
}

/** Sends the step below what was typed and deletes the message of the step before. */
async function showBelow(ctx: Context, { html, keyboard, old }: View) {
  const { chat, message_id } = await send(ctx, html, keyboard)
  if (old !== null) await removeMessage(ctx.api, chat.id, old)
  return { chat: { id: chat.id }, message_id }
}

/** Notes the message as the draft's, with its step. */
async function noteGuideMessage(
  deps: BotDeps,
  { draftId, userId }: Pick<GuideArgs, 'draftId' | 'userId'>,
  sent: MessageRef,
  { step }: View,
): Promise<void> {
  const draft = await findDraft(deps.db, draftId, BigInt(userId))
  if (!draft) return
  await (step === undefined ? leaveGuide(deps, draft, sent) : setStep(deps, draft, sent, step))
}

/** Enters the conversation in which words and files of the user answer the step. */
const waitForWords = (ctx: Ctx, draft: Draft): Promise<void> =>
  ctx.conversation.enter(guideName, argsOf(ctx, draft))

const waiting = z.tuple([z.looseObject({ draftId: z.string() })])

/** Leaves the conversation if it waits for answers to this draft: the guide of another draft goes on waiting. */
export async function stopWaiting(ctx: Ctx, draft: Draft): Promise<void> {
  const [args] = waiting.safeParse(enteredWith(ctx, guideName)).data ?? []
  if (args?.draftId === draft.id) await ctx.conversation.exit(guideName)
}

const argsOf = (ctx: Ctx, { id, userId }: Draft): GuideArgs => ({
  draftId: id,
  userId: String(userId),
  locale: ctx.say.locale,
})

// A message that answers a step of the guide: words that mean an option, other words, or a file.

/** JSON-safe: the conversation stores it. */
interface View {
  readonly html: string
  readonly keyboard: Pick<InlineKeyboard, 'inline_keyboard'>
  /** The name of the step; undefined when the message is the card. */
  readonly step?: string
  /** The message that this one replaces. */
  readonly old: number | null
}

/** @returns undefined when the draft is closed, or its message is no longer a step */
async function takeReply(
  deps: BotDeps,
  { draftId, userId }: { readonly draftId: string; readonly userId: bigint },
  message: Message,
  say: Say,
): Promise<View | undefined> {
  const open = await openGuideOf(deps, draftId, userId)
  if (!open) return undefined
  const { draft } = open
  const drawn = await drawnOf(deps, draft)
  const step = stepsOf(drawn, true).find(({ page }) => page === open.step)
  return step ? answerField(deps, drawn, draft, step, message, say) : viewAfter(deps, draft, open.step, say)
}

async function answerField(
  deps: BotDeps,
  drawn: Drawn,
  draft: Draft,
  step: Setting,
  message: Message,
  say: Say,
): Promise<View | undefined> {
  const { field, page } = step
  const input = await inputOf(deps, drawn, field, message)
  const told = await answerByMessage(deps, draft, field, message, input, say)
  if (told.is === 'closed') return undefined
  if (told.is === 'refused') {
    const isChoice = told.refusal?.reason === 'not-an-option'
    const why = isChoice ? say.html('guide-no-such-option') : told.html
    const view = await viewOf(deps, draft, step, say, why)
    return { ...view, keyboard: { inline_keyboard: [...told.offer, ...view.keyboard.inline_keyboard] } }
  }
  const remarks = told.remarks.join('\n')
  if (roomFor(told.draft, field)) return viewOf(deps, told.draft, step, say, remarks)
  return viewAfter(deps, told.draft, page, say, remarks)
}

/** Reads words that mean an option as that option, and other words as an answer of their own. */
async function inputOf(
  deps: BotDeps,
  drawn: Drawn,
  field: Field,
  message: Message,
): Promise<Input | undefined> {
  const input = await inputIn(deps, field, message)
  if (!input || !('typed' in input)) return input
  const key = meantKey(deps.texts, drawn, field, drawn.offers[field.name] ?? [], input.typed)
  return key === undefined ? input : { tapped: key }
}

/** Shows the step after this one, or the card. */
async function viewAfter(
  deps: BotDeps,
  draft: Draft,
  name: string,
  say: Say,
  remark?: string,
): Promise<View> {
  const drawn = await drawnOf(deps, draft)
  const next = stepAfter(drawn, name, isAdvanced(drawn, name))
  return viewOf(deps, draft, next, say, remark)
}

async function viewOf(
  deps: BotDeps,
  draft: Draft,
  step: Setting | undefined,
  say: Say,
  remark = '',
): Promise<View> {
  const old = draft.cardMessageId
  if (!step) {
    const { html, keyboard } = await viewDraft(deps, draft, say)
    const above = remark === '' ? '' : `${remark}\n\n`
    return { html: above + html, keyboard: { inline_keyboard: keyboard.inline_keyboard }, old }
  }
  const drawn = await drawnOf(deps, draft)
  const { html, keyboard } = viewStep({ deps, draft, drawn, step, say }, remark)
  return { html, keyboard: { inline_keyboard: keyboard.inline_keyboard }, step: step.page, old }
}
