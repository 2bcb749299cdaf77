// Messages to operators that answer no update: about broadcasts and alarms, and the summary of yesterday.

import type { Api } from 'grammy'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/client.ts'
import type { Metrics } from '../../metrics.ts'
import { type AlarmReport, createAlarms } from '../../operator/alarms.ts'
import { createBroadcaster } from '../../operator/broadcasts.ts'
import { readFigures } from '../../operator/figures.ts'
import { type Period, readPeriod } from '../../operator/periods.ts'
import { allSettledWithin, type Clock, hourMs, localTime, minuteMs } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { causesOf, type Log } from '../../runtime/log.ts'
import { createLoop, type Loop } from '../../runtime/loop.ts'
import { readStopFact, type Stop } from '../../sales/sales.ts'
import { htmlWithoutPreview } from '../../telegram/send.ts'
import { homeLocale, type Say, type Texts } from '../../texts.ts'
import { takeLeaderLease } from '../../updates/polling.ts'
import { createWebhookCheck } from '../../updates/webhook.ts'
import { cardOf, copyBroadcast } from './broadcast.ts'
import { createGroupNews, sayOf, tellOperators, trySend } from './group.ts'
import { namesOf } from './texts.ts'

interface Deps {
  readonly api: Api
  readonly db: Database
  readonly texts: Texts
  readonly log: Log
}

type LoopDeps = Deps & { readonly clock: Clock; readonly ids: Ids; readonly metrics: Metrics }

/** The background work for operators, in every process: broadcasts, alarms, and the news of their group. */
export function createOperatorLoops(deps: LoopDeps, { operator, updates }: Config) {
  const broadcaster = createBroadcaster({
    ...deps,
    copy: (broadcast, { telegramId, locale }) =>
      copyBroadcast(deps.api, deps.texts(locale), broadcast, telegramId),
    async ended(broadcast) {
      const { chatId } = broadcast
      const { html, keyboard } = await cardOf({ ...deps, operator }, await sayOf(deps, chatId), broadcast)
      await trySend(deps, () =>
        deps.api.sendMessage(chatId, html, { parse_mode: 'HTML', reply_markup: keyboard }),
      )
    },
  })
  const alarms = createAlarms({
    ...deps,
    tell: (report) => tellAlarm({ ...deps, operator }, report),
    webhookCheck: updates === 'webhook' ? createWebhookCheck(deps) : undefined,
  })
  return { broadcaster, alarms, groupNews: createGroupNews({ ...deps, operator }) }
}

async function tellAlarm(deps: Deps & Pick<Config, 'operator'>, report: AlarmReport): Promise<boolean> {
  const { ids, chat, timeZone } = deps.operator
  // Without operators the log is the only place for an alarm: a retry would change nothing.
  if (ids.length === 0 && chat === undefined) return true
  return tellOperators(deps, 'alarms', ({ chatId, into, say }) =>
    deps.api.sendMessage(chatId, alarmText(say, report, timeZone), { ...htmlWithoutPreview, ...into }),
  )
}

/** What an alarm about sales is about, by the names that its texts use. */
const causeName = ({ cause }: Stop): string => cause.split(':', 1).join('')
function headOf(stop: Stop): string {
  if (stop.isStopped) return causeName(stop)
  return causeName(stop) === 'lost' ? 'losing' : 'suspected'
}

/** What to do, the model, the gateway's words or the server that has no file, and whether sales have stopped. */
function stopDetail(say: Say, stop: Stop): string {
  const { cause, said, isStopped } = stop
  const [, ...model] = cause.split(':')
  const isLost = causeName(stop) === 'lost'
  return [
    say.html('alarm-fact', { kind: 'sales', fact: causeName(stop) }),
    ...(model.length > 0 ? [say.html('alarm-model', { model: model.join(':') })] : []),
    ...(said === undefined ? [] : [say.html(isLost ? 'alarm-server' : 'failure-said', { said })]),
    ...(isStopped ? [] : [say.html(isLost ? 'alarm-losing' : 'alarm-suspected')]),
  ].join('\n')
}

function alarmText(say: Say, { is, kind, fact, since }: AlarmReport, timeZone: string): string {
  const stop = kind === 'sales' ? readStopFact(fact) : undefined
  const detail = { html: stop ? stopDetail(say, stop) : say.html('alarm-fact', { kind, fact }) }
  const facts = { kind, fact: stop ? headOf(stop) : fact, detail, since: localTime(since, timeZone) }
  if (is === 'begins') return say.html('alarm-begins', facts)
  return is === 'lasts' ? say.html('alarm-lasts', facts) : say.html('alarm-over', facts)
}

// Tells the operators that this process cannot write to the database. Alarms are rows of the database, so this message is sent without it.

const everyMs = 15_000
const answerMs = 10_000
const toleratedMs = minuteMs
/** How often the operators are reminded, as of alarms. */
const repeatMs = 6 * hourMs

export function createWriteWatch(
  deps: Deps & { readonly clock: Clock },
  { role, operator }: Pick<Config, 'role'> & { readonly operator: Pick<Config['operator'], 'ids'> },
): Loop {
  const { clock } = deps
  const say = deps.texts(homeLocale)
  const now = () => clock.now().getTime()
  let writtenAt = now()
  let saidAt: number | undefined

  const send = (id: number, text: string) =>
    trySend(deps, () => deps.api.sendMessage(id, text, htmlWithoutPreview))
  const tell = async (text: string) =>
    (await Promise.all(operator.ids.map((id) => send(id, text)))).some(Boolean)
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

// The summary of yesterday, which the operators get once a day, from the hour in the settings on.

type Settings = Pick<Config, 'operator' | 'topUp'>

/** @returns no loop without the setting */
export function createSummaries(deps: Omit<LoopDeps, 'metrics'>, config: Settings): readonly Loop[] {
  const { timeZone, summaryHour } = config.operator
  if (summaryHour === undefined) return []
  const pass = async () => {
    const now = deps.clock.now()
    const yesterday = readPeriod('yesterday', now, timeZone)
    const today = readPeriod('today', now, timeZone)
    if (!yesterday || !today || Number(localTime(now, timeZone).slice(11, 13)) < summaryHour) return false
    // Whoever takes the lease sends the summary, and keeps the lease for the rest of the day. When that process ends before, or reaches
    // nobody, the lease ends after an hour, and another attempt follows.
    const holder = deps.ids.next()
    const keep = (ms: number) => takeLeaderLease(deps, 'summary', holder, ms)
    if ((await keep(hourMs)) && (await tellSummary(deps, config, yesterday)))
      await keep(today.until.getTime() - now.getTime())
    return false
  }
  return [createLoop(deps, { pass, idleMs: minuteMs, failed: 'the daily summary cannot be sent' })]
}

async function tellSummary(deps: Deps, { operator, topUp }: Settings, day: Period): Promise<boolean> {
  const { total, owed, revenue, refunds, margin } = await readFigures(deps.db, day, topUp.providers)
  const { came, ordered, paid, done, failed } = total
  return tellOperators({ ...deps, operator }, 'reports', ({ chatId, into, say }) => {
    const text = say.html('admin-summary', {
      ...namesOf(day),
      ...{ came, ordered, paid, failed, ended: done + failed },
      topUps: say.roubles(owed.topUps),
      revenue: say.roubles(revenue),
      refunds: say.roubles(refunds),
      margin: say.roubles(margin),
    })
    return deps.api.sendMessage(chatId, text, { ...htmlWithoutPreview, ...into })
  })
}
