// Formats counts as text.

import { written } from '../frame/table.ts'
import { bounds } from './bounds.ts'
import { type Count, totals } from './count.ts'
import type { Calls } from './tally.ts'

export function reportOf(counts: readonly Count[]): string {
  return counts.map(describe).join('\n\n')
}

function describe(count: Count): string {
  const { statements, requests } = totals(count)
  const bound = bounds[count.name]
  return [
    `${count.name}: ${written(statements)} statements (at most ${bound.statements}) and ${written(requests)} requests (at most ${bound.requests}) for each ${count.unit}`,
    ...linesOf(count.statements, shortened),
    ...linesOf(count.requests, (method) => method),
  ].join('\n')
}

/** One line for each call, the most frequent first, without calls whose number rounds to zero. */
function linesOf(calls: Calls, told: (name: string) => string): string[] {
  const named = new Map<string, number>()
  for (const [name, count] of calls) named.set(told(name), (named.get(told(name)) ?? 0) + count)
  return [...named]
    .filter(([, count]) => count >= 0.005)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `  ${count.toFixed(2).padStart(6)}  ${cut(name)}`)
}

const mostShown = 170
const cut = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)

/** Removes the lists of columns and parameters; tables and conditions are enough to distinguish statements. */
export const shortened = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/::\w+/g, '')
    .replaceAll(/\$(, \$)+/g, '$')
    .replaceAll(/([\w.]+ = \$, )+[\w.]+ = \$/g, '… = $')
    .replaceAll(/([\w.]+, ){3,}[\w.]+/g, '…')
    .replaceAll(/\b\w+\.(\w+)\b/g, '$1')
    .trim()
