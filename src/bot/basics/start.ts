// /start: buttons for what can be made, the balance, and an example that one tap orders. It names only what is on sale now. In groups it
// shows no balance.

import { InlineKeyboard } from 'grammy'
import type { Answers } from '../../catalog/field.ts'
import type { Command, Model } from '../../catalog/model.ts'
import { usualAnswerPrice } from '../../catalog/text-models.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { statementOf } from '../../ledger/statement.ts'
import type { Kopecks } from '../../money.ts'
import { findGeneration } from '../../orders/confirm.ts'
import { countUndelivered, untoldSince } from '../../orders/history.ts'
import { dayMs } from '../../runtime/clock.ts'
import { maintenance, salesStopped, switchedOff, textModelsOnSale } from '../../sales/sales.ts'
import { noteAt, takeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { balanceText } from '../balance.ts'
import { orderAtOnce } from '../cards/card.ts'
import { openModel } from '../cards/models.ts'
import { canTopUp, type OnSale, readOnSale, thingsText } from '../commands.ts'
import {
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  firstNameOf,
  privateChatButton,
  redraw,
  send,
} from '../context.ts'
import { cardPrice, enoughFor, kindButton, usualFirst } from '../from-prices.ts'
import { showWallets, walletWord } from '../groups/wallet.ts'
import { closeMenu, noteOwn, openMenu, plainNote, sendMenu, tappedNote } from '../notes.ts'
import { closeQuestion } from '../question.ts'
import { onTap, type Routes } from '../routes.ts'
import { openShared } from './ideas.ts'

const startMessage = plainNote('start')

export const start = (deps: BotDeps): Routes => ({
  commands: {
    start: async (ctx) => {
      const isPrivate = ctx.chat.type === 'private'
      if (isPrivate && ctx.match === walletWord) return showWallets(deps, ctx)
      await closeQuestion(deps, ctx)
      if (isPrivate && (await openShared(deps, ctx, ctx.match))) return
      await (isPrivate ? welcome(deps, ctx) : greetGroup(deps, ctx))
    },
  },
  taps: [
    onTap(taps.begin, (ctx, { command }) => begin(deps, ctx, command)),
    onTap(taps.orderExample, (ctx, { amount }) => runExample(deps, ctx, amount)),
  ],
})

async function greetGroup(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const onSale = await readOnSale(deps)
  const name = firstNameOf(ctx)
  const html = say.html('start-group', { name, things: thingsText(say, onSale.commands) })
  const keyboard = (await beginButtons(deps, ctx, onSale)).toFlowed(2).append(privateChatButton(ctx))
  const sent = await send(ctx, html, keyboard)
  await noteOwn(deps, ctx, sent, startMessage)
}

/** In a group any member may tap, and begins an order of their own. */
async function begin(deps: BotDeps, ctx: Ctx, command: Command | 'chat'): Promise<void> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  if (note?.kind !== startMessage.name) return alertForeign(ctx)
  await closeMenu(deps, ctx)
  await answerTap(ctx)
  if (command === 'chat') return openMenu(deps, ctx, { at: 'chat' }, await send(ctx, howToAsk(ctx)))
  await openModel(deps, ctx, command, '')
}

const howToAsk = ({ say, chat, me }: Ctx): string =>
  chat?.type === 'private' ? say.html('start-chat') : say.html('start-chat-group', { bot: `@${me.username}` })

async function welcome(deps: BotDeps, ctx: Ctx): Promise<void> {
  await showEnds(deps, ctx)
  const onSale = await readOnSale(deps)
  const { available } = await readBalance(deps.db, ctx.user.id)
  const example = await possibleExample(deps, ctx, onSale, available)
  const { html, keyboard } = await view(deps, ctx, onSale, example, available)
  await noteOwn(deps, ctx, await sendMenu(deps, ctx, { at: 'start' }, html, keyboard), startMessage)
}

/** Edits the status messages of orders that ended while their user had blocked the bot, which could not be edited then. */
async function showEnds({ db, clock, tracker }: BotDeps, { user, chatId = 0, say }: Ctx): Promise<void> {
  const since = new Date(clock.now().getTime() - dayMs)
  for (const id of await untoldSince(db, user.id, chatId, since)) {
    const generation = await findGeneration({ db }, id, user.id)
    // It may have been fetched from the history meanwhile.
    if (generation?.delivery === 'undeliverable') tracker.showStatus(generation, say.locale)
  }
}

/** @returns undefined while nothing can be ordered, and for a user who can neither pay for the example nor top up */
async function possibleExample(
  deps: BotDeps,
  { say }: Ctx,
  onSale: OnSale,
  available: Kopecks,
): Promise<Example | undefined> {
  const isPaused =
    (await salesStopped(deps.db, deps.clock.now())) || (await switchedOff(deps.db)).has(maintenance)
  const example = isPaused ? undefined : exampleOf(deps, onSale, say)
  return example && (example.amount <= available || canTopUp(deps)) ? example : undefined
}

async function view(
  deps: BotDeps,
  ctx: Ctx,
  onSale: OnSale,
  example: Example | undefined,
  available: Kopecks,
) {
  const { say } = ctx
  const name = firstNameOf(ctx)
  const undelivered = await countUndelivered(deps.db, ctx.user.id)
  const texts = [
    say.html('start', { name }),
    ...(undelivered > 0 ? [say.html('start-undelivered', { count: undelivered })] : []),
    await moneyText(deps, ctx, available),
    ...(example ? [say.html('start-example', { command: example.command, prompt: example.prompt })] : []),
  ]
  const keyboard = new InlineKeyboard()
  if (example) {
    const { amount } = example
    const text = say.plain('button-example', { amount: say.roubles(amount) })
    keyboard.text(text, taps.orderExample.data({ amount })).primary().row()
  }
  const others = await beginButtons(deps, ctx, onSale)
  if (canTopUp(deps)) others.text(say.plain('button-top-up-any'), taps.topUp.data())
  keyboard.append(others.toFlowed(2))
  return { html: texts.join('\n\n'), keyboard }
}

async function moneyText(deps: BotDeps, ctx: Ctx, available: Kopecks): Promise<string> {
  const { user, say } = ctx
  const { db, welcomeCredit, invitedBonus } = deps
  const lines = welcomeCredit + invitedBonus > 0n ? await statementOf(db, user.id, 3) : []
  const isGift = lines.length > 0 && lines.every(({ kind }) => kind === 'welcome' || kind === 'invited')
  const things = await enoughFor(deps, ctx, available)
  if (isGift) return say.html('start-gift', { amount: say.roubles(available), things: things ?? 'none' })
  return [balanceText(say, available), ...(things ? [say.html('enough', { things })] : [])].join('\n')
}

/** What can be made, in a private chat each with the price on its card. */
async function beginButtons(
  deps: BotDeps,
  { say, chat, user }: Ctx,
  onSale: OnSale,
): Promise<InlineKeyboard> {
  const keyboard = new InlineKeyboard()
  const add = (command: Command | 'chat', amount: Kopecks | undefined) => {
    const shown = chat?.type === 'private' ? amount : undefined
    keyboard.text(kindButton(say, command, shown), taps.begin.data({ command }))
  }
  for (const command of onSale.commands) {
    const [model] = await usualFirst(deps, user, command, onSale.models(command))
    add(command, model && cardPrice(deps, model))
  }
  const [answering] = await textModelsOnSale(deps)
  if (answering) add('chat', usualAnswerPrice(answering))
  return keyboard
}

/** Orders the example once per message, which then loses the button for it. */
async function runExample(deps: BotDeps, ctx: Ctx, shown: Kopecks): Promise<void> {
  const message = ctx.callbackQuery?.message
  if (!message || !(await tappedNote(deps, ctx, startMessage))) return alertForeign(ctx)
  const onSale = await readOnSale(deps)
  const example = exampleOf(deps, onSale, ctx.say)
  if (!example) return alertStale(ctx)
  if (!(await takeNote(deps, message, ctx.update.update_id)))
    return answerTap(ctx, ctx.say.plain('ordered-already'))
  await orderExample(deps, ctx, example, shown)
  const { available } = await readBalance(deps.db, ctx.user.id)
  const { html, keyboard } = await view(deps, ctx, onSale, undefined, available)
  await redraw(ctx, html, keyboard)
}

// The example in /start: an order with a ready prompt. Its button shows the price, and a tap on it orders.

/** The commands that have an example; the first that can be ordered is shown. */
const exemplary = ['image', 'speech', 'video'] as const satisfies readonly Command[]

interface Example {
  readonly command: (typeof exemplary)[number]
  readonly prompt: string
  readonly model: Model
  readonly answers: Answers
  readonly amount: Kopecks
}

/** @returns undefined when no model can be ordered with a prompt alone */
function exampleOf({ catalog }: Pick<BotDeps, 'catalog'>, onSale: OnSale, say: Say): Example | undefined {
  for (const command of exemplary) {
    const [model] = onSale.models(command)
    const field = model?.fields.find(({ audience }) => audience === 'asked')
    if (!model || !field) continue
    const prompt = say.plain(`example-${command}`)
    const answers = { [field.name]: prompt }
    const amount = catalog.priceWith(model, answers)?.amount
    if (amount && amount > 0n) return { command, prompt, model, answers, amount }
  }
  return undefined
}

/** @param shown the price on the button */
const orderExample = (deps: BotDeps, ctx: Ctx, { model, answers }: Example, shown: Kopecks): Promise<void> =>
  orderAtOnce(deps, ctx, { model, answers, shown, byGroup: false })
