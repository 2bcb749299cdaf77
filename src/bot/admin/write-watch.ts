// Tells the operators that this process cannot write to the database. Alarms are rows of the database, so this message is sent without it.

import type { Api } from 'grammy'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import { hourMs, minuteMs } from '../../runtime/durations.ts'
import { causesOf, type Log } from '../../runtime/log.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { htmlWithoutPreview } from '../../telegram/send-into.ts'
import { homeLocale, type Texts } from '../../texts.ts'
import { takeLeaderLease } from '../../updates/leader.ts'

interface Deps {
  readonly api: Api
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly texts: Texts
}

const everyMs = 15_000
const answerMs = 10_000
const toleratedMs = minuteMs
/** How often the operators are reminded, as of alarms. */
const repeatMs = 6 * hourMs

export function createWriteWatch(deps: Deps, { role, operator }: Pick<Config, 'role' | 'operator'>): Loop {
  const { clock } = deps
  const say = deps.texts(homeLocale)
  const now = () => clock.now().getTime()
  let writtenAt = now()
  let saidAt: number | undefined

  const tell = async (text: string) =>
    (await Promise.all(operator.ids.map((id) => send(deps, id, text)))).some(Boolean)
  const pass = async () => {
    // One row that all processes write: an idle process makes no other write that could show that the database takes writes.
    const why = await failureOf(takeLeaderLease(deps, 'write', 'any'), clock)
    const facts = { role, minutes: Math.round((now() - writtenAt) / minuteMs) }
    if (why === undefined) {
      if (saidAt !== undefined) await tell(say.html('database-back', facts))
      saidAt = undefined
      writtenAt = now()
    } else if (now() - Math.max(writtenAt + toleratedMs, (saidAt ?? 0) + repeatMs) >= 0) {
      if (await tell(say.html('database-away', { ...facts, why }))) saidAt = now()
    }
    return false
  }
  return createLoop(deps, { pass, idleMs: everyMs, failed: 'the watch of the database fails' })
}

/** @returns why nothing was written; undefined when it was */
async function failureOf(write: Promise<unknown>, clock: Clock): Promise<string | undefined> {
  if (!(await allSettledWithin([write], clock, answerMs))) return `no answer within ${answerMs / 1000} s`
  return write.then(
    () => undefined,
    (error: unknown) => causesOf(error).at(-1)?.slice(0, 200) ?? '',
  )
}

/** @returns whether the message was sent */
const send = ({ api, log }: Deps, id: number, text: string): Promise<boolean> =>
  api.sendMessage(id, text, htmlWithoutPreview).then(
    () => true,
    (error: unknown) => {
      log.warn({ error }, 'message to an operator not sent')
      return false
    },
  )
