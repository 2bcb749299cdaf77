// How much one person may ask of this process: a handful at once, then about one thing a second. Payments come before it.

import type { MiddlewareFn } from 'grammy'
import type { Clock } from '../../runtime/clock.ts'
import type { Ctx } from '../context.ts'

const atOnce = 30
const perSecond = 1

interface Bucket {
  left: number
  filledAt: number
  /** Whether they know why nothing happens. */
  told: boolean
}

/** @returns `go`, or for the first that is too much `tell`, or `drop` */
export function createBuckets(clock: Clock): (person: number) => 'go' | 'tell' | 'drop' {
  const buckets = new Map<number, Bucket>()
  let sweptAt = 0

  /** A clock that was set back takes nothing away. */
  const filled = ({ left, filledAt }: Bucket, now: number) =>
    Math.min(atOnce, left + (Math.max(0, now - filledAt) / 1000) * perSecond)

  /** Who has been quiet long enough is as good as unknown. */
  const sweep = (now: number) => {
    if (now - sweptAt < (atOnce / perSecond) * 1000) return
    sweptAt = now
    for (const [person, bucket] of buckets) if (filled(bucket, now) >= atOnce) buckets.delete(person)
  }

  return (person) => {
    const now = clock.now().getTime()
    sweep(now)
    const bucket = buckets.get(person) ?? { left: atOnce, filledAt: now, told: false }
    const left = filled(bucket, now)
    const isEnough = left >= 1
    const told = !isEnough || (bucket.told && left < atOnce / 2)
    buckets.set(person, { left: isEnough ? left - 1 : left, filledAt: now, told })
    if (isEnough) return 'go'
    return bucket.told ? 'drop' : 'tell'
  }
}

export function limitFlood(clock: Clock): MiddlewareFn<Ctx> {
  const take = createBuckets(clock)
  return async (ctx, next) => {
    const may = take(ctx.from?.id ?? 0)
    if (may === 'go') return next()
    if (may === 'drop') return
    if (ctx.callbackQuery)
      await ctx.answerCallbackQuery({ text: ctx.say.plain('too-fast'), show_alert: true })
    else await ctx.reply(ctx.say.html('too-fast'), { parse_mode: 'HTML' })
  }
}
