// Taps on a card. Anybody can send any callback data about any message: the draft must be this user's and open, the message must be
// its card, the field and the value must exist, the quote must be current.

import { type Answers, defaultOf } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { trialOf } from '../../catalog/trial.ts'
import { pickKey } from '../../form/card.ts'
import type { Page } from '../../form/card-data.ts'
import { isOptional, promptField, type Setting, settingAt, textAskedBy } from '../../form/fit.ts'
import { readBalance } from '../../ledger/ledger.ts'
import type { Kopecks } from '../../money.ts'
import { confirm, findQuotedDraft, type Ordered, type QuotedDraft, quoteDraft } from '../../orders/confirm.ts'
import { orderOf } from '../../orders/deliver/job.ts'
import { createDraft, type Draft, dropDraft, findDraft, markAwaitingTopUp } from '../../orders/drafts.ts'
import type { Generation } from '../../orders/generation.ts'
import { cancelHeld } from '../../orders/settle.ts'
import type { OverLimit } from '../../sales/limits.ts'
import { sendInto } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { hashOfPerson } from '../../users/user.ts'
import { isOperator } from '../admin/operator.ts'
import {
  cardFundsOf,
  type GroupRefusal,
  groupRefusal,
  missingText,
  type NotMember,
  notMember,
  offerTopUp,
  setPayer,
} from '../balance.ts'
import { askConsent, type NoConsent, needsConsent, noConsent } from '../basics/consent.ts'
import { alert, answerTap, type BotDeps, type Ctx, deleteTapped, reply } from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import { answerDraft, type Input, optionsOf, takeSettings, writeAnswer } from './answers.ts'
import { askField, fieldQuestion } from './ask.ts'
import {
  alertStaleCard,
  isCardOf,
  onCardTap,
  onTapBeside,
  render,
  sendCard,
  showChanged,
  showPage,
  startDraft,
  withTappedCard,
} from './cards.ts'
import { stopNaming } from './presets.ts'
import { samplesFor } from './samples.ts'
import { type Speech, speechOf } from './speech.ts'
import { enterStyleMaker } from './style-maker.ts'
import { modelOf, switchModel } from './switch-model.ts'

export const card = (deps: BotDeps): Routes => ({
  taps: [
    onCardTap(deps, taps.openMain, (ctx, draft) => leavePage(deps, ctx, draft, 'main')),
    onCardTap(deps, taps.openAdvanced, (ctx, draft) => leavePage(deps, ctx, draft, 'advanced')),
    onCardTap(deps, taps.openModels, (ctx, draft) => showPage(deps, ctx, draft, { at: 'models' })),
    onCardTap(deps, taps.openField, (ctx, draft, { field }) =>
      showPage(deps, ctx, draft, { at: 'field', name: field }),
    ),
    onCardTap(deps, taps.switchModel, (ctx, draft, { modelId }) => changeModel(deps, ctx, draft, modelId)),
    onCardTap(deps, taps.guideModel, (ctx, draft, { modelId }) => changeModel(deps, ctx, draft, modelId)),
    onCardTap(deps, taps.guideDone, (ctx, draft) => showPage(deps, ctx, draft, { at: 'main' })),
    onCardTap(deps, taps.dropDraft, (ctx, draft) => drop(deps, ctx, draft)),
    onCardTap(deps, taps.guideDrop, (ctx, draft) => drop(deps, ctx, draft)),
    onCardTap(deps, taps.setField, (ctx, draft, { field, value }) =>
      setValue(deps, ctx, draft, field, value),
    ),
    onCardTap(deps, taps.hearVoice, (ctx, draft, { field, value }) => hear(deps, ctx, draft, field, value)),
    onCardTap(deps, taps.clearField, (ctx, draft, { field }) => clear(deps, ctx, draft, field)),
    onCardTap(deps, taps.makeTrial, (ctx, draft) => makeTrial(deps, ctx, draft)),
    onCardTap(deps, taps.resetDraft, (ctx, draft) => reset(deps, ctx, draft)),
    onCardTap(deps, taps.askField, async (ctx, draft, { field }) => {
      await answerTap(ctx)
      await askField(deps, ctx, draft, field)
    }),
    onCardTap(deps, taps.makeStyle, async (ctx, draft, { field }) => {
      if (!deps.makesStyles) return alert(ctx, ctx.say.plain('stale-option'))
      await answerTap(ctx)
      await enterStyleMaker(ctx, draft, field)
    }),
    onCardTap(deps, taps.payBy, async (ctx, draft, { payer }) => {
      const refused = payer === 'group' ? await groupRefuses(deps, draft) : undefined
      if (refused) return alert(ctx, groupRefusal(ctx.say, refused))
      const changed = await setPayer(deps, draft, payer)
      await showChanged(deps, ctx, changed && { draft: changed })
    }),
    onTap(taps.generate, (ctx, { quoteId }) => generate(deps, ctx, quoteId)),
    onTap(taps.generateSpoken, (ctx, { quoteId, amount }) => generate(deps, ctx, quoteId, amount)),
    onTapBeside(deps, taps.showCard, fieldQuestion, async (draft) => draft),
    // The present text is the answer for which the switch was asked.
    onTapBeside(deps, taps.keepText, fieldQuestion, async (draft, { turnsOn }) =>
      turnsOn === undefined ? undefined : answered(deps, draft, turnsOn, { tapped: 'on' }),
    ),
    onTapBeside(deps, taps.takeSample, fieldQuestion, (draft, _, { which }, ctx) =>
      takeSample(deps, ctx, draft, which),
    ),
  ],
})

/** Sends the sample of a voice below the card. */
async function hear(deps: BotDeps, ctx: Ctx, draft: Draft, name: string, key: string): Promise<void> {
  const field = modelOf(deps, draft).fields.find((one) => one.name === name)
  const offers =
    field?.kind === 'text' ? await optionsOf(deps, draft.userId, modelOf(deps, draft), field) : []
  const option = offers.find((one) => pickKey(one) === key)
  const { sample } = option?.voice ?? {}
  if (!option || sample === undefined) return alert(ctx, ctx.say.plain('stale-option'))
  await answerTap(ctx)
  const caption = ctx.say.label(option.label)
  // A file id does not tell whether it is a voice message.
  await sendInto(draft, (into) =>
    ctx.api
      .sendVoice(draft.chatId, sample, { ...into, caption })
      .catch(() => ctx.api.sendAudio(draft.chatId, sample, { ...into, caption })),
  ).catch(async (error: unknown) => {
    deps.log.warn({ error, voice: option.value }, 'the sample of a voice cannot be sent')
    await reply(ctx, ctx.say.html('sample-gone'))
  })
}

async function drop(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  await dropDraft(deps.db, draft.id, deps.clock.now())
  await answerTap(ctx, ctx.say.plain('card-dropped'))
  await deleteTapped(ctx)
}

async function leavePage(deps: BotDeps, ctx: Ctx, draft: Draft, at: 'main' | 'advanced'): Promise<void> {
  await stopNaming(deps, ctx, draft)
  await showPage(deps, ctx, draft, { at })
}

/** Why the wallet of the group would not pay for the draft; undefined when it would. */
async function groupRefuses(deps: BotDeps, draft: Draft): Promise<GroupRefusal | undefined> {
  const quoted = await quoteDraft(deps, draft)
  const funds = await cardFundsOf(deps, draft, quoted.ok ? quoted.quote.amount : undefined)
  return funds.at === 'group' ? funds.refused : undefined
}

async function setValue(deps: BotDeps, ctx: Ctx, draft: Draft, page: string, value: string): Promise<void> {
  const model = modelOf(deps, draft)
  const setting = settingAt(model, model.complete(draft.answers), page)
  const { field } = setting ?? {}
  const fieldName = field?.name ?? page
  const asked = value === 'on' && field?.kind === 'toggle' ? textAskedBy(model, draft, field) : undefined
  if (asked) {
    await answerTap(ctx)
    return askField(deps, ctx, draft, asked.name, fieldName)
  }
  const answer = await answerDraft(deps, draft.id, ctx.user.id, fieldName, { tapped: value })
  await showChanged(deps, ctx, answer, pageAfter(setting, draft))
}

const changeModel = async (deps: BotDeps, ctx: Ctx, draft: Draft, modelId: string): Promise<void> =>
  showChanged(deps, ctx, await switchModel(deps, draft, modelId))

/** The page to show after an answer: the page that lists the setting, or its own page, where several options can be picked. */
function pageAfter(setting: Setting | undefined, { openPage }: Draft): Page {
  if (setting?.field.kind === 'text' && setting.field.many && openPage === setting.page)
    return { at: 'field', name: setting.page }
  return setting?.field.audience === 'advanced' ? { at: 'advanced' } : { at: 'main' }
}

/** Resets the settings; the prompt and the files stay. */
async function reset(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  const changed = await takeSettings(deps, draft, modelOf(deps, draft), {})
  const told = ctx.say.plain('settings-reset')
  await showChanged(deps, ctx, changed && { draft: changed }, { at: 'main' }, told)
}

async function makeTrial(deps: BotDeps, ctx: Ctx, draft: Draft): Promise<void> {
  const model = modelOf(deps, draft)
  const settings = { ...draft.answers, ...trialOf(model, draft.answers)?.answers }
  const changed = await takeSettings(deps, draft, model, settings)
  await showChanged(deps, ctx, changed && { draft: changed })
}

async function clear(deps: BotDeps, ctx: Ctx, draft: Draft, fieldName: string): Promise<void> {
  const model = modelOf(deps, draft)
  const field = model.fields.find((one) => one.name === fieldName)
  if (!field || (field.audience === 'asked' && !isOptional(model, field, draft.answers)))
    return alertStaleCard(ctx)
  const cleared = await writeAnswer(deps, draft, model, field, {})
  const told = ctx.say.plain(defaultOf(field) === undefined ? 'answer-cleared' : 'answer-default')
  await showChanged(deps, ctx, cleared, { at: field.audience === 'advanced' ? 'advanced' : 'main' }, told)
}

/** @param shown the price of a video and its words together */
async function generate(deps: BotDeps, ctx: Ctx, quoteId: string, shown?: Kopecks): Promise<void> {
  const quoted = await findQuotedDraft(deps, quoteId, ctx.user.id)
  if (!quoted) return alertStaleCard(ctx)
  const draft = await withTappedCard(deps, ctx, quoted.draft)
  if (!draft) return
  const ordered = await place(deps, ctx, { ...quoted, draft }, await speechOf(deps, draft), shown)
  if (!ordered.ok) return explainRefusal(deps, ctx, ordered, draft)
  await answerTap(ctx, ctx.say.plain('ordered'))
}

/**
 * Orders what the draft asks for: a video that says words waits for them, and they are ordered next; if they cannot be, the video is
 * canceled. When the update is handled again after a crash, the video may be ordered without its words.
 */
async function place(
  deps: BotDeps,
  ctx: Ctx,
  quoted: QuotedDraft,
  speech: Speech | 'unsold' | undefined,
  shown: Kopecks | undefined,
  repeats?: Wanted['repeats'],
): Promise<Ordered | NotMember | NoConsent> {
  const { quote, draft, isOrdered } = quoted
  if (!speech) return placeOrder(deps, ctx, quoted, repeats)
  if (speech === 'unsold') return { ok: false, reason: 'outdated' }
  const amount = quote.amount + speech.amount
  if (amount !== shown) return { ok: false, reason: 'outdated' }
  const missing = amount - (await readBalance(deps.db, ctx.user.id)).available
  if (missing > 0n && !draft.byGroup && !isOrdered) return { ok: false, reason: 'insufficient', missing }
  const placed = await placeOrder(deps, ctx, quoted, repeats)
  const video = placed.ok ? placed.generation : await orderOf(deps, draft.id)
  if (video?.state !== 'held') return placed
  const spoken = await placeSpeech(deps, ctx, draft, speech)
  if (spoken.ok || spoken.reason === 'already') return { ok: true, generation: video }
  if (await cancelHeld(deps, video)) deps.tracker.nudge()
  return spoken
}

async function placeSpeech(deps: BotDeps, ctx: Ctx, video: Draft, speech: Speech) {
  const { draftId: id, model, answers, amount } = speech
  const { userId, chatId, topicId, byGroup } = video
  const draft = { id, userId, chatId, topicId, byGroup, modelId: model.id, answers }
  const made = (await findDraft(deps.db, id, userId)) ?? (await createDraft(deps.db, draft, deps.clock.now()))
  const quoted = await quoteDraft(deps, made)
  const order = quoted.ok ? await findQuotedDraft(deps, quoted.quote.id, userId) : undefined
  if (order?.quote.amount !== amount) return { ok: false, reason: 'outdated' } as const
  return placeOrder(deps, ctx, order)
}

/** Places the order for the tap of the update; the message of the card becomes the status. The caller explains a refusal. */
async function placeOrder(
  deps: BotDeps,
  ctx: Ctx,
  quoted: QuotedDraft,
  repeats?: Wanted['repeats'],
): Promise<Ordered | NotMember | NoConsent> {
  const { locale } = ctx.user
  const refused = await notMember(deps, quoted.draft, ctx.user)
  if (refused) return refused
  if (needsConsent(deps, ctx)) return noConsent
  const ordered = await confirm(deps, {
    quoted,
    personHash: hashOfPerson(ctx.api.token, ctx.user.telegramId ?? 0),
    statusMessageId: quoted.draft.cardMessageId,
    repeats,
    isOperator: isOperator(deps, ctx),
  })
  if (!ordered.ok) return ordered
  const { id, modelId } = ordered.generation
  deps.log.info({ generation: id, user: ctx.user.id.toString(), model: modelId }, 'confirmed')
  deps.metrics.orders.confirmed(modelId)
  // Before anything that waits: the status of a later step must not be replaced by this one.
  deps.tracker.showStatus(ordered.generation, locale)
  deps.tracker.nudge()
  return ordered
}

async function explainRefusal(
  deps: BotDeps,
  ctx: Ctx,
  ordered: Extract<Ordered, { ok: false }> | NotMember | NoConsent,
  draft: Draft,
): Promise<void> {
  const { say } = ctx
  switch (ordered.reason) {
    case 'insufficient':
      return alertShort(deps, ctx, draft, ordered.missing)
    case 'outdated':
      await alert(ctx, say.plain('quote-outdated'))
      return renderAnew(deps, ctx, draft.id)
    case 'already':
      return answerTap(ctx, say.plain('ordered-already'))
    case 'paused':
      return alert(ctx, say.plain('sales-paused'))
    case 'consent':
      await answerTap(ctx)
      return askConsent(deps, ctx)
    case 'too-many':
    case 'daily-cap':
      return alert(ctx, limitText(say, ordered))
    case 'maintenance':
      return alert(ctx, say.plain('sales-maintenance'))
    default:
      return alert(ctx, groupRefusal(say, ordered))
  }
}

/** In a private chat the card offers the top-up; in a group the card is sent again after the top-up in the private chat. */
async function alertShort(deps: BotDeps, ctx: Ctx, draft: Draft, missing: Kopecks): Promise<void> {
  if (draft.chatId < 0) {
    await markAwaitingTopUp(deps.db, draft.id, ctx.user.id)
    return void (await offerTopUp(deps, ctx, missing))
  }
  const { available } = await readBalance(deps.db, ctx.user.id)
  await alert(ctx, ctx.say.plain('card-short', { missing: missingText(ctx.say, missing, available) }))
  await renderAnew(deps, ctx, draft.id)
}

async function renderAnew(deps: BotDeps, ctx: Ctx, draftId: string): Promise<void> {
  const draft = await findDraft(deps.db, draftId, ctx.user.id)
  const isCard = draft?.state === 'open' && isCardOf(draft, ctx.callbackQuery?.message)
  if (isCard) await render(deps, ctx, draft, { at: 'main' })
}

// Says which limit of a user an order would exceed. The text is shown only to the user who taps.

function limitText(say: Say, over: OverLimit): string {
  if (over.reason === 'too-many') return say.plain('order-too-many', { most: over.most })
  const { most, spent } = over
  const left = say.roubles(most > spent ? most - spent : 0n)
  return say.plain('order-daily-cap', { most: say.roubles(most), spent: say.roubles(spent), left })
}

/** Takes a ready prompt: the one that the question for a prompt shows, or another one. */
async function takeSample(deps: BotDeps, ctx: Ctx, draft: Draft, which: 'shown' | 'any') {
  const model = modelOf(deps, draft)
  const [shown, ...others] = samplesFor(deps, model, draft.answers, ctx.say)
  const typed = (which === 'any' ? others[Math.floor(deps.random() * others.length)] : undefined) ?? shown
  const field = promptField(model)
  return field && typed !== undefined ? answered(deps, draft, field.name, { typed }) : undefined
}

async function answered(deps: BotDeps, { id, userId }: Draft, name: string, input: Input) {
  const answer = await answerDraft(deps, id, userId, name, input)
  return answer.ok ? answer.draft : undefined
}

// An order by one tap on a button that shows its price.

interface Wanted {
  readonly model: Model
  readonly answers: Answers
  /** The price that the button shows; at another price the card is left to be confirmed. */
  readonly shown: Kopecks
  /** Whether the wallet of the group has paid for the order that is repeated; another payer leaves the card to be confirmed. */
  readonly byGroup: boolean
  /** The order that is repeated, or the answer that is read aloud. */
  readonly repeats?: Pick<Generation, 'id'>
}

/** Orders: the card becomes the status message. If the order is impossible, the card stays and says why. */
export async function orderAtOnce(
  deps: BotDeps,
  ctx: Ctx,
  { model, answers, shown, byGroup, repeats }: Wanted,
): Promise<void> {
  const begun = await startDraft(deps, ctx, model, answers)
  if (!begun) return
  // When the update is repeated, the card is already the status message or the result.
  if (begun.state !== 'open') return answerTap(ctx, ctx.say.plain('ordered-already'))
  await sendCard(deps, ctx.api, begun, ctx.say)
  // Drawing the card may have changed the payer.
  const draft = (await findDraft(deps.db, begun.id, begun.userId)) ?? begun
  if (draft.byGroup !== byGroup) return alert(ctx, ctx.say.plain('order-payer-changed'))
  const quoted = await quoteDraft(deps, draft)
  if (!quoted.ok && quoted.reason === 'not-offered') return alert(ctx, ctx.say.plain('card-not-offered-now'))
  const found = quoted.ok ? await findQuotedDraft(deps, quoted.quote.id, ctx.user.id) : undefined
  const speech = await speechOf(deps, draft)
  if (!found || (!speech && found.quote.amount !== shown)) return alert(ctx, ctx.say.plain('quote-outdated'))
  const ordered = await place(deps, ctx, found, speech, shown, repeats)
  if (ordered.ok) return answerTap(ctx, ctx.say.plain('ordered'))
  // The card below shows what has changed.
  if (ordered.reason === 'outdated') return alert(ctx, ctx.say.plain('quote-outdated'))
  await explainRefusal(deps, ctx, ordered, draft)
}
