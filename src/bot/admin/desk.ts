// The operators' desk: commands and buttons for operators only, in private chats only. For everybody else they fall through to the
// answers to unknown commands and outdated buttons.

import type { Composer } from 'grammy'
import type { BotDeps, Ctx } from '../context.ts'
import { Routes } from '../routes.ts'
import { ban } from './bans.ts'
import { broadcast, proposeAnswer } from './broadcast.ts'
import { confirmations } from './confirming.ts'
import { changeBalance } from './corrections.ts'
import { figures } from './figures.ts'
import { showLog } from './log.ts'
import { type Given, isOperator, isOwnMessage } from './operator.ts'
import { orders, refund } from './orders.ts'
import { payments, refundTopUp } from './payments.ts'
import { find, people } from './people.ts'
import { promoAdd, promoEnd } from './promo.ts'
import { answers, commands } from './questions.ts'
import { closeReport, reports } from './reports.ts'
import { stopSales, switches } from './switches.ts'

export function desk(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  const sentByOperators = composer.filter((ctx) => ctx.chat?.type === 'private' && isOperator(deps, ctx))
  const writtenByOperators = sentByOperators.filter(isOwnMessage)
  writtenByOperators.use(
    figures(deps, (ctx) => showLog(deps, ctx)),
    people(deps),
    orders(deps),
    payments(deps),
    reports(deps),
    switches(deps),
    broadcast(deps),
  )
  const changing = changes(deps)
  const handlers = {
    ...changing,
    user: (ctx, { words }) => find(deps, ctx, words),
    broadcast: (ctx) => proposeAnswer(deps, ctx),
  } satisfies Record<string, Handle>
  writtenByOperators.use(
    confirmations(deps, {
      ...changing,
      refund_report: (ctx, given) => closeReport(deps, ctx, 'refund_report', given),
      decline_report: (ctx, given) => closeReport(deps, ctx, 'decline_report', given),
      switch_off: (ctx, given) => stopSales(deps, ctx, given),
    }),
    commands(deps, handlers),
  )
  sentByOperators.use(answers(deps, handlers))
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
    promo_end: (ctx, given) => promoEnd(deps, ctx, given),
  }) satisfies Record<string, Handle>
