// /ideas: ready prompts by kind, and results that operators chose. A tap opens the card with the prompt and the settings, as the link below
// a shared result (`/start p_<order>`) does.

import { InlineKeyboard } from 'grammy'
import type { Field } from '../../catalog/field.ts'
import type { Command } from '../../catalog/model.ts'
import { promptInRequest } from '../../catalog/request.ts'
import { resend } from '../../orders/deliver/resend.ts'
import { findDraft } from '../../orders/drafts.ts'
import type { Generation } from '../../orders/generation.ts'
import { findShared, markOrder, resultsAsIdeas } from '../../orders/history.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { noteAt } from '../../telegram/message-notes.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { isOperator } from '../admin/operator.ts'
import { openModel } from '../cards/models.ts'
import { seedField, sharedAnswers } from '../cards/result-uses.ts'
import { openCard } from '../cards/results.ts'
import { ideasOf, kindsWithIdeas } from '../cards/samples.ts'
import { readOnSale } from '../commands.ts'
import {
  alert,
  alertForeign,
  answerTap,
  type BotDeps,
  type Ctx,
  locationOf,
  redraw,
  reply,
  send,
} from '../context.ts'
import { noteOwn, plainNote } from '../notes.ts'
import { onTap, type Routes, type TapCtx } from '../routes.ts'

const ideasMessage = plainNote('ideas')

export const ideas = (deps: BotDeps): Routes => ({
  commands: { ideas: (ctx) => showIdeas(deps, ctx) },
  taps: [
    onListTap(deps, taps.listIdeas, async (ctx, { command }) => {
      await answerTap(ctx)
      const { html, keyboard } = await pageOf(deps, ctx, command)
      await redraw(ctx, html, keyboard)
    }),
    onListTap(deps, taps.useIdea, async (ctx, { command, position }) => {
      const idea = ideasOf(ctx.say, command)[position]
      if (!idea) return alert(ctx, ctx.say.plain('stale-option'))
      await answerTap(ctx)
      await openModel(deps, ctx, command, idea.prompt)
    }),
    onListTap(deps, taps.showIdea, (ctx, { generationId }) => showResult(deps, ctx, generationId)),
    onTap(taps.orderLike, (ctx, { generationId }) => tapLike(deps, ctx, generationId)),
    onTap(taps.setIdea, (ctx, { generationId, to }) => setIdea(deps, ctx, generationId, to)),
  ],
})

/** In a group any member may tap, and begins an order of their own. */
const onListTap = <Args>(
  deps: BotDeps,
  tap: Tap<Args>,
  handle: (ctx: TapCtx, args: Args) => Promise<void>,
): ReturnType<typeof onTap> =>
  onTap(tap, async (ctx, args) => {
    const note = await noteAt(deps, ctx.callbackQuery.message)
    return note?.kind === ideasMessage.name ? handle(ctx, args) : alertForeign(ctx)
  })

// The list.

async function showIdeas(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { html, keyboard } = await pageOf(deps, ctx)
  await noteOwn(deps, ctx, await send(ctx, html, keyboard), ideasMessage)
}

const maxResults = 6
/** Code points of a label that a phone shows. */
const maxTitle = 30

/** @param wanted by default the first kind that is on sale */
async function pageOf(deps: BotDeps, { say }: Ctx, wanted?: Command) {
  const onSale = await readOnSale(deps)
  const kinds = kindsWithIdeas.filter((one) => onSale.commands.includes(one))
  const kind = kinds.find((one) => one === wanted) ?? kinds[0]
  const keyboard = new InlineKeyboard()
  if (!kind) return { html: say.html('ideas-nothing'), keyboard }
  const modelIds = onSale.models(kind).map(({ id }) => id)
  for (const { id: generationId, request } of await resultsAsIdeas(deps, modelIds, maxResults)) {
    const title = promptInRequest(request, maxTitle)?.replaceAll(/\s+/g, ' ') ?? ''
    keyboard.text(say.plain('idea-with-result', { title }), taps.showIdea.data({ generationId })).row()
  }
  for (const [position, { title }] of ideasOf(say, kind).entries())
    keyboard.text(title, taps.useIdea.data({ command: kind, position }))
  keyboard.row()
  const others = new InlineKeyboard()
  for (const command of kinds.filter((one) => one !== kind))
    others.text(say.plain(`begin-${command}`), taps.listIdeas.data({ command }))
  keyboard.append(others.toFlowed(2))
  return { html: say.html('ideas', { kind: say.plain(`begin-${kind}`) }), keyboard: fitted(keyboard) }
}

// Results as ideas.

async function showResult(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const { say } = ctx
  const generation = await findShared(deps, generationId)
  const location = locationOf(ctx)
  if (!generation?.ideaAt || !location) return alert(ctx, say.plain('stale-option'))
  await answerTap(ctx)
  const caption = say.html('idea-prompt', { prompt: promptInRequest(generation.request) ?? '' })
  const keyboard = new InlineKeyboard().text(say.plain('button-like'), taps.orderLike.data({ generationId }))
  const { sent } = await resend({ ...deps, api: ctx.api }, generation, location, say, { caption, keyboard })
  if (sent === 0) await openLike(deps, ctx, generation)
}

async function setIdea(deps: BotDeps, ctx: Ctx, generationId: string, to: 'on' | 'off'): Promise<void> {
  if (!isOperator(deps, ctx)) return alertForeign(ctx)
  await markOrder(deps, generationId, ctx.user.id, to === 'on' ? 'idea' : 'no-idea')
  await answerTap(ctx, ctx.say.plain(`idea-${to}`))
}

// An order like a shared one.

async function tapLike(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findShared(deps, generationId)
  if (!generation) return alert(ctx, ctx.say.plain('stale-result'))
  await answerTap(ctx)
  await openLike(deps, ctx, generation)
}

/** Opens a card like the shared order that a link names. @returns false for other links, and when nothing is left of the order */
export async function openShared(deps: BotDeps, ctx: Ctx, link: string): Promise<boolean> {
  const [, id] = /^p_([0-9a-z]{10})$/.exec(link) ?? []
  const generation = id === undefined ? undefined : await findShared(deps, id)
  if (!generation) return false
  await reply(ctx, ctx.say.html('like-shared'))
  return openLike(deps, ctx, generation)
}

/** Without its files and its seed: another result of the same kind. @returns false when the model or the answers of the order are gone */
async function openLike(deps: BotDeps, ctx: Ctx, { modelId, draftId, userId }: Generation): Promise<boolean> {
  const model = deps.catalog.find(modelId)
  const before = await findDraft(deps.db, draftId, userId)
  if (!model || !before) return false
  const isLeftOut = ({ kind, name }: Field) => kind === 'media' || name === seedField
  await openCard(deps, ctx, model, sharedAnswers(model, before.answers, isLeftOut))
  return true
}
