// Which handler takes a command or a tap: every feature declares its own, and the handler of an update is found by the name of its command or
// the data of its tap. What no handler takes goes on to those of messages (see bot.ts).

import assert from 'node:assert/strict'
import { Context, type Filter, type MiddlewareFn, type NextFunction } from 'grammy'
import type { Tap } from '../telegram/taps.ts'
import { wordsIn } from '../telegram/words.ts'
import type { Ctx } from './context.ts'

/** `match` are the words after the command. */
export type CommandCtx = Filter<Ctx, 'message'> & { match: string }
export type TapCtx = Filter<Ctx, 'callback_query:data'>

/** @param next goes on as if the bot had no such command */
type CommandHandler = (ctx: CommandCtx, next: NextFunction) => Promise<void>

/** @returns what the tap does; undefined for the data of other taps */
type TapHandler = (ctx: TapCtx, next: NextFunction) => (() => Promise<void>) | undefined

/** What a feature handles. Commands about an account reach their handlers as messages of the private chat (groups/groups.ts). */
export interface Routes {
  readonly commands?: Readonly<Record<string, CommandHandler>>
  readonly taps?: readonly TapHandler[]
}

export const onTap =
  <Args>(
    tap: Tap<Args>,
    handle: (ctx: TapCtx, args: Args, next: NextFunction) => Promise<void>,
  ): TapHandler =>
  (ctx, next) => {
    const args = tap.parse(ctx.callbackQuery.data)
    return args && (() => handle(ctx, args, next))
  }

/** Whether an update is one of these commands. */
export function commandsNamed(names: readonly string[]) {
  const isNamed = Context.has.command([...names])
  return (ctx: Ctx): ctx is CommandCtx => ctx.message !== undefined && isNamed(ctx)
}

export const commandIn = ({ msg }: CommandCtx): string => /^\/(\w+)/.exec(wordsIn(msg))?.[1] ?? ''

/** A tap whose data no handler can parse reaches the fallback, which answers it as an outdated button. */
export function route(features: readonly Routes[]): MiddlewareFn<Ctx> {
  const named = features.flatMap((feature) => Object.entries(feature.commands ?? {}))
  const commands = new Map(named)
  assert(commands.size === named.length, 'a command has one handler')
  const taps = features.flatMap((feature) => feature.taps ?? [])
  const isCommand = commandsNamed([...commands.keys()])
  const isTap = Context.has.filterQuery('callback_query:data')
  return (ctx, next) => {
    if (isCommand(ctx)) return commands.get(commandIn(ctx))?.(ctx, next) ?? next()
    if (!isTap(ctx)) return next()
    for (const handle of taps) {
      const act = handle(ctx, next)
      if (act) return act()
    }
    return next()
  }
}
