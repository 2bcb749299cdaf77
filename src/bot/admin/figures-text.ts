// The figures of a period as text: the caption of the chart, at most 1024 characters.

import type { Catalog } from '../../catalog/catalog.ts'
import type { Figures } from '../../operator/figures.ts'
import type { Say } from '../../texts.ts'

const longestCaption = 1024

export function figuresText(say: Say, days: number, found: Figures, catalog: Catalog): string {
  const topUps = found.topUps.map(({ provider, count, credit }) =>
    say.html('admin-figures-top-up', { provider, count, credit: say.roubles(credit) }),
  )
  const models = found.models.map(({ modelId, done, failed }) => {
    const model = catalog.find(modelId)
    const rate = Math.round((failed * 100) / (done + failed))
    return say.html('admin-figures-model', {
      name: model ? say.label(model.label) : modelId,
      done,
      failed,
      rate,
    })
  })
  const lines = [main(say, days, found), ...late(say, found), ...topUps, rest(say, found), ...models]
  while (visibleLength(lines) > longestCaption) lines.pop()
  return lines.join('\n')
}

function main(say: Say, days: number, { revenue, cost }: Figures): string {
  const margin = revenue - cost
  const share = revenue > 0n ? `${(margin * 100n) / revenue} %`.replace('-', '−') : '—'
  return say.html('admin-figures', {
    days,
    revenue: say.roubles(revenue),
    cost: say.roubles(cost),
    margin: say.roubles(margin),
    share,
  })
}

const late = (say: Say, { late: { count, cost } }: Figures): readonly string[] =>
  count > 0 ? [say.html('admin-figures-late', { count, cost: say.roubles(cost) })] : []

const rest = (say: Say, { newUsers, activeUsers, held, owed, openReports }: Figures): string =>
  say.html('admin-figures-rest', {
    newUsers,
    activeUsers,
    held: say.roubles(held),
    owed: say.roubles(owed),
    openReports,
  })

const visibleLength = (lines: readonly string[]): number =>
  lines
    .join('\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, '&').length
