// Commands that answer with a text: /help, /support, /paysupport, /terms, /privacy; and /cancel.

import type { Composer } from 'grammy'
import { dropDraft, newestOpenDraft } from '../../generations/drafts.ts'
import type { Html } from '../../texts.ts'
import { canTopUp, offersChat } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { readOnSale } from '../on-sale.ts'
import { closeQuestion } from '../open-question.ts'
import { reply } from '../responses.ts'
import { Routes } from '../routes.ts'

export function basics(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.command('help', async (ctx) => {
    const { say } = ctx
    const money = [say.html('help-balance'), ...(canTopUp(deps) ? [say.html('help-topup')] : [])]
    await reply(ctx, say.html('help', { commands: await commandList(deps, ctx), money: linesOf(money) }))
  })
  composer.command('cancel', (ctx) => cancel(deps, ctx))
  return composer
}

async function commandList(deps: BotDeps, { say }: Ctx): Promise<Html> {
  const chat = offersChat(deps) ? [say.html('help-chat'), say.html('help-persona')] : []
  const { commands } = await readOnSale(deps)
  return linesOf([...chat, ...commands.map((command) => say.html(`help-${command}`))])
}

const linesOf = (lines: readonly string[]): Html => ({ html: lines.join('\n') })

/** Closes the open question, or else drops the newest open card. A draft that has no card yet goes with its question. */
async function cancel(deps: BotDeps, ctx: Ctx): Promise<void> {
  const draft = ctx.chatId === undefined ? undefined : await newestOpenDraft(deps.db, ctx.user.id, ctx.chatId)
  if (await closeQuestion(deps, ctx)) {
    if (draft?.cardMessageId === null) await dropDraft(deps.db, draft.id, deps.clock.now())
    return reply(ctx, ctx.say.html('question-cancelled'))
  }
  if (!draft || !(await dropDraft(deps.db, draft.id, deps.clock.now()))) {
    return reply(ctx, ctx.say.html('cancel-nothing'))
  }
  if (draft.cardMessageId !== null) {
    await ctx.api.deleteMessage(draft.chatId, draft.cardMessageId).catch(() => undefined)
  }
  await reply(ctx, ctx.say.html('cancel-done'))
}

/** Texts that the operator can replace (TEXTS_DIR). */
export function legal({ operator }: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  for (const page of ['support', 'paysupport', 'terms', 'privacy'] as const) {
    composer.command(page, async (ctx) => {
      const contact = operator.contact ?? ctx.say.plain('no-contact')
      await ctx.reply(ctx.say.html(`legal-${page}`, { contact }), {
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      })
    })
  }
  return composer
}
