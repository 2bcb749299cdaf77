// Commands that answer with a text: /start, /help, /support, /paysupport, /terms, /privacy; and /cancel.

import { Composer } from 'grammy'
import { offeredModels } from '../../catalog/text-models.ts'
import { dropDraft, newestOpenDraft } from '../../generations/drafts.ts'
import { readBalance } from '../../ledger/ledger.ts'
import { offeredCommands } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { privateChatButton, reply } from '../responses.ts'

export function basics(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('start', async (ctx) => {
    const name = ctx.from?.first_name ?? ''
    const commands = commandList(deps, ctx)
    if (ctx.chat.type !== 'private') {
      return reply(ctx, ctx.say.html('start-group', { name, commands }), privateChatButton(ctx))
    }
    const { available } = ctx.balance ?? (await readBalance(deps.db, ctx.user.id))
    await reply(ctx, ctx.say.html('start', { name, available: ctx.say.roubles(available), commands }))
  })
  composer.command('help', (ctx) => reply(ctx, ctx.say.html('help', { commands: commandList(deps, ctx) })))
  composer.command('cancel', (ctx) => cancel(deps, ctx))
  return composer
}

function commandList(deps: BotDeps, { say }: Ctx): { html: string } {
  const chat = offeredModels(deps.textModels).length > 0 ? [say.html('help-chat')] : []
  const lines = [...chat, ...offeredCommands(deps.catalog).map((command) => say.html(`help-${command}`))]
  return { html: lines.join('\n') }
}

/** Drops the newest open card. The command itself has already left any conversation. */
async function cancel(deps: BotDeps, ctx: Ctx): Promise<void> {
  const draft = ctx.chatId === undefined ? undefined : await newestOpenDraft(deps.db, ctx.user.id, ctx.chatId)
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
  const composer = new Composer<Ctx>()
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
