// The figures of a period for the terminal: the same as /admin shows.

import { formatRoubles, type Kopecks } from '../../money.ts'
import type { Figures, ModelFigures } from '../../operator/figures.ts'
import type { Period } from '../../operator/periods.ts'

export const figureLines = (period: Period, found: Figures): readonly string[] => [
  headOf(period),
  ...resultLines(found),
  ...found.models.map(modelLine),
  ...owedLines(found),
  `Users: ${found.newUsers} new, ${found.activeUsers} active`,
  `Open reports: ${found.openReports}`,
]

function headOf({ days, firstDay, lastDay, zone }: Period): string {
  return days === 1 ? `Today, ${lastDay} (${zone})` : `${days} days, ${firstDay} to ${lastDay} (${zone})`
}

function resultLines(found: Figures): readonly string[] {
  const { sales, refunds, revenue, mediaCost, textCost, cost, margin, late, lost, estimated, uncosted } =
    found
  const { known, unknown } = found.commissions
  return [
    `Sales ${formatRoubles(sales)} − refunds ${formatRoubles(refunds)} = revenue ${formatRoubles(revenue)}`,
    `Gateway: media ${formatRoubles(mediaCost)} + text ${formatRoubles(textCost)} = cost ${formatRoubles(cost)}`,
    `Margin ${formatRoubles(margin)}`,
    ...(known === 0n ? [] : [`  Commissions on top-ups are taken off: ${formatRoubles(known)}`]),
    ...(unknown.length > 0 ? [`  Before the commissions of: ${unknown.join(', ')}`] : []),
    ...(late.count > 0
      ? [
          `  In the cost: ${formatRoubles(late.cost)} for results that came after the refund and were given free (${late.count})`,
        ]
      : []),
    ...(lost.count > 0
      ? [
          `  In the cost: ${formatRoubles(lost.cost)} for results that could not be downloaded and were refunded (${lost.count})`,
        ]
      : []),
    ...(estimated > 0
      ? [
          `  In the cost: answers whose tokens the gateway did not report, with estimated tokens (${estimated})`,
        ]
      : []),
    ...(uncosted.count > 0
      ? [
          `  Not in the cost: answers that were stored without the gateway's rates (${uncosted.count}), sold for ${formatRoubles(uncosted.sales)}`,
        ]
      : []),
  ]
}

function modelLine({ modelId, done, failed, sales, refunds, cost, margin }: ModelFigures): string {
  const money = `${formatRoubles(sales)} − ${formatRoubles(refunds)} − ${formatRoubles(cost)} = ${formatRoubles(margin)}`
  return `  ${modelId ?? 'no model (run the audit)'}: ${done} done, ${failed} failed; sales − refunds − cost = margin before commissions: ${money}`
}

function owedLines({ owed, topUps }: Figures): readonly string[] {
  const by = topUps.map(({ provider, count, credit }) => `${provider} ${formatRoubles(credit)} (${count})`)
  return [
    `Owed to users before: ${formatRoubles(owed.before)}`,
    `  top-ups ${signed(owed.topUps)}${by.length > 0 ? `: ${by.join(', ')}` : ''}`,
    `  refunds of payments ${signed(owed.paymentRefunds)}`,
    `  promotions ${signed(owed.promotions)}`,
    `  corrections ${signed(owed.grants)} and ${signed(owed.debits, '−')}`,
    `  sales ${signed(owed.sales, '−')}`,
    `  refunds of orders ${signed(owed.refunds)}`,
    `Owed to users now: ${formatRoubles(owed.now)} = available ${formatRoubles(owed.available)} + held ${formatRoubles(owed.held)} + wallets of groups ${formatRoubles(owed.groups)}`,
  ]
}

/** @param zero the sign of an amount of zero */
const signed = (amount: Kopecks, zero = '+'): string =>
  amount < 0n ? formatRoubles(amount) : `${amount === 0n ? zero : '+'}${formatRoubles(amount)}`
