// Who may do what at the desk: the table, and where it is asked. What it does not allow is refused in words, and its buttons are not shown.

import type { Context, InlineKeyboard } from 'grammy'
import type { Config } from '../../config.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import { alert, type BotDeps, type Ctx, onlyButtons, reply } from '../context.ts'
import type { Routes } from '../routes.ts'

/** Those in `ADMIN_IDS`, and those in `SUPPORT_IDS`. */
type Role = 'admin' | 'support'

interface Listed {
  /** The names also stand for the answers to the questions of these commands, and for the Yes after them. */
  readonly commands: readonly string[]
  readonly taps: readonly Pick<Tap<unknown>, 'parse'>[]
}

const rights: Readonly<Record<Role, 'everything' | Listed>> = {
  admin: 'everything',
  support: {
    commands: 'admin user message answer_report refund refund_report decline_report cancel'.split(' '),
    taps: [
      taps.findUser,
      taps.showUser,
      taps.userOrders,
      taps.userPayments,
      taps.writeTo,
      taps.reports,
      taps.answerReport,
      taps.refundOrder,
      taps.refundReport,
      taps.declineReport,
      taps.decideCommand,
    ],
  },
}

type Operators = Config['operator']

/** The role of a Telegram id: who is in both lists is an admin. */
export function roleOf({ ids, supportIds }: Operators, id: number | undefined): Role | undefined {
  if (id === undefined) return undefined
  return ids.includes(id) ? 'admin' : supportIds.includes(id) ? 'support' : undefined
}

function may(operators: Operators, id: number | undefined, isIn: (listed: Listed) => boolean): boolean {
  const role = roleOf(operators, id)
  const right = role && rights[role]
  return right === 'everything' || (right !== undefined && isIn(right))
}

export const mayCommand = (operators: Operators, id: number | undefined, name: string): boolean =>
  may(operators, id, ({ commands }) => commands.includes(name))

const mayTap = (operators: Operators, id: number | undefined, data: string): boolean =>
  may(operators, id, (listed) => listed.taps.some((tap) => tap.parse(data) !== undefined))

type Deps = Pick<BotDeps, 'operator'>

/** The routes of the desk, each for those who have the right to it. */
export const guarded = ({ operator }: Deps, { commands = {}, taps = [] }: Routes): Routes => ({
  commands: Object.fromEntries(
    Object.entries(commands).map(([name, handle]): [string, typeof handle] => [
      name,
      (ctx, next) => (mayCommand(operator, ctx.from?.id, name) ? handle(ctx, next) : refuse(ctx)),
    ]),
  ),
  taps: taps.map((handle) => (ctx, next) => {
    const act = handle(ctx, next)
    return act && !mayTap(operator, ctx.from.id, ctx.callbackQuery.data) ? () => refuse(ctx) : act
  }),
})

/** Answers a command or a tap to which the role gives no right. */
export const refuse = (ctx: Ctx): Promise<void> =>
  ctx.callbackQuery ? alert(ctx, ctx.say.plain('admin-no-right')) : reply(ctx, ctx.say.html('admin-no-right'))

/** The buttons that the operator of an update may press. */
export const allowedButtons = (
  { operator }: Deps,
  { from }: Context,
  keyboard: InlineKeyboard,
): InlineKeyboard => onlyButtons(keyboard, (data) => mayTap(operator, from?.id, data))
