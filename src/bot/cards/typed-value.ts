// A value that is typed in place of a tap: while the card shows the page of its setting (`10`, `16:9`, the name of a model on the page of
// models), or while the card lacks an answer.

import type { Message } from 'grammy/types'
import type { Field } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { keyOf, takesWords } from '../../form/answer.ts'
import { missingField, possibleOptions } from '../../form/fit.ts'
import { settingAt } from '../../form/settings.ts'
import { type Draft, modelsPage } from '../../orders/drafts.ts'
import { readNote } from '../../telegram/message-notes.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteOwn, plainNote } from '../notes.ts'
import { reply } from '../responses.ts'
import { droppedHtml, optionText, refusalText } from './answer-text.ts'
import { answerDraft, type Input, optionsOf, sendCard } from './cards.ts'
import { meantOption, optionNames } from './guide/match.ts'
import { siblingsOf } from './switch-model.ts'
import { switchModelOfCard } from './switched-question.ts'
import { offerTyped } from './unfit.ts'

/** The note of a user's message that was taken as a value. */
const taken = plainNote('typed-value')

export type Typed = Message & { text: string }

export const wasTaken = async (deps: BotDeps, ctx: Ctx, message: Typed): Promise<boolean> =>
  (await readNote(deps, message, ctx.user.id, taken)) !== undefined

/** @returns false when the text is no value of the setting that the card asks for */
export async function takeText(deps: BotDeps, ctx: Ctx, draft: Draft, message: Typed): Promise<boolean> {
  if (draft.openPage === modelsPage) return takeModel(deps, ctx, draft, message)
  const shown = shownSetting(deps, draft)
  return shown !== undefined && takeValue(deps, ctx, shown, message)
}

/** Says that a text is no value of the setting that the card asks for, and which values it takes. */
export async function noValueText(deps: BotDeps, draft: Draft, say: Say): Promise<string> {
  const values = await valuesAt(deps, draft, say)
  const options = values.length > 0 ? [say.html('typed-options', { options: values.join(', ') })] : []
  return [say.html('typed-no-value'), ...options].join('\n')
}

async function valuesAt(deps: BotDeps, draft: Draft, say: Say): Promise<readonly string[]> {
  const { catalog } = deps
  const model = catalog.find(draft.modelId)
  if (model && draft.openPage === modelsPage)
    return (await siblingsOf(deps, model, draft)).map((sibling) => say.label(sibling.model.label))
  const shown = shownSetting(deps, draft)
  if (!model || !shown) return []
  const { field } = shown
  if (field.kind === 'number') {
    const most = Math.min(field.max, model.limit(field, draft.answers) ?? field.max)
    return [`${say.number(field.min)}–${say.number(most)}`]
  }
  if (field.kind === 'choice')
    return possibleOptions(model, field, model.complete(draft.answers)).map((one) => say.label(one.label))
  if (field.kind !== 'text') return []
  const offers = await optionsOf(deps, draft.userId, model, field)
  return offers.slice(0, mostListed).map((one) => optionText(one, say))
}

/** The other options are on the buttons of the page. */
const mostListed = 20

/** Takes the name of a model. @returns false when the text is no such name */
async function takeModel(deps: BotDeps, ctx: Ctx, draft: Draft, message: Typed): Promise<boolean> {
  const from = deps.catalog.find(draft.modelId)
  const siblings = from ? await siblingsOf(deps, from, draft) : []
  const named = siblings.map(({ model: { id, label } }) => ({ value: id, label }))
  const chosen = meantOption(deps.texts, named, optionNames, message.text)
  if (!chosen) return false
  await noteOwn(deps, ctx, message, taken)
  const switched = await switchModelOfCard(deps, ctx, draft, chosen.value)
  if (!switched) return false
  await tellDropped(ctx, switched.dropped)
  await sendCard(deps, ctx.api, switched.draft, ctx.say)
  return true
}

interface Shown {
  readonly draft: Draft
  readonly model: Model
  readonly field: Field
}

/** The setting whose page is open, or else the first answer that the card lacks, if it can be written. */
export function shownSetting({ catalog }: BotDeps, draft: Draft): Shown | undefined {
  const model = catalog.find(draft.modelId)
  if (!model) return undefined
  const { answers, openPage } = draft
  const missing = openPage === null ? missingField(model, answers) : undefined
  const asked = missing && takesWords(missing) ? missing : undefined
  const field = openPage === null ? asked : settingAt(model, model.complete(answers), openPage)?.field
  return field && { draft, model, field }
}

/** @returns false when the text is no value of the setting */
async function takeValue(deps: BotDeps, ctx: Ctx, shown: Shown, message: Typed): Promise<boolean> {
  const { say } = ctx
  const { draft, field } = shown
  const input = await inputOf(deps, shown, message.text)
  if (!input) return false
  // The note comes first, since the answer closes the page. It has no effect while the page is open.
  await noteOwn(deps, ctx, message, taken)
  const answered = await answerDraft(deps, draft.id, draft.userId, field.name, input)
  if (!answered.ok) {
    if (answered.reason === 'closed' || answered.refusal.reason === 'not-a-number') return false
    const rows = 'typed' in input ? await offerTyped(deps, draft, field.name, message, input.typed, say) : []
    await reply(ctx, refusalText(say, answered.refusal, field), { inline_keyboard: rows })
    return true
  }
  await tellDropped(ctx, answered.dropped)
  await sendCard(deps, ctx.api, answered.draft, say)
  return true
}

export async function tellDropped(ctx: Ctx, dropped: Parameters<typeof droppedHtml>[1]): Promise<void> {
  const html = droppedHtml(ctx.say, dropped)
  if (html !== '') await reply(ctx, html)
}

async function inputOf(
  deps: BotDeps,
  { draft, model, field }: Shown,
  typed: string,
): Promise<Input | undefined> {
  if (field.kind === 'number') return { typed }
  if (field.kind === 'choice') {
    const options = possibleOptions(model, field, model.complete(draft.answers))
    const option = meantOption(deps.texts, options, optionNames, typed)
    return option && { tapped: option.value }
  }
  if (field.kind !== 'text') return undefined
  if (field.source === undefined) return { typed }
  const offers = await optionsOf(deps, draft.userId, model, field)
  const option = meantOption(deps.texts, offers, optionNames, typed)
  if (option) return { tapped: keyOf(option.value) }
  return gatewayId.test(typed.trim()) ? { typed } : undefined
}

/** The id of a voice or a style at the gateway: one word with a digit, a hyphen or an underscore. */
const gatewayId = /^(?=.*[\d_-])[\w-]{4,}$/
