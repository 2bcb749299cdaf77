// /prices: what is on sale, with the least price of each model. A tap opens the card of the model.

import { InlineKeyboard } from 'grammy'
import type { Catalog } from '../../catalog/catalog.ts'
import { type Answer, type Answers, type Field, isUserField } from '../../catalog/field.ts'
import { type Model, minimalAnswers } from '../../catalog/model.ts'
import type { Price } from '../../catalog/price.ts'
import { labelOf, type TextModel, usualAnswerPrice } from '../../catalog/text-models.ts'
import { fitAnswers, possibleOptions } from '../../form/fit.ts'
import { textModelsOnSale } from '../../sales/sales.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { noteAt } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { escapeHtml, type Say } from '../../texts.ts'
import { openOneModel } from '../cards/models.ts'
import { canTopUp, readOnSale } from '../commands.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx, send } from '../context.ts'
import { usualCharacters } from '../from-prices.ts'
import { noteOwn, plainNote } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'

const pricesMessage = plainNote('prices')

export const prices = (deps: BotDeps): Routes => ({
  commands: { prices: (ctx) => showPrices(deps, ctx), models: (ctx) => showPrices(deps, ctx) },
  taps: [onTap(taps.openModel, (ctx, { modelId }) => open(deps, ctx, modelId))],
})

async function showPrices(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say } = ctx
  const sold = await soldModels(deps, say)
  const answers = await textModelsOnSale(deps)
  const lines = [
    ...sold.map((one) => modelLine(deps, say, one)),
    ...answers.map((model) => answerLine(say, model)),
    ...(answers.length > 1 ? [say.html('prices-chat')] : []),
  ]
  if (lines.length === 0) return void (await send(ctx, say.html('prices-nothing')))
  const keyboard = new InlineKeyboard()
  for (const { model, name } of sold) keyboard.text(name, taps.openModel.data({ modelId: model.id }))
  if (canTopUp(deps)) keyboard.text(say.plain('button-top-up-any'), taps.topUp.data())
  const html = say.html('prices', { lines: { html: lines.join('\n') } })
  await noteOwn(deps, ctx, await send(ctx, html, fitted(keyboard)), pricesMessage)
}

/** The models on sale in the order of their commands, each with its name. */
async function soldModels(deps: BotDeps, say: Say): Promise<readonly SoldModel[]> {
  const onSale = await readOnSale(deps)
  return onSale.commands.flatMap((command) => {
    const models = onSale.models(command).filter(({ commands: [first] }) => first === command)
    const kind = say.plain(`begin-${command}`)
    const nameOf = ({ label }: Model) => (models.length > 1 ? `${kind} · ${say.label(label)}` : kind)
    return models.map((model) => ({ model, name: nameOf(model) }))
  })
}

interface SoldModel {
  readonly model: Model
  /** The kind of the results, and the name of the model if several make them. */
  readonly name: string
}

function modelLine({ catalog }: BotDeps, say: Say, { model, name }: SoldModel): string {
  const least = leastPrice(catalog, model)
  const more = aboutModel(say, model)
  if (!least) return say.html('prices-unknown', { name }) + more
  if (least.unit !== 'character')
    return say.html('prices-from', { name, amount: say.roubles(least.amount) }) + more
  return say.html('prices-characters', { name, amount: say.roubles(usualCharacters(least)) }) + more
}

/** The price of the cheapest order. The settings multiply or add to the price, so each can be chosen for itself. */
function leastPrice(catalog: Catalog, model: Model): Price | undefined {
  let answers = minimalAnswers(model)
  let least = catalog.priceWith(model, answers)
  for (const field of model.fields.filter(isUserField)) {
    if (field.audience === 'asked') continue
    for (const answer of choicesOf(model, field, answers)) {
      const other = fitAnswers(model, { ...answers, [field.name]: answer }, field.name)
      const price = catalog.priceWith(model, other)
      if (price && (!least || price.amount < least.amount)) [least, answers] = [price, other]
    }
  }
  return least
}

function choicesOf(model: Model, field: Field, answers: Answers): readonly Answer[] {
  if (field.kind === 'choice') return possibleOptions(model, field, answers).map(({ value }) => value)
  if (field.kind === 'number') return [field.min]
  return field.kind === 'toggle' ? [!field.default] : []
}

/** What tells the models of one command apart, and the vendor, if the operator names it. */
function aboutModel(say: Say, { capabilities, vendor }: Model): string {
  const able = capabilities.flatMap((one) => (isShown(one) ? say.plain(`able-${one}`) : []))
  const facts = [...able, ...(vendor === undefined ? [] : [vendor])]
  return facts.length > 0 ? ` <i>(${escapeHtml(facts.join(', '))})</i>` : ''
}

const shown = ['image_to_video', 'video_to_video', 'high_quality'] as const
const isShown = (capability: string): capability is (typeof shown)[number] =>
  shown.some((one) => one === capability)

function answerLine(say: Say, model: TextModel): string {
  const amount = usualAnswerPrice(model)
  const name = `${say.plain('begin-chat')} · ${labelOf(model)}`
  return amount === undefined
    ? say.html('prices-unknown', { name })
    : say.html('prices-answer', { name, amount: say.roubles(amount) })
}

/** In a group any member may tap, and begins an order of their own. */
async function open(deps: BotDeps, ctx: Ctx, modelId: string): Promise<void> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  const model = (await soldModels(deps, ctx.say)).find((one) => one.model.id === modelId)?.model
  if (note?.kind !== pricesMessage.name || !model) return alertForeign(ctx)
  await answerTap(ctx)
  await openOneModel(deps, ctx, model)
}
