// Limits how many updates of one user this process handles: a burst of 30, then one a second. Payments are handled before the limit. A user
// who only talks to others in a group is not told of it.

import type { MiddlewareFn } from 'grammy'
import type { Clock } from '../../runtime/clock.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { isAddressed } from '../mention.ts'
import { alert, reply } from '../responses.ts'

const burst = 30
const perSecond = 1

interface Bucket {
  left: number
  filledAt: number
  /** Whether the user was told about the limit. */
  told: boolean
}

/** @returns `go`; `tell` for the first update over the limit of which the user may be told; `drop` for the others */
export function createBuckets(clock: Clock): (person: number, mayTell?: boolean) => 'go' | 'tell' | 'drop' {
  const buckets = new Map<number, Bucket>()
  let sweptAt = 0

  /** A clock that is set back takes no tokens away. */
  const filled = ({ left, filledAt }: Bucket, now: number) =>
    Math.min(burst, left + (Math.max(0, now - filledAt) / 1000) * perSecond)

  /** Deletes full buckets: a missing bucket counts as full. */
  const sweep = (now: number) => {
    if (now - sweptAt < (burst / perSecond) * 1000) return
    sweptAt = now
    for (const [person, bucket] of buckets) if (filled(bucket, now) >= burst) buckets.delete(person)
  }

  return (person, mayTell = true) => {
    const now = clock.now().getTime()
    sweep(now)
    const bucket = buckets.get(person) ?? { left: burst, filledAt: now, told: false }
    const left = filled(bucket, now)
    const isEnough = left >= 1
    const told = isEnough ? bucket.told && left < burst / 2 : bucket.told || mayTell
    buckets.set(person, { left: isEnough ? left - 1 : left, filledAt: now, told })
    if (isEnough) return 'go'
    return bucket.told || !mayTell ? 'drop' : 'tell'
  }
}

export function limitFlood(deps: Pick<BotDeps, 'clock' | 'catalog'>): MiddlewareFn<Ctx> {
  const take = createBuckets(deps.clock)
  return async (ctx, next) => {
    const may = take(ctx.from?.id ?? 0, isAddressed(deps, ctx))
    if (may === 'go') return next()
    if (may === 'drop') return
    if (ctx.callbackQuery) return alert(ctx, ctx.say.plain('too-fast'))
    await reply(ctx, ctx.say.html('too-fast'))
  }
}
