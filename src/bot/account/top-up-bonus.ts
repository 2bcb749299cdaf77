// What the messages of a top-up say about bonuses: on the buttons with sums, above them, and beside a chosen sum.

import { type WaitingCode, waitingCode } from '../../ledger/promo.ts'
import type { Kopecks } from '../../money.ts'
import { stepBonus } from '../../payments/bonus-steps.ts'
import { isWithin, limitsByAny } from '../../payments/providers.ts'
import { localMinute } from '../../telegram/local-time.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps } from '../context.ts'

type Deps = Pick<BotDeps, 'topUps'>

/** `₽1,000`, or `₽1,000 + ₽50` with the bonus that it brings. */
export function sumText({ topUps }: Deps, say: Say, amount: Kopecks): string {
  const bonus = stepBonus(topUps.bonusSteps, amount)
  return [amount, ...(bonus > 0n ? [bonus] : [])].map(say.roubles).join(' + ')
}

const usualSums: readonly Kopecks[] = [100_00n, 300_00n, 500_00n, 1000_00n]

/** The sums on the buttons that top up: the usual ones and those of the steps, as far as they can be paid. */
export function offeredSums({ topUps }: Deps): readonly Kopecks[] {
  const steps = topUps.bonusSteps?.map(({ from }) => from) ?? []
  const limits = limitsByAny(topUps)
  const sums = [...new Set([...usualSums, ...steps])].filter((amount) => isWithin(limits, amount))
  return sums.toSorted((a, b) => (a < b ? -1 : 1))
}

/** HTML. */
export function codeText(say: Say, { code, percent, most, expiresAt }: WaitingCode): string {
  const until = expiresAt ? [say.html('code-until', { until: localMinute(say, expiresAt) })] : []
  return [say.html('code-adds', { code, percent, most: say.roubles(most) }), ...until].join(' ')
}

/** HTML of what a top-up brings beside its credit, to be put below a text; empty for nothing. @param amount the chosen sum */
export async function bonusLines(
  { topUps, db, clock }: BotDeps,
  say: Say,
  userId: bigint,
  amount?: Kopecks,
): Promise<string> {
  const { bonusSteps = [] } = topUps
  const bonus = stepBonus(bonusSteps, amount ?? 0n)
  const steps = bonusSteps.map(({ from, percent }) =>
    say.plain('topup-step', { from: say.roubles(from), percent }),
  )
  const code = await waitingCode(db, userId, clock.now())
  const lines = [
    ...(amount === undefined && steps.length > 0
      ? [say.html('topup-steps', { steps: steps.join(', ') })]
      : []),
    ...(bonus > 0n ? [say.html('topup-bonus', { bonus: say.roubles(bonus) })] : []),
    ...(code ? [codeText(say, code)] : []),
  ]
  return lines.map((line) => `\n\n${line}`).join('')
}
