// Taps of the guide, and replies to a step for which no conversation waits any more. The message is edited from step to step.

import { Composer } from 'grammy'
import type { Message } from 'grammy/types'
import { type Draft, dropDraft, findDraft } from '../../../orders/drafts.ts'
import { readNote } from '../../../telegram/message-notes.ts'
import { type Tap, taps } from '../../../telegram/taps.ts'
import { wordsIn } from '../../../telegram/words.ts'
import type { BotDeps, Ctx } from '../../context.ts'
import { repliedTo } from '../../notes.ts'
import { alert, answerTap, deleteTapped, redraw, reply } from '../../responses.ts'
import { droppedPlain } from '../answer-text.ts'
import { answerDraft, writeAnswer } from '../cards.ts'
import { switchModel } from '../switch-model.ts'
import { onCardTap } from '../tapped.ts'
import { noteGuideMessage, showBelow, stopWaiting, waitForWords } from './conversation.ts'
import { takeReply, type View, viewAfter, viewOf } from './reply.ts'
import {
  drawnOf,
  firstStep,
  guideStep,
  leaveGuide,
  modelStep,
  type Step,
  setStep,
  stepAfter,
  stepBefore,
  stepOf,
  stepsOf,
} from './steps.ts'

export function guide(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onCardTap(deps, composer, taps.guide, async (ctx, draft) => {
    await answerTap(ctx)
    await show(deps, ctx, draft, await viewOf(deps, draft, firstStep(await drawnOf(deps, draft)), ctx.say))
  })
  onStepTap(deps, composer, taps.guideSet, (ctx, draft, { step, value }) =>
    set(deps, ctx, draft, step, value),
  )
  onStepTap(deps, composer, taps.guideClear, (ctx, draft, { step }) => clear(deps, ctx, draft, step))
  onStepTap(deps, composer, taps.guideGo, (ctx, draft, { way, step }) => go(deps, ctx, draft, way, step))
  onCardTap(deps, composer, taps.guideModel, async (ctx, draft, { modelId }) => {
    if ((await stepOf(deps, draft)) !== modelStep) return alertPassed(ctx)
    const switched = await switchModel(deps, draft, modelId)
    if (!switched) return alert(ctx, ctx.say.plain('stale-option'))
    await answerTap(ctx, droppedPlain(ctx.say, switched.dropped))
    await show(deps, ctx, switched.draft, await viewAfter(deps, switched.draft, modelStep, ctx.say))
  })
  onCardTap(deps, composer, taps.guideDone, async (ctx, draft) => {
    await answerTap(ctx)
    await show(deps, ctx, draft, await viewOf(deps, draft, undefined, ctx.say))
  })
  onCardTap(deps, composer, taps.guideDrop, async (ctx, draft) => {
    await stopWaiting(ctx, draft)
    await dropDraft(deps.db, draft.id, deps.clock.now())
    await answerTap(ctx, ctx.say.plain('card-dropped'))
    await deleteTapped(ctx)
  })
  composer.on('message', (ctx, next) => goOn(deps, ctx, next))
  return composer
}

const alertPassed = (ctx: Ctx): Promise<void> => answerTap(ctx, ctx.say.plain('guide-step-passed'))

/** Handles a tap on the step at which the guide stands. */
function onStepTap<Args extends { draftId: string; step: string }>(
  deps: BotDeps,
  composer: Composer<Ctx>,
  tap: Tap<Args>,
  handle: (ctx: Ctx, draft: Draft, args: Args) => Promise<void>,
): void {
  onCardTap(deps, composer, tap, async (ctx, draft, args) => {
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
  const step = stepsOf(await drawnOf(deps, draft), true).find((one) => one.name === name)
  return step?.setting
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
    ? await viewOf(deps, answered.draft, { name: step, setting }, ctx.say)
    : await viewAfter(deps, answered.draft, step, ctx.say)
  await show(deps, ctx, answered.draft, view)
}

async function clear(deps: BotDeps, ctx: Ctx, draft: Draft, step: string): Promise<void> {
  const setting = await settingAtStep(deps, draft, step)
  const model = deps.catalog.find(draft.modelId)
  if (!setting || !model) return alertPassed(ctx)
  const cleared = await writeAnswer(deps, draft, model, setting.field, {})
  if (!cleared.ok) return alertPassed(ctx)
  await answerTap(ctx)
  await show(deps, ctx, cleared.draft, await viewOf(deps, cleared.draft, { name: step, setting }, ctx.say))
}

/** Goes to the next step, back, or on to the advanced settings. */
async function go(deps: BotDeps, ctx: Ctx, draft: Draft, way: 'n' | 'b' | 'v', step: string): Promise<void> {
  await answerTap(ctx)
  if (way === 'n') return show(deps, ctx, draft, await viewAfter(deps, draft, step, ctx.say))
  const drawn = await drawnOf(deps, draft)
  const other: Step | undefined = way === 'b' ? stepBefore(drawn, step) : stepAfter(drawn, step, true)
  await show(deps, ctx, draft, await viewOf(deps, draft, other, ctx.say))
}

/** A reply to the message of the current step answers it, whatever has happened since. A reply to an earlier step answers nothing. */
async function goOn(deps: BotDeps, ctx: Ctx, next: () => Promise<void>): Promise<void> {
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
