// Reads the files of docs/ for monitoring (the dashboard and the alerts), and the names of the metrics that they may use.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const root = join(import.meta.dirname, '../../..')
export const readDoc = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8')

const target = z.object({ expr: z.string() })
const dashboard = z.object({
  panels: z.array(z.looseObject({ title: z.string(), targets: z.array(target).default([]) })),
})

export function readDashboard() {
  const { panels } = dashboard.parse(JSON.parse(readDoc('grafana-dashboard.json')))
  return { panels, queries: panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)) }
}

const alert = z.object({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
})
const rules = z.object({ groups: z.array(z.object({ rules: z.array(alert) })) })

export const readAlerts = () =>
  rules.parse(parse(readDoc('alerts.yaml'))).groups.flatMap((group) => group.rules)

/** The names of all metrics in the output of /metrics. For a histogram these are the names of its parts. */
export function metricNamesIn(rendered: string): ReadonlySet<string> {
  const typed = [...rendered.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const names = typed.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  )
  return new Set(names)
}
