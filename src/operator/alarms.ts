// Alarms: the operators get a message when a trouble begins, every six hours while it lasts, and when it ends. The table stores when an
// alarm was sent, so that only one of several processes sends it.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { alarms } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { hourMs, minuteMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import type { OperatorDeps } from './actions.ts'
import { type Check, type Watched, watched } from './checks.ts'

type Kind = (typeof watched)[number]['kind'] | 'webhook'

export interface AlarmReport {
  readonly is: 'begins' | 'lasts' | 'over'
  readonly kind: Kind
  readonly fact: string
  readonly since: Date
}

interface AlarmDeps extends OperatorDeps {
  readonly log: Log
  /** @returns false when no operator could be reached */
  tell(report: AlarmReport): Promise<boolean>
  /** Without it the alarm of an earlier webhook is over. */
  readonly webhookCheck?: Check | undefined
}

const repeatMs = 6 * hourMs
/** The time in which the process that claims an alarm sends it. Then the alarm is due again, since that process may have been killed. */
const claimedMs = 5 * minuteMs

/** The audit runs less often than the other checks, since it reads all money rows. */
const everyMs = (kind: Kind) => (kind === 'audit' ? hourMs : minuteMs)

export function createAlarms(deps: AlarmDeps): Loop {
  const dueAt = new Map<Kind, number>()
  const { webhookCheck = async () => [] } = deps
  // Last, since it waits for Telegram.
  const all = [
    ...watched,
    { kind: 'webhook', check: webhookCheck, words: 'updates do not arrive by the webhook' } as const,
  ]
  const pass = async () => {
    const now = deps.clock.now().getTime()
    const open = await deps.db.select().from(alarms)
    for (const one of all) {
      if (now < (dueAt.get(one.kind) ?? 0)) continue
      dueAt.set(one.kind, now + everyMs(one.kind))
      // A failing check, for instance one that exceeds the time limit of a statement, does not keep the others from running.
      await runCheck(deps, one, open).catch((error: unknown) => {
        deps.log.error({ error, check: one.kind }, 'a check for an alarm failed')
      })
    }
    return false
  }
  const loop = createLoop(deps, { pass, idleMs: minuteMs, failed: 'alarms cannot be checked' })
  return {
    ...loop,
    /** The gateway has refused us: the operators learn it at once. */
    nudge() {
      dueAt.delete('sales')
      loop.nudge()
    },
  }
}

type Alarm = typeof alarms.$inferSelect
type Alarming = Watched & { readonly kind: Kind }

/** @param open the alarms of all kinds */
async function runCheck(deps: AlarmDeps, one: Alarming, open: readonly Alarm[]): Promise<void> {
  const troubles = await one.check(deps.db, deps.clock.now())
  const nameOf = (what?: string) => (what === undefined ? one.kind : `${one.kind}:${what}`)
  const names = new Map(troubles.map((trouble) => [nameOf(trouble.what), trouble]))
  for (const [name, { fact }] of names) await raise(deps, one, name, fact)
  const own = open.map(({ name }) => name).filter((name) => name.split(':', 1)[0] === one.kind)
  const over = own.filter((name) => !names.has(name))
  if (over.length > 0) await lower(deps, one, over)
}

const saidRow = z.object({ since: z.coerce.date(), first: z.boolean() })

/**
 * The process that claims the alarm sends it. The claim writes a `said_at` with which the alarm is soon due again. The present time is written
 * only after an operator was reached, because this process may end in between. So no message was sent while `said_at` is null or before
 * `since`.
 */
async function raise(deps: AlarmDeps, { kind, words }: Alarming, name: string, fact: string): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const claimed = timestamp(now, claimedMs - repeatMs)
  const before = timestamp(now, -repeatMs)
  await db.insert(alarms).values({ name, fact, since: now }).onConflictDoNothing()
  const claim = sql`
    with due as (
      select name, said_at from ${alarms}
      where name = ${name} and (said_at is null or said_at <= ${before}) for update
    )
    update ${alarms} a set said_at = ${claimed}, fact = ${fact} from due where a.name = due.name
    returning a.since, due.said_at is null or due.said_at < a.since as first`
  const [due] = await rows(db, claim, saidRow)
  if (!due) return
  deps.log.warn({ alarm: name, fact }, `alarm: ${words}`)
  const { first, since } = due
  const isSaid = await isTold(deps, { is: first ? 'begins' : 'lasts', kind, fact, since })
  if (!isSaid && !first) return
  // The clock of the process that wrote `since` may be ahead.
  const saidAt = now < since ? since : now
  // An alarm that was over and has begun again since then is another one.
  const isSame = and(eq(alarms.name, name), eq(alarms.since, since))
  await db
    .update(alarms)
    .set({ saidAt: isSaid ? saidAt : null })
    .where(isSame)
}

/** A failure counts as not told. */
const isTold = (deps: AlarmDeps, report: AlarmReport): Promise<boolean> =>
  deps.tell(report).catch((error: unknown) => {
    deps.log.error({ error, alarm: report.kind }, 'an alarm could not be sent')
    return false
  })

async function lower(deps: AlarmDeps, { kind, words }: Alarming, names: readonly string[]): Promise<void> {
  const ended = await deps.db
    .delete(alarms)
    .where(inArray(alarms.name, [...names]))
    .returning()
  for (const { name, fact, since, saidAt } of ended) {
    deps.log.info({ alarm: name, since }, `alarm is over: ${words}`)
    if (saidAt && saidAt >= since) await isTold(deps, { is: 'over', kind, fact, since })
  }
}
