// Top-ups that are paid on a page of the provider: opened, then polled until they end. The table is the queue: a poll is due at
// `next_check_at` and moves it ahead before it begins, so any number of processes may poll and none polls twice.

import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { bucket, spend, tokens } from '../db/budget.ts'
import { rows } from '../db/client.ts'
import { topUps } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs, minuteMs } from '../runtime/durations.ts'
import { changeAndTell } from './notices.ts'
import type { LinkOpened, LinkOrder, LinkState, LinkWay } from './provider.ts'
import { noteRefund } from './refunds.ts'
import { type Credit, creditPayment, noticeOf, type TopUp, type TopUpDeps } from './top-ups.ts'
import { recordUnmatched } from './unmatched.ts'

type LinkResult =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'unavailable' }

const maxTries = 3
const pauseMs = 1000
/** The time limit for opening a payment; a user waits for the link. */
const openWithinMs = 12_000

/** Opening is idempotent (one payment for each top-up), so a request with an unknown outcome is repeated. */
export async function openLink(
  deps: TopUpDeps,
  way: LinkWay,
  topUp: TopUp,
  order: Omit<LinkOrder, 'topUpId' | 'charge'>,
): Promise<LinkResult> {
  const charge = { currency: topUp.currency, amount: topUp.charge }
  const opened = await openRepeatedly(deps, () => way.open({ ...order, charge, topUpId: topUp.id }))
  if (opened.is !== 'open') {
    deps.log.error({ topUp: topUp.id, opened }, 'payment page not opened')
    await deps.db.update(topUps).set({ state: 'expired' }).where(eq(topUps.id, topUp.id))
    return { ok: false, reason: 'unavailable' }
  }
  const { externalId, expiresAt, url } = opened
  const nextCheckAt = nextCheck(deps, { ...topUp, expiresAt })
  await deps.db.update(topUps).set({ externalId, expiresAt, nextCheckAt }).where(eq(topUps.id, topUp.id))
  return { ok: true, url }
}

async function openRepeatedly({ clock }: TopUpDeps, open: () => Promise<LinkOpened>): Promise<LinkOpened> {
  const until = clock.now().getTime() + openWithinMs
  for (let tries = 1; ; tries += 1) {
    const opened = await open()
    const isLast = tries === maxTries || clock.now().getTime() + pauseMs > until
    if (opened.is !== 'unavailable' || isLast) return opened
    await clock.wait(pauseMs)
  }
}

/**
 * When the next poll is due: after a fifth of the top-up's age, at least 3 and at most 200 poll intervals, with jitter. The last poll is
 * due when the link expires, so that an unpaid link is not waited for longer.
 */
function nextCheck(
  { clock, pollIntervalMs, random }: TopUpDeps,
  { createdAt, expiresAt }: Pick<TopUp, 'createdAt' | 'expiresAt'>,
): Date {
  const now = clock.now().getTime()
  const wanted = (now - createdAt.getTime()) / 5
  const pause = Math.min(Math.max(wanted, 3 * pollIntervalMs), 200 * pollIntervalMs)
  const end = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  return new Date(Math.min(now + pause * (0.9 + 0.2 * random()), Math.max(end, now)))
}

/**
 * How far a claim moves the next poll ahead: longer than any poll takes, and than a notification may delay one (notifications.ts), so that a
 * notification during a poll counts.
 */
const claimedForMs = 2 * minuteMs
/** Polls of all processes together. A shop that asks too often is refused, and then nobody can pay. */
const polls = { name: 'payment links', perSecond: 10 }

/**
 * The turn of each link of a user: first the links that are not due, since they were polled lately, then the due ones. Every user's first
 * turn comes before anybody's second, so that many links of one user delay nobody else.
 */
const turns = (at: SQL): SQL => sql`
  select id, count(*) filter (where next_check_at > ${at}) over of_user
    + row_number() over (of_user order by next_check_at) as turn
  from ${topUps} where next_check_at is not null window of_user as (partition by user_id)`

/** Polls the top-ups that are due, as many as the budget has tokens; closed ones only if tokens are left. @returns how many were polled */
export async function checkDueLinks(deps: TopUpDeps): Promise<number> {
  const now = deps.clock.now()
  const at = timestamp(now)
  const claim = sql`
    with ${bucket(polls, at)},
    due as (
      select id from ${topUps} join (${turns(at)}) turns using (id) where next_check_at <= ${at}
      order by ${eq(topUps.state, 'open')} desc, turn, next_check_at
      limit ${tokens(polls)} for update of ${topUps} skip locked
    ), ${spend(polls, at)}
    update ${topUps} set next_check_at = ${timestamp(now, claimedForMs)} where id in (select id from due) returning id`
  const claimed = await rows(deps.db, claim, z.object({ id: z.string() }))
  await Promise.all(claimed.map(({ id }) => checkLink(deps, id)))
  return claimed.length
}

/** Makes polls due at that time at the latest. Rows that are due earlier are not written. */
export async function pollBy({ db }: TopUpDeps, time: SQL, which: SQL | undefined): Promise<void> {
  const isLater = or(isNull(topUps.nextCheckAt), gt(topUps.nextCheckAt, time))
  await db.update(topUps).set({ nextCheckAt: time }).where(and(which, isLater))
}

export function linkWayOf({ providers }: TopUpDeps, providerId: string): LinkWay | undefined {
  const way = providers.find(({ id }) => id === providerId)?.way
  return way?.by === 'link' ? way : undefined
}

async function checkLink(deps: TopUpDeps, id: string): Promise<void> {
  try {
    const [topUp] = await deps.db.select().from(topUps).where(eq(topUps.id, id))
    if (!topUp?.externalId) return
    const way = linkWayOf(deps, topUp.provider)
    const state: LinkState = way
      ? await way.read(topUp.externalId)
      : { is: 'unavailable', said: 'the provider is switched off' }
    await applyState(deps, topUp, state)
  } catch (error) {
    deps.log.error({ topUp: id, error }, 'top-up cannot be checked')
  }
}

function applyState(deps: TopUpDeps, topUp: TopUp, state: LinkState): Promise<void> {
  switch (state.is) {
    case 'paid':
      return takePayment(deps, topUp, state)
    case 'canceled':
      return close(deps, topUp, 'not-paid')
    case 'pending':
      return closeIfOver(deps, topUp)
    case 'refused':
    case 'unavailable':
      deps.log.warn({ topUp: topUp.id, state }, 'top-up cannot be read')
      return readAgain(deps, topUp)
  }
}

function closeIfOver(deps: TopUpDeps, topUp: TopUp): Promise<void> {
  const isOver = topUp.expiresAt !== null && topUp.expiresAt <= deps.clock.now()
  return isOver ? close(deps, topUp, 'not-paid') : release(deps, topUp, nextCheck(deps, topUp))
}

/** How long after its expiry a top-up is polled that cannot be read: only an answer about its payment shows that it is not paid. */
const unreadForMs = 7 * dayMs

/** When an unpaid top-up is closed at the latest: when it expires, or, if it cannot be read then, a week later. */
export function closedBy({ expiresAt, createdAt }: Pick<TopUp, 'expiresAt' | 'createdAt'>, now: Date): Date {
  const end = expiresAt ?? createdAt
  return end > now ? end : new Date(end.getTime() + unreadForMs)
}

/** After a failed poll. The pause does not end with the expiry, since the payment may have been made before it. */
async function readAgain(deps: TopUpDeps, topUp: TopUp): Promise<void> {
  const now = deps.clock.now()
  if (closedBy(topUp, now) > now) {
    return release(deps, topUp, nextCheck(deps, { ...topUp, expiresAt: null }))
  }
  const { id, externalId, state } = topUp
  deps.log.error({ topUp: id, externalId, state }, 'top-up could not be read until a week after its expiry')
  await close(deps, topUp, 'not-paid')
}

/** Takes a paid payment, which is credited however late it was made. */
async function takePayment(
  deps: TopUpDeps,
  topUp: TopUp,
  { charge, topUpId, refunded }: Extract<LinkState, { is: 'paid' }>,
): Promise<void> {
  const chargeId = topUp.externalId
  if (chargeId === null) return
  const paid = {
    provider: topUp.provider,
    topUpId,
    userId: topUp.userId,
    currency: charge.currency,
    charge: charge.amount,
  }
  const taken = await creditOrRecordUnmatched(deps, topUp, paid, chargeId)
  if (refunded > 0n) await noteRefund(deps, topUp.provider, chargeId, refunded)
  await (taken ? release(deps, topUp, null) : close(deps, topUp, 'unmatched'))
}

/** Credits the payment, or records one that does not fit the top-up. @returns whether it fits */
async function creditOrRecordUnmatched(
  deps: TopUpDeps,
  topUp: TopUp,
  paid: Credit,
  chargeId: string,
): Promise<boolean> {
  if (paid.topUpId === topUp.id) {
    const credited = await creditPayment(deps, paid, chargeId)
    return credited.ok || credited.reason !== 'unmatched'
  }
  const { topUpId: named, provider, userId, charge, currency } = paid
  await recordUnmatched(deps, { provider, chargeId, named, userId, charge, currency }, 'another top-up')
  return false
}

/**
 * Closes a top-up. Only the process that changes the state writes the notice. The same statement ends the polling, unless a notification
 * of the provider has just asked for another poll: data cannot be deleted while a top-up is polled, and the user may want that at once.
 */
async function close(deps: TopUpDeps, topUp: TopUp, kind: 'not-paid' | 'unmatched'): Promise<void> {
  const expire = sql`
    update ${topUps} set state = ${'expired' satisfies TopUp['state']},
      next_check_at = nullif(next_check_at, ${timestamp(topUp.nextCheckAt)})
    where id = ${topUp.id} and ${eq(topUps.state, 'open')} returning id`
  if (await changeAndTell(deps, expire, noticeOf(kind, topUp))) deps.wakeNotices()
  else await release(deps, topUp, null)
}

/** Sets the time of the next poll, unless a notification has changed `next_check_at` during this poll. */
async function release({ db }: TopUpDeps, topUp: TopUp, nextCheckAt: Date | null): Promise<void> {
  await db
    .update(topUps)
    .set({ nextCheckAt })
    .where(and(eq(topUps.id, topUp.id), sql`${topUps.nextCheckAt} = ${timestamp(topUp.nextCheckAt)}`))
}
