// Finds the user of an update or creates one, and decides who may go on: updates without a user (channels), messages of people who only talk
// to others in a group, and banned users end here.

import type { MiddlewareFn } from 'grammy'
import { post } from '../../ledger/ledger.ts'
import { invited, welcome } from '../../ledger/moves.ts'
import { inviteCode, setReferrer, wasInvited } from '../../ledger/referral.ts'
import { setSource } from '../../operator/sources.ts'
import { findShared } from '../../orders/history.ts'
import type { Clock } from '../../runtime/clock.ts'
import { wordsIn } from '../../telegram/words.ts'
import {
  changeUser,
  ensureUser,
  findByTelegram,
  hashOfPerson,
  shownName,
  type User,
  wasForgotten,
} from '../../users/user.ts'
import { answerIfBanned, isStaff } from '../admin/operator.ts'
import { alert, type BotDeps, type Ctx, reply } from '../context.ts'
import { isAddressed } from '../notes.ts'

/** The user in whose name Telegram forwards the posts of a channel into its discussion group. */
const channelPoster = 777_000

export const recogniseUser =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (!ctx.from || ctx.from.is_bot || ctx.from.id === channelPoster) return
    const { id: telegramId, language_code: languageCode, username = null } = ctx.from
    const name = shownName([ctx.from.first_name, ctx.from.last_name].filter(Boolean).join(' '))
    const person = { telegramId, languageCode, name: name || null, username }
    if (await isBystander(deps, ctx, telegramId)) return
    const { user, isNew } = await ensureUser(deps.db, person, deps.clock.now())
    if (isNew) await greet(deps, ctx, user)
    ctx.user = user
    deps.log.debug({ user: user.id.toString(), chat: ctx.chat?.id, isNew }, 'user recognised')
    ctx.say = deps.texts(ctx.user.locale)
    if (await answerIfBanned(deps, ctx)) return
    await next()
  }

/** Whether a person who is no user says something in a group that is not meant for the bot. Nothing about such a person is stored. */
async function isBystander(deps: BotDeps, ctx: Ctx, telegramId: number): Promise<boolean> {
  if (isAddressed(deps, ctx) || isStaff(deps, ctx)) return false
  return (await findByTelegram(deps.db, telegramId)) === undefined
}

async function greet(deps: BotDeps, ctx: Ctx, user: User): Promise<void> {
  await giveWelcome(deps, ctx, user)
  // Last: an interrupted greeting is repeated, and no credit is given twice.
  await changeUser(deps.db, user.id, { greetedAt: deps.clock.now() })
}

const firstLink = /^\/start(?:@\w+)? (?:ref_([0-9a-z]{1,10})|p_([0-9a-z]{10})|src_([A-Za-z0-9_-]{1,40}))$/

/**
 * Credits the welcome amount once per person, and the bonus of those who were invited: a person whose data was deleted comes back as a new
 * user, without a second credit and without an inviter.
 */
async function giveWelcome(deps: BotDeps, ctx: Ctx, { id, telegramId }: User): Promise<void> {
  const { db, clock, welcomeCredit, invitedBonus } = deps
  if (telegramId === null || (await wasForgotten(db, hashOfPerson(ctx.api.token, telegramId)))) return
  if (welcomeCredit > 0n) await post(db, welcome(id, welcomeCredit), clock.now())
  const [, code, orderId, source] = firstLink.exec(ctx.message ? wordsIn(ctx.message) : '') ?? []
  if (source) await setSource(db, id, source)
  const shared = orderId === undefined ? undefined : await findShared(deps, orderId)
  const inviter = shared ? inviteCode(shared.userId) : code
  if (inviter) await setReferrer(db, id, inviter)
  // An interrupted greeting is repeated with the inviter already set.
  if (inviter && invitedBonus > 0n && (await wasInvited(db, id)))
    await post(db, invited(id, invitedBonus), clock.now())
}

// Limits how many updates of one user this process handles: a burst of 30, then one a second. Payments are handled before the limit. A user
// who only talks to others in a group is not told of it.

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
