// Commands that answer with a text: /help, /support, /paysupport, /terms, /privacy; and /cancel.

import type { Composer } from 'grammy'
import { htmlWithoutPreview } from '../../telegram/send-into.ts'
import type { Html, Say } from '../../texts.ts'
import { canTopUp, offersChat } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { groupPays } from '../groups/card-funds.ts'
import { readOnSale } from '../on-sale.ts'
import { privateChatButton, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { cancel } from './cancel.ts'

export function basics(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.chatType('private').command('help', async (ctx) => {
    const { say } = ctx
    const money = [say.html('help-balance'), ...(canTopUp(deps) ? [say.html('help-topup')] : [])]
    const chat = say.html('help-chat')
    await reply(
      ctx,
      say.html('help', { commands: await commandList(deps, say, chat), money: linesOf(money) }),
    )
  })
  composer.command('help', (ctx) => helpGroup(deps, ctx))
  composer.command('cancel', (ctx) => cancel(deps, ctx))
  return composer
}

/** Help in a group: what works there, how to ask, and who pays. */
async function helpGroup(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { say, user, chatId = 0 } = ctx
  const chat = say.html('help-chat-group', { bot: `@${ctx.me.username}` })
  const byWallet = await groupPays(deps, chatId, user)
  const payers = [
    say.html(byWallet ? 'payer-orders-wallet' : 'payer-orders-own'),
    ...(offersChat(deps) ? [say.html('payer-answers')] : []),
  ]
  const commands = await commandList(deps, say, chat)
  const html = say.html('help-group', { commands, payers: linesOf(payers) })
  await reply(ctx, html, privateChatButton(ctx))
}

/** @param chat the line that says how to ask a text model */
async function commandList(deps: BotDeps, say: Say, chat: string): Promise<Html> {
  const talk = offersChat(deps) ? [chat, say.html('help-persona')] : []
  const { commands } = await readOnSale(deps)
  return linesOf([...talk, ...commands.map((command) => say.html(`help-${command}`))])
}

const linesOf = (lines: readonly string[]): Html => ({ html: lines.join('\n') })

/** Texts that the operator can replace (TEXTS_DIR). */
export function legal({ operator }: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  for (const page of ['support', 'paysupport', 'terms', 'privacy'] as const) {
    composer.command(page, async (ctx) => {
      const contact = operator.contact ?? ctx.say.plain('no-contact')
      await ctx.reply(ctx.say.html(`legal-${page}`, { contact }), {
        ...htmlWithoutPreview,
      })
    })
  }
  return composer
}
