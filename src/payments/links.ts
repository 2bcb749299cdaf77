// Top-ups that are paid on a page of the provider: opened, then polled until they end, sooner after a notification. The table is the queue: a
// poll is due at `next_check_at`, and its process has the lease of the row. A user has at most ten open links, so they delay nobody else for
// long.

import { and, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { claimed, isClaimable, isHeld, released } from '../db/queue.ts'
import { topUps } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { createAllowance, dayMs, minuteMs } from '../runtime/clock.ts'
import { changeAndTell } from './notices.ts'
import { recordUnmatched } from './payment.ts'
import type { LinkOpened, LinkOrder, LinkState, LinkWay, NamedPayment, Notice } from './provider.ts'
import { noteRefund } from './refunds.ts'
import { creditPayment, noticeOf, type TopUp, type TopUpDeps } from './top-ups.ts'

const maxTries = 3
const pauseMs = 1000
/** The time limit for opening a payment; a user waits for the link. */
const openWithinMs = 12_000

/**
 * A request with an unknown outcome is repeated: no second payment can be paid for one top-up (see `LinkWay`).
 * @returns the address of the page; undefined when it cannot be opened now
 */
export async function openLink(
  deps: TopUpDeps,
  way: LinkWay,
  topUp: TopUp,
  order: Omit<LinkOrder, 'topUpId' | 'userId' | 'charge'>,
): Promise<string | undefined> {
  const charge = { currency: topUp.currency, amount: topUp.charge }
  const opened = await openRepeatedly(deps, () =>
    way.open({ ...order, charge, topUpId: topUp.id, userId: topUp.userId }),
  )
  if (opened.is !== 'open') {
    deps.log.error({ topUp: topUp.id, opened }, 'payment page not opened')
    return undefined
  }
  const { externalId, lifetimeMs, url } = opened
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs)
  const nextCheckAt = nextCheck(deps, { ...topUp, expiresAt })
  await deps.db.update(topUps).set({ externalId, expiresAt, nextCheckAt }).where(eq(topUps.id, topUp.id))
  return url
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
  return new Date(Math.min(now + pause * (0.9 + 0.2 * random()), end))
}

/** Polls of one pass. A shop that asks too often is refused, and then nobody can pay. */
const pollsAtOnce = 10

/** Polls the top-ups that are due, open ones first, then the longest due. @returns how many were polled */
export async function checkDueLinks(deps: TopUpDeps): Promise<number> {
  const now = deps.clock.now()
  const claim = { lease: deps.ids.next(), now, max: pollsAtOnce, maxSuspects: 1 }
  const due = lte(topUps.nextCheckAt, now)
  const order = sql`${eq(topUps.state, 'open')} desc, ${topUps.nextCheckAt}`
  const polled = await deps.db
    .update(topUps)
    .set(claimed(topUps, claim))
    .where(isClaimable(topUps, { due, order }, claim))
    .returning()
  await Promise.all(polled.map((topUp) => checkLink(deps, topUp)))
  return polled.length
}

/** Makes polls due at that time at the latest, also after a poll that is under way. Rows that are due earlier are not written. */
export async function pollBy({ db, clock }: TopUpDeps, time: SQL, which: SQL | undefined): Promise<void> {
  const { nextCheckAt, leaseUntil } = topUps
  const isLater = or(isNull(nextCheckAt), gt(nextCheckAt, time), gt(leaseUntil, clock.now()))
  await db.update(topUps).set({ nextCheckAt: time }).where(and(which, isLater))
}

function linkWayOf({ providers }: TopUpDeps, providerId: string): LinkWay | undefined {
  const way = providers.find(({ id }) => id === providerId)?.way
  return way?.by === 'link' ? way : undefined
}

async function checkLink(deps: TopUpDeps, topUp: TopUp): Promise<void> {
  const { id, externalId, provider } = topUp
  try {
    if (externalId === null) return
    const way = linkWayOf(deps, provider)
    const state: LinkState = way
      ? await way.read(externalId)
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

/** Takes a paid payment, which is credited however late it was made. One that names another top-up fits none. */
async function takePayment(
  deps: TopUpDeps,
  topUp: TopUp,
  { charge, topUpId = topUp.id, refunded }: Extract<LinkState, { is: 'paid' }>,
): Promise<void> {
  const { provider, userId, externalId: chargeId } = topUp
  if (chargeId === null) return
  const paid = { provider, topUpId, userId, currency: charge.currency, charge: charge.amount }
  const taken = await (topUpId === topUp.id
    ? creditPayment(deps, paid, chargeId)
    : recordUnmatched(deps, paid, chargeId, 'another top-up'))
  if (refunded > 0n) await noteRefund(deps, provider, chargeId, refunded)
  const isUnmatched = !taken.ok && taken.reason === 'unmatched'
  await (isUnmatched ? close(deps, topUp, 'unmatched') : release(deps, topUp, null))
}

/**
 * Closes a top-up. Only the process that changes the state writes the notice. The same statement ends the polling, unless a notification
 * of the provider has just asked for another poll: data cannot be deleted while a top-up is polled, and the user may want that at once.
 */
async function close(deps: TopUpDeps, topUp: TopUp, kind: 'not-paid' | 'unmatched'): Promise<void> {
  const expire = sql`
    update ${topUps} set state = ${'expired' satisfies TopUp['state']},
      next_check_at = nullif(next_check_at, ${timestamp(topUp.nextCheckAt)}), lease = null, lease_until = null, claims = 0
    where id = ${topUp.id} and ${eq(topUps.state, 'open')} returning id`
  if (!(await changeAndTell(deps, expire, noticeOf(kind, topUp)))) await release(deps, topUp, null)
}

/** Ends a poll and sets the time of the next one, unless a notification has changed `next_check_at` meanwhile. */
async function release({ db }: TopUpDeps, topUp: TopUp, nextCheckAt: Date | null): Promise<void> {
  const unchanged = sql`${topUps.nextCheckAt} = ${timestamp(topUp.nextCheckAt)}`
  const next = sql`case when ${unchanged} then ${timestamp(nextCheckAt)} else ${topUps.nextCheckAt} end`
  await db
    .update(topUps)
    .set({ nextCheckAt: next, ...released })
    .where(isHeld(topUps, topUp))
}

// Notifications bring polls forward, and so does a user who waits for the end of a payment. Nothing that a notification says is believed, and
// anybody can send one. One that carries the proof of its top-up has its payment read at once; all others together only as often as the
// allowance says, and each payment at most once a minute.

export interface Notifications {
  /** @returns false when the provider sends no notifications */
  receive(providerId: string, notice: Notice): Promise<boolean>
}

/**
 * How many notifications without a proof a process looks up: those about refunds, which have none, those about links that an earlier
 * version opened, and forged ones. A refund whose notification is dropped is found in the provider's list.
 */
const unproven = { perSecond: 2, most: 20 }

export function createNotifications(deps: TopUpDeps): Notifications {
  const takeUnproven = createAllowance(deps.clock, unproven)
  return {
    async receive(providerId, notice) {
      const way = linkWayOf(deps, providerId)
      if (!way) return false
      const payment = way.paymentIn(notice)
      if (payment && (payment.isProven || takeUnproven())) await pollSoon(deps, payment)
      return true
    },
  }
}

/** Up to three polls per interval while a top-up is open and the notification is proven. */
function pollSoon(deps: TopUpDeps, { externalId, isProven, topUpId }: NamedPayment): Promise<void> {
  const isThis = eq(topUps.externalId, externalId)
  if (!isProven) return pollBy(deps, withinAMinute(deps), isThis)
  const soon = timestamp(deps.clock.now(), deps.pollIntervalMs / 3)
  const time = sql`case when ${eq(topUps.state, 'open')} then ${soon} else ${withinAMinute(deps)} end`
  return pollBy(deps, time, and(isThis, topUpId === undefined ? undefined : eq(topUps.id, topUpId)))
}

/** Brings the next polls of a user's payments forward, so that a waiting user learns that the provider's page has closed them. */
export const pollLinksOf = (deps: TopUpDeps, userId: bigint): Promise<void> =>
  pollBy(deps, withinAMinute(deps), and(eq(topUps.userId, userId), isNotNull(topUps.nextCheckAt)))

/** For what is not urgent, or what somebody may ask for without end. */
const withinAMinute = ({ clock, pollIntervalMs }: TopUpDeps): SQL =>
  timestamp(clock.now(), Math.min(20 * pollIntervalMs, minuteMs))
