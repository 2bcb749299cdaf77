// The operators' desk: commands and buttons for operators only, in private chats only. For everybody else they fall through to the
// answers to unknown commands and outdated buttons.

import type { Composer } from 'grammy'
import type { BotDeps, Ctx } from '../context.ts'
import { Routes } from '../routes.ts'
import { ban } from './bans.ts'
import { broadcast, propose } from './broadcast.ts'
import { confirmations } from './confirming.ts'
import { changeBalance } from './corrections.ts'
import { figures } from './figures.ts'
import { showLog } from './log.ts'
import { type Given, isOperator } from './operator.ts'
import { orders, refund } from './orders.ts'
import { payments, refundTopUp } from './payments.ts'
import { find, people } from './people.ts'
import { promoAdd } from './promo.ts'
import { commands } from './questions.ts'
import { closeReport, reports } from './reports.ts'
import { stopSales, switches } from './switches.ts'

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
  const changing = changes(deps)
  operators.use(
    confirmations(deps, {
      ...changing,
      refund_report: (ctx, given) => closeReport(deps, ctx, 'refund_report', given),
      decline_report: (ctx, given) => closeReport(deps, ctx, 'decline_report', given),
      switch_off: (ctx, given) => stopSales(deps, ctx, given),
    }),
    commands(deps, {
      ...changing,
      user: (ctx, { words }) => find(deps, ctx, words),
      broadcast: async (ctx) => {
        if (ctx.msgId !== undefined) await propose(deps, ctx, ctx.msgId)
        return undefined
      },
    }),
  )
  return composer
}

type Handle = (ctx: Ctx, given: Given) => Promise<string | undefined>

/** The commands that change something: each asks for a confirmation, and acts after the Yes. */
const changes = (deps: BotDeps) =>
  ({
    grant: (ctx, given) => changeBalance(deps, ctx, given, 'grant'),
    debit: (ctx, given) => changeBalance(deps, ctx, given, 'debit'),
    ban: (ctx, given) => ban(deps, ctx, given, 'ban'),
    unban: (ctx, given) => ban(deps, ctx, given, 'unban'),
    refund: (ctx, given) => refund(deps, ctx, given),
    refund_payment: (ctx, given) => refundTopUp(deps, ctx, given),
    promo_add: (ctx, given) => promoAdd(deps, ctx, given),
  }) satisfies Record<string, Handle>

/** A message that was forwarded, or written by an inline bot, is not a command of the operator. */
const isOwnMessage = ({ message }: Ctx): boolean => !message?.forward_origin && !message?.via_bot
