// Why an order in a group cannot be paid. The group learns no amounts: only the person who taps does.

import type { Kopecks } from '../../money.ts'
import type { OverGroupCap } from '../../sales/group-cap.ts'
import type { Say } from '../../texts.ts'
import type { Ctx } from '../context.ts'
import { alert, privateChatButton, reply } from '../responses.ts'

/** The user's own balance is short. */
export async function leadToTopUp(ctx: Ctx, missing: Kopecks): Promise<void> {
  const { say } = ctx
  const name = ctx.from?.first_name ?? ''
  if (!ctx.callbackQuery) return reply(ctx, say.html('short-in-group-chat', { name }), privateChatButton(ctx))
  await alert(ctx, say.plain('short-alert', { missing: say.roubles(missing) }))
  await reply(ctx, say.html('short-in-group', { name }), privateChatButton(ctx))
}

/** The wallet of the group does not pay. */
export function groupRefusal(say: Say, refused: OverGroupCap): string {
  if (refused.reason !== 'wallet-cap') return say.plain(`order-${refused.reason}`)
  const { most, spent } = refused
  const left = say.roubles(most > spent ? most - spent : 0n)
  return say.plain('order-wallet-cap', { most: say.roubles(most), left })
}
