// What operators read of figures, people, orders, payments and actions, in HTML: at the desk in the chat and, without the tags, in a terminal.

import type { Catalog } from '../../catalog/catalog.ts'
import { labelOf, type TextModel } from '../../catalog/text-models.ts'
import type { Kopecks } from '../../money.ts'
import type { LoggedAction } from '../../operator/actions.ts'
import type { Figures, ModelFigures, SourceFigures } from '../../operator/figures.ts'
import { operatorStateOf, type PaymentOfPerson, type Person, type Profile } from '../../operator/people.ts'
import type { Period } from '../../operator/periods.ts'
import type { PromoCode } from '../../operator/promo.ts'
import type { Artifact, Generation } from '../../orders/generation.ts'
import { localTime } from '../../runtime/clock.ts'
import { cutTo } from '../../runtime/text.ts'
import { type Say, type Texts, withoutHtml } from '../../texts.ts'
import { builtInReason, reasonText } from '../balance.ts'

/** What is known of the shop to name what was sold, and when. */
export interface Reading {
  readonly catalog: Pick<Catalog, 'find'>
  readonly textModels: readonly TextModel[]
  readonly texts: Texts
  readonly operator: { readonly timeZone: string }
}

/** The values by which texts name a period: `$days` is 1 for a single day. */
export const namesOf = ({ days, firstDay, lastDay, zone }: Period) => ({
  days: days.length,
  first: dayOf(firstDay),
  last: dayOf(lastDay),
  zone,
})

/** `2026-11-21` as `21.11.2026`. */
const dayOf = (day: string): string => day.split('-').toReversed().join('.')

/** Models that do not fit are added up in one line, so that the lines still give the total. @param longest characters that are shown */
export function figuresText(
  deps: Reading,
  say: Say,
  period: Period,
  found: Figures,
  longest = Number.POSITIVE_INFINITY,
): string {
  const { came, ordered, paid } = found.total
  const { activeUsers, openReports } = found
  const people = say.html('admin-figures-people', { came, ordered, paid, activeUsers, openReports })
  const head = [...result(say, period, found), ...owed(say, found), people]
  const models = found.models.map((model) => modelLine(say, model, modelName(deps, say, model)))
  for (let shown = models.length; ; shown -= 1) {
    const rest = found.models.slice(shown)
    const lines = [...head, ...models.slice(0, shown), ...(rest.length > 0 ? [restLine(say, rest)] : [])]
    const text = lines.join('\n')
    if (shown === 0 || withoutHtml(text).length <= longest) return text
  }
}

function result(say: Say, period: Period, found: Figures): readonly string[] {
  const { revenue, margin, late, lost, estimated, uncosted, commissions } = found
  const notes = [
    commissions.known !== 0n &&
      say.html('admin-figures-commissions', { sum: say.roubles(commissions.known) }),
    commissions.unknown.length > 0 &&
      say.html('admin-figures-before-commissions', { providers: commissions.unknown.join(', ') }),
    late.count > 0 && say.html('admin-figures-late', { count: late.count, cost: say.roubles(late.cost) }),
    lost.count > 0 && say.html('admin-figures-lost', { count: lost.count, cost: say.roubles(lost.cost) }),
    estimated > 0 && say.html('admin-figures-estimated', { count: estimated }),
    uncosted.count > 0 &&
      say.html('admin-figures-uncosted', { count: uncosted.count, sales: say.roubles(uncosted.sales) }),
  ]
  return [
    say.html('admin-figures', {
      ...namesOf(period),
      sales: say.roubles(found.sales),
      refunds: say.roubles(found.refunds),
      revenue: say.roubles(revenue),
      media: say.roubles(found.mediaCost),
      text: say.roubles(found.textCost),
      cost: say.roubles(found.cost),
      margin: say.roubles(margin),
      share: revenue > 0n ? `${(margin * 100n) / revenue} %`.replace('-', '−') : '—',
    }),
    ...notes.filter((note) => note !== false),
  ]
}

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

function modelName({ catalog, textModels }: Reading, say: Say, { modelId }: ModelFigures): string {
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

function restLine(say: Say, models: readonly Counted[]): string {
  const all = models.reduce((sum, one) => ({
    done: sum.done + one.done,
    failed: sum.failed + one.failed,
    sales: sum.sales + one.sales,
    refunds: sum.refunds + one.refunds,
    cost: sum.cost + one.cost,
    margin: sum.margin + one.margin,
  }))
  return modelLine(say, all, say.plain('admin-figures-other-models', { count: models.length }))
}

export const sourceLine = (say: Say, { source, came, ordered, paid, ...sums }: SourceFigures): string =>
  say.html('admin-sources-line', {
    source,
    came,
    ordered,
    paid,
    topUps: say.roubles(sums.topUps),
    revenue: say.roubles(sums.revenue),
    ofNew: say.roubles(sums.newRevenue),
    refunds: say.roubles(sums.refunds),
    margin: say.roubles(sums.margin),
  })

// People, their orders and payments.

/** The name of a user, or else the username or the id. */
export const nameOf = ({ id, name, username }: Pick<Person, 'id' | 'name' | 'username'>): string =>
  name ?? (username ? `@${username}` : `#${id}`)

/** The name with id and username, which tell apart users of the same name. */
export const whoIs = (one: Pick<Person, 'id' | 'name' | 'username'>): string =>
  [nameOf(one), `#${one.id}`, ...(one.username ? [`@${one.username}`] : [])].join(' · ')

export function profileText({ operator: { timeZone } }: Reading, say: Say, profile: Profile): string {
  const { person, balance, spent, paid, orders, failures, banReason } = profile
  const { bannedAt, forgottenAt, partnerPercent: percent } = person
  return [
    say.html('admin-user', {
      name: nameOf(person),
      id: String(person.id),
      username: person.username ? `@${person.username}` : '—',
      telegram: person.telegramId === null ? '—' : String(person.telegramId),
      since: localTime(person.createdAt, timeZone),
      available: say.roubles(balance.available),
      held: say.roubles(balance.held),
      paid: say.roubles(paid),
      spent: say.roubles(spent),
      orders,
      failures,
    }),
    percent !== null && say.html('admin-user-partner', { percent }),
    bannedAt &&
      say.html('admin-user-banned', { since: localTime(bannedAt, timeZone), reason: banReason ?? '—' }),
    forgottenAt && say.html('admin-user-forgotten', { since: localTime(forgottenAt, timeZone) }),
  ]
    .filter(Boolean)
    .join('\n')
}

/** @param files undefined for the short form */
export function orderLine(
  { catalog, operator }: Reading,
  say: Say,
  generation: Generation,
  files?: readonly Artifact[],
): string {
  const { id, createdAt, amount, captured, refunded, modelId, taskId, reason, provider } = generation
  const model = catalog.find(modelId)
  const order = say.html('admin-order', {
    id,
    time: localTime(createdAt, operator.timeZone),
    model: model ? say.label(model.label) : modelId,
    state: operatorStateOf(generation),
    amount: say.roubles(captured ?? amount),
    back: say.roubles(refunded ?? 0n),
    reason: reason ? say.plain(`admin-reason-${reason}`) : '—',
  })
  if (!files) return order
  const details = say.html('admin-order-details', {
    task: taskId ?? '—',
    provider: provider ?? 'none',
    results: listed(files.map(({ resultId }) => resultId)),
    seeds: listed(files.map(({ seed }) => seed)),
  })
  return `${order}\n${details}`
}

const listed = (values: readonly (string | number | null)[]): string =>
  [...new Set(values.flatMap((one) => one ?? []))].join(', ') || 'none'

export function paymentLine({ operator }: Reading, say: Say, payment: PaymentOfPerson): string {
  const { provider, chargeId, credit, createdAt, refundedAt, back, receipt } = payment
  const line = say.html('admin-payment', {
    time: localTime(createdAt, operator.timeZone),
    provider,
    charge: chargeId,
    credit: say.roubles(credit),
    back: say.roubles(back),
    state: refundedAt ? 'refunded' : back > 0n ? 'partly' : 'paid',
  })
  if (!receipt) return line
  const { url, said, dueAt, amount } = receipt
  const state = dueAt ? (said ? 'fails' : 'waits') : amount > 0n ? 'made' : 'canceled'
  const values = { state, url: url ?? '', said: said ?? '', amount: say.roubles(amount) }
  return `${line}\n${say.html('admin-tax-receipt', values)}`
}

// Promo codes and the log of actions.

export const promoText = (say: Say, { percent, amount }: Pick<PromoCode, 'percent' | 'amount'>): string =>
  percent === null
    ? say.roubles(amount)
    : say.plain('admin-promo-percent', { percent, most: say.roubles(amount) })

export function logLine(
  deps: Reading,
  say: Say,
  { createdAt, operatorId, action, subject, reason, details: { amount } }: LoggedAction,
): string {
  return say.html('admin-log-line', {
    time: localTime(createdAt, deps.operator.timeZone),
    who: operatorId === null ? 'npm run admin' : String(operatorId),
    action,
    subject,
    amount: typeof amount === 'string' ? say.roubles(BigInt(amount)) : '',
    reason: cutTo(reasonOf(deps, say, reason ?? ''), 200),
  })
}

/** The stored text of a refund after a report addresses the user, so operators see another text. */
const reasonOf = (deps: Reading, say: Say, stored: string): string =>
  builtInReason(deps, stored) === 'refund-by-report'
    ? say.plain('admin-reason-report')
    : reasonText(deps, say, stored)
