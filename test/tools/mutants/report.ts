// The printed report of a run.

import { reasonOf } from './equivalent.ts'
import { roomOf, rooms } from './rooms.ts'
import type { Verdict } from './trial.ts'

/** The lines that are printed as soon as a mutant is judged. */
export const lineOf = ({ mutant: { name, mistake }, is, by }: Verdict): string =>
  `${is.padEnd(9)}${name}: ${mistake}\n         by ${by}`

const kinds = ['found', 'hung', 'survived', 'equivalent', 'broken'] as const
type Kind = (typeof kinds)[number]

const kindOf = ({ is, mutant }: Verdict): Kind =>
  is === 'survived' && reasonOf(mutant) !== undefined ? 'equivalent' : is

interface Drawn {
  readonly sample: number
  readonly seed: number
  readonly only?: string | undefined
}

/** @param mistyped the number of mutants that the compiler refused while the sample was drawn */
export function summaryOf(
  { sample, seed, only }: Drawn,
  verdicts: readonly Verdict[],
  mistyped: number,
): string {
  const counted = (some: readonly Verdict[]) =>
    kinds.map((kind) => some.filter((one) => kindOf(one) === kind).length)
  const row = (name: string, some: readonly Verdict[]) => `| ${[name, ...counted(some)].join(' | ')} |`
  const [found = 0, hung = 0, survived = 0] = counted(verdicts)
  const judged = found + hung + survived
  const share = judged === 0 ? 0 : Math.round(((found + hung) / judged) * 1000) / 10
  const left = verdicts.filter((one) => kindOf(one) === 'survived')
  return [
    `\n${only === undefined ? `sample ${sample}, seed ${seed}` : `all that match ${only}`}; the compiler refused ${mistyped} others`,
    `| room | ${kinds.join(' | ')} |`,
    `|---|${kinds.map(() => '---:|').join('')}`,
    ...rooms.map((room) =>
      row(
        room,
        verdicts.filter(({ mutant }) => roomOf(mutant.file) === room),
      ),
    ),
    row('all', verdicts),
    `\nfound ${found + hung} of ${judged} (${share} %)`,
    ...left.map((one) => `survived ${one.mutant.name}: ${one.mutant.mistake}`),
  ].join('\n')
}
