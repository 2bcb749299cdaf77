// A composer that costs little for updates that its filters do not match. grammY's own composer creates a composer and two promises for
// each filter that an update passes, and the features have more than a hundred filters: that was a fifth of the processor time of an
// update. This one makes one list of all filters and handlers, and goes through it in a loop.

import {
  Composer,
  type Context,
  type Filter,
  type Middleware,
  type MiddlewareFn,
  type MiddlewareObj,
  type NextFunction,
} from 'grammy'
import type { Tap } from '../telegram/taps.ts'
import type { Ctx } from './context.ts'

/** A handler, or composers behind a filter. */
type Route<C extends Context> =
  | { readonly handle: MiddlewareFn<C> }
  | { readonly fits: (ctx: C) => boolean; readonly inside: Routes<C> }

interface Step<C extends Context> {
  /** Undefined for a filter. */
  readonly handle: MiddlewareFn<C> | undefined
  readonly fits: (ctx: C) => boolean
  /** The index of the step to continue with when the filter does not match: the first one that is not behind this filter. */
  readonly otherwise: number
}

const always = () => true

/** Filters must be synchronous. A handler may call `next` once. Nothing can be installed after the first update. */
export class Routes<C extends Context> extends Composer<C> {
  readonly #routes: Route<C>[] = []
  /** The list of all steps, made at the first update, since `use` and `filter` return composers to which handlers are added afterwards. */
  #flat: readonly Step<C>[] | undefined

  constructor(...middleware: Middleware<C>[]) {
    super()
    this.#install(middleware)
  }

  override middleware(): MiddlewareFn<C> {
    return (ctx, next) => {
      this.#flat ??= this.#steps(0)
      return handleFrom(this.#flat, 0, ctx, next)
    }
  }

  override use(...middleware: Middleware<C>[]): Composer<C> {
    return this.filter(always, ...middleware)
  }

  override filter<D extends C>(predicate: (ctx: C) => ctx is D, ...middleware: Middleware<D>[]): Composer<D>
  override filter(predicate: (ctx: C) => boolean, ...middleware: Middleware<C>[]): Composer<C>
  override filter(fits: (ctx: C) => boolean, ...middleware: Middleware<C>[]): Composer<C> {
    const inside = new Routes<C>(...middleware)
    this.#routes.push({ fits, inside })
    return inside
  }

  #install(middleware: readonly Middleware<C>[]): void {
    for (const one of middleware) {
      if (one instanceof Routes) this.#routes.push({ fits: always, inside: one })
      else this.#routes.push({ handle: typeof one === 'function' ? one : handlerOf(one) })
    }
  }

  /** @param start the index of the first of these steps in the whole list */
  #steps(start: number): Step<C>[] {
    const steps: Step<C>[] = []
    for (const route of this.#routes) {
      const at = start + steps.length
      if ('handle' in route) steps.push({ handle: route.handle, fits: always, otherwise: at + 1 })
      else steps.push(...route.inside.#behind(route.fits, at))
    }
    return steps
  }

  #behind(fits: (ctx: C) => boolean, at: number): Step<C>[] {
    if (fits === always) return this.#steps(at)
    const steps = this.#steps(at + 1)
    return [{ handle: undefined, fits, otherwise: at + 1 + steps.length }, ...steps]
  }
}

/** Asks the composer for its middleware at each update: handlers may have been added to it. */
const handlerOf =
  <C extends Context>(composer: MiddlewareObj<C>): MiddlewareFn<C> =>
  (ctx, next) =>
    composer.middleware()(ctx, next)

/** Runs the first handler at or behind an index whose filters match; its `next` continues behind that handler. */
function handleFrom<C extends Context>(
  steps: readonly Step<C>[],
  from: number,
  ctx: C,
  next: NextFunction,
): Promise<void> {
  let at = from
  for (let step = steps[at]; step; step = steps[at]) {
    const { handle } = step
    if (handle) {
      const handled = handle(ctx, () => handleFrom(steps, at + 1, ctx, next))
      return handled instanceof Promise ? handled : Promise.resolve()
    }
    at = step.fits(ctx) ? at + 1 : step.otherwise
  }
  return next()
}

// Registers the handler of a tap. A tap whose data no handler can parse reaches the fallback, which answers it as an outdated button.

export type TapCtx = Filter<Ctx, 'callback_query:data'>

export function onTap<Args>(
  composer: Composer<Ctx>,
  tap: Tap<Args>,
  handle: (ctx: TapCtx, args: Args) => Promise<void>,
): void {
  composer.on('callback_query:data', (ctx, next) => {
    const args = tap.parse(ctx.callbackQuery.data)
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
