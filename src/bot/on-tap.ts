// Registers the handler of a tap. A tap whose data no handler can parse reaches the fallback, which answers it as an outdated button.

import type { Composer, Filter } from 'grammy'
import type { Tap } from '../telegram/taps.ts'
import type { Ctx } from './context.ts'

export type TapCtx = Filter<Ctx, 'callback_query:data'>

export function onTap<Args>(
  composer: Composer<Ctx>,
  tap: Tap<Args>,
  handle: (ctx: TapCtx, args: Args) => Promise<void>,
): void {
  // There are dozens of taps, and `on` creates a Composer for each of them whenever an update passes.
  composer.use((ctx, next) => {
    const args = ctx.has('callback_query:data') && tap.parse(ctx.callbackQuery.data)
    return args ? handle(ctx, args) : next()
  })
}

/** Whether the tapped message has a button with the data of the tap; data that was forged is on no button. */
export function isButtonOfMessage({ callbackQuery }: Ctx): boolean {
  const message = callbackQuery?.message
  const rows = (message && 'reply_markup' in message && message.reply_markup?.inline_keyboard) || []
  return rows
    .flat()
    .some((button) => 'callback_data' in button && button.callback_data === callbackQuery?.data)
}
