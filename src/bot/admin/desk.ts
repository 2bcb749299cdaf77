// The operators' desk: commands and buttons for operators only, in private chats only. For everybody else they fall through to the
// answers to unknown commands and outdated buttons.

import type { Composer } from 'grammy'
import type { BotDeps, Ctx } from '../context.ts'
import { Routes } from '../routes.ts'
import { ban } from './bans.ts'
import { broadcast, propose } from './broadcast.ts'
import { changeBalance } from './corrections.ts'
import { figures } from './figures.ts'
import { showLog } from './log.ts'
import { isOperator } from './operator.ts'
import { orders, refund } from './orders.ts'
import { payments, refundTopUp } from './payments.ts'
import { find, people } from './people.ts'
import { promoAdd } from './promo.ts'
import { commands } from './questions.ts'
import { reports } from './reports.ts'
import { switches } from './switches.ts'

export function desk(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  const operators = composer.filter(
    (ctx) => ctx.chat?.type === 'private' && isOperator(deps, ctx) && isOwnMessage(ctx),
  )
  operators.use(
    figures(deps, (ctx) => showLog(deps, ctx)),
    people(deps),
    orders(deps),
    payments(deps),
    reports(deps),
    switches(deps),
    broadcast(deps),
  )
  operators.use(
    commands(deps, {
      user: (ctx, words) => find(deps, ctx, words),
      grant: (ctx, words, isDecided) => changeBalance(deps, ctx, { words, isDecided }, 'grant'),
      debit: (ctx, words, isDecided) => changeBalance(deps, ctx, { words, isDecided }, 'debit'),
      ban: (ctx, words, isDecided) => ban(deps, ctx, { words, isDecided }, 'ban'),
      unban: (ctx, words, isDecided) => ban(deps, ctx, { words, isDecided }, 'unban'),
      refund: (ctx, words) => refund(deps, ctx, words),
      refund_payment: (ctx, words) => refundTopUp(deps, ctx, words),
      promo_add: (ctx, words) => promoAdd(deps, ctx, words),
      broadcast: async (ctx) => {
        if (ctx.msgId !== undefined) await propose(deps, ctx, ctx.msgId)
        return undefined
      },
    }),
  )
  return composer
}

/** A forwarded message, or one written by an inline bot, is not an order of the operator. */
const isOwnMessage = ({ message }: Ctx): boolean => !message?.forward_origin && !message?.via_bot
