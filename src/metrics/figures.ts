// Gauges read from the database at every scrape. Every process reports the same values: aggregate them with `max`, not with `sum`.

import { Gauge, type Registry } from 'prom-client'

/** Numbers by label value; zeros are left out. */
type Counts = Readonly<Record<string, number>>

export interface Figures {
  /** Sums of the transfers by account, in kopecks. */
  readonly money: Counts
  /** Sums of the stored balances of users: `available`, `held`; in kopecks. */
  readonly balances: Counts
  readonly users: number
  readonly generations: Counts
  /** Age of the oldest due generation that no process has claimed. */
  readonly dueSeconds: number
  readonly updateSeconds: number
  readonly undeliveredSeconds: number
  readonly waitingUpdates: number
  /** Open alarms by kind. */
  readonly alarms: Counts
  /** Active sales stops, by cause. */
  readonly salesStops: Counts
  /** Seconds since each regular job was completed. */
  readonly lastRuns: Counts
}

export type ReadFigures = () => Promise<Figures>

/** @returns a function that refreshes the gauges; while the database is unavailable, only `bot_database_up` is reported */
export function createFigures(registry: Registry, read: ReadFigures): () => Promise<void> {
  const up = gauge(registry, 'bot_database_up', 'Whether the database answered this scrape')
  const set = createGauges(registry)
  return async () => {
    const figures = await read().catch(() => undefined)
    up.set(figures ? 1 : 0)
    set(figures)
  }
}

const gauge = (registry: Registry, name: string, help: string) =>
  new Gauge({ name, help, registers: [registry] })

function createGauges(registry: Registry): (figures: Figures | undefined) => void {
  const by = <L extends string>(label: L, name: string, help: string) => {
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [registry] })
    return (counts: Counts = {}) => {
      gauge.reset()
      for (const [value, count] of Object.entries(counts)) gauge.labels(value).set(count)
    }
  }
  const one = (name: string, help: string) => {
    const alone = gauge(registry, name, help)
    return (value: number | undefined) => (value === undefined ? alone.remove() : alone.set(value))
  }
  const money = by('account', 'bot_money_kopecks', 'Sum of the transfers of each account')
  const balances = by('part', 'bot_balances_kopecks', 'Sum of the balances of users: available and held')
  const users = one('bot_users', 'Users, including deleted ones')
  const generations = by('state', 'bot_generations', 'Generations by state')
  const due = one('bot_due_generation_seconds', 'How long the oldest due generation has waited for a process')
  const update = one('bot_waiting_update_seconds', 'How long the oldest update has waited to be handled')
  const waiting = one('bot_waiting_updates', 'Updates that are not handled yet')
  const late = one(
    'bot_undelivered_seconds',
    'How long the oldest settled generation or answer waits for its delivery',
  )
  const alarms = by('kind', 'bot_alarms', 'Open alarms')
  const stops = by(
    'cause',
    'bot_sales_stops',
    'Active sales stops: the gateway refuses requests or cannot be reached',
  )
  const runs = by('job', 'bot_last_run_age_seconds', 'Time since a regular job was completed: audit, backup')
  return (figures) => {
    money(figures?.money)
    balances(figures?.balances)
    users(figures?.users)
    generations(figures?.generations)
    due(figures?.dueSeconds)
    update(figures?.updateSeconds)
    waiting(figures?.waitingUpdates)
    late(figures?.undeliveredSeconds)
    alarms(figures?.alarms)
    stops(figures?.salesStops)
    runs(figures?.lastRuns)
  }
}
