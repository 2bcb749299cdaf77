// /start, /help, /cancel.

import { and, desc, eq } from 'drizzle-orm'
import { Composer } from 'grammy'
import { offeredModels } from '../../catalog/text-models.ts'
import { drafts } from '../../db/schema.ts'
import { type Draft, dropDraft } from '../../generations/drafts.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'

export function basics(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('start', async (ctx) => {
    const { available } = await readBalance(deps.db, ctx.user.id)
    const name = ctx.from?.first_name ?? ''
    await html(
      ctx,
      ctx.say.html('start', {
        name,
        available: ctx.say.roubles(available),
        commands: commandList(deps, ctx),
      }),
    )
  })
  composer.command('help', (ctx) => html(ctx, ctx.say.html('help', { commands: commandList(deps, ctx) })))
  composer.command('cancel', (ctx) => cancel(deps, ctx))
  return composer
}

const html = (ctx: Ctx, text: string) => ctx.reply(text, { parse_mode: 'HTML' })

function commandList(deps: BotDeps, ctx: Ctx): { html: string } {
  const chat = offeredModels(deps.textModels).length > 0 ? [ctx.say.html('help-chat')] : []
  const lines = [...chat, ...offeredCommands(deps.catalog).map((command) => ctx.say.html(`help-${command}`))]
  return { html: lines.join('\n') }
}

/** The conversation has been left before this runs; what remains is the newest open card. */
async function cancel(deps: BotDeps, ctx: Ctx): Promise<void> {
  const draft = await newestOpenDraft(deps, ctx)
  if (!draft || !(await dropDraft(deps.db, draft.id, deps.clock.now()))) {
    await html(ctx, ctx.say.html('cancel-nothing'))
    return
  }
  if (draft.cardMessageId !== null) {
    await ctx.api.deleteMessage(draft.chatId, draft.cardMessageId).catch(() => undefined)
  }
  await html(ctx, ctx.say.html('cancel-done'))
}

async function newestOpenDraft({ db }: BotDeps, ctx: Ctx): Promise<Draft | undefined> {
  if (!ctx.chatId) return undefined
  const [newest] = await db
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, ctx.user.id), eq(drafts.chatId, ctx.chatId), eq(drafts.state, 'open')))
    .orderBy(desc(drafts.updatedAt))
    .limit(1)
  return newest
}
