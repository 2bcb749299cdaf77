// The figures of a period as text: the caption of the chart, at most 1024 characters.

import type { Catalog } from '../../catalog/catalog.ts'
import { labelOf, type TextModel } from '../../catalog/text-models.ts'
import type { Kopecks } from '../../money.ts'
import type { Figures, ModelFigures } from '../../operator/figures.ts'
import type { Period } from '../../operator/periods.ts'
import type { Say } from '../../texts.ts'

const longestCaption = 1024

interface Sold {
  readonly catalog: Catalog
  readonly textModels: readonly TextModel[]
}

/** Models that do not fit are added up in one line, so that the lines still give the total. */
export function figuresText(say: Say, period: Period, found: Figures, sold: Sold): string {
  const head = [...result(say, period, found), ...owed(say, found), people(say, found)]
  const models = found.models.map((model) => modelLine(say, model, nameOf(say, model, sold)))
  for (let shown = models.length; ; shown -= 1) {
    const rest = found.models.slice(shown)
    const lines = [...head, ...models.slice(0, shown), ...(rest.length > 0 ? [restLine(say, rest)] : [])]
    if (shown === 0 || visibleLength(lines) <= longestCaption) return lines.join('\n')
  }
}

function result(say: Say, period: Period, found: Figures): readonly string[] {
  const { revenue, margin, late, lost, estimated, uncosted, commissions } = found
  return [
    say.html('admin-figures', {
      days: period.days,
      first: dayOf(period.firstDay),
      last: dayOf(period.lastDay),
      zone: period.zone,
      sales: say.roubles(found.sales),
      refunds: say.roubles(found.refunds),
      revenue: say.roubles(revenue),
      media: say.roubles(found.mediaCost),
      text: say.roubles(found.textCost),
      cost: say.roubles(found.cost),
      margin: say.roubles(margin),
      share: revenue > 0n ? `${(margin * 100n) / revenue} %`.replace('-', '−') : '—',
    }),
    ...when(commissions.known !== 0n, () =>
      say.html('admin-figures-commissions', { sum: say.roubles(commissions.known) }),
    ),
    ...when(commissions.unknown.length > 0, () =>
      say.html('admin-figures-before-commissions', { providers: commissions.unknown.join(', ') }),
    ),
    ...when(late.count > 0, () =>
      say.html('admin-figures-late', { count: late.count, cost: say.roubles(late.cost) }),
    ),
    ...when(lost.count > 0, () =>
      say.html('admin-figures-lost', { count: lost.count, cost: say.roubles(lost.cost) }),
    ),
    ...when(estimated > 0, () => say.html('admin-figures-estimated', { count: estimated })),
    ...when(uncosted.count > 0, () =>
      say.html('admin-figures-uncosted', { count: uncosted.count, sales: say.roubles(uncosted.sales) }),
    ),
  ]
}

const when = (isShown: boolean, line: () => string): readonly string[] => (isShown ? [line()] : [])

/** `2026-11-21` as `21.11`. */
const dayOf = (day: string): string => `${day.slice(8)}.${day.slice(5, 7)}`

const owed = (say: Say, { owed, topUps }: Figures): readonly string[] => [
  say.html('admin-figures-owed', {
    now: say.roubles(owed.now),
    available: say.roubles(owed.available),
    held: say.roubles(owed.held),
    groups: say.roubles(owed.groups),
    before: say.roubles(owed.before),
    topUps: signed(say, owed.topUps),
    paymentRefunds: signed(say, owed.paymentRefunds),
    promotions: signed(say, owed.promotions),
    grants: signed(say, owed.grants),
    debits: signed(say, owed.debits),
    sales: signed(say, owed.sales),
    refunds: signed(say, owed.refunds),
  }),
  ...topUps.map(({ provider, count, credit }) =>
    say.html('admin-figures-top-up', { provider, count, credit: say.roubles(credit) }),
  ),
]

const signed = (say: Say, amount: Kopecks): string => (amount > 0n ? '+' : '') + say.roubles(amount)

const people = (say: Say, { newUsers, activeUsers, openReports }: Figures): string =>
  say.html('admin-figures-people', { newUsers, activeUsers, openReports })

function nameOf(say: Say, { modelId }: ModelFigures, { catalog, textModels }: Sold): string {
  if (modelId === undefined) return say.plain('admin-figures-no-model')
  const model = catalog.find(modelId)
  const textModel = textModels.find(({ id }) => id === modelId)
  return model ? say.label(model.label) : textModel ? labelOf(textModel) : modelId
}

const modelLine = (say: Say, model: Counted, name: string): string =>
  say.html('admin-figures-model', {
    name,
    done: model.done,
    failed: model.failed,
    rate: Math.round((model.failed * 100) / Math.max(1, model.done + model.failed)),
    sales: say.roubles(model.sales),
    refunds: say.roubles(model.refunds),
    cost: say.roubles(model.cost),
    margin: say.roubles(model.margin),
  })

type Counted = Omit<ModelFigures, 'modelId' | 'revenue'>

function restLine(say: Say, models: readonly ModelFigures[]): string {
  const [first, ...others] = models.map(({ modelId: _, revenue: __, ...counted }): Counted => counted)
  if (!first) return ''
  const all = others.reduce(
    (sum, one) => ({
      done: sum.done + one.done,
      failed: sum.failed + one.failed,
      sales: sum.sales + one.sales,
      refunds: sum.refunds + one.refunds,
      cost: sum.cost + one.cost,
      margin: sum.margin + one.margin,
    }),
    first,
  )
  return modelLine(say, all, say.plain('admin-figures-other-models', { count: models.length }))
}

const visibleLength = (lines: readonly string[]): number =>
  lines
    .join('\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&\w+;/g, '&').length
