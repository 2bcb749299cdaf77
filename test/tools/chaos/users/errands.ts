// The errands of simulated people, with their frequencies.

import { askForResults, orderAgain, orderInGroup, orderOne, orderSeveral, tapOldButton } from './ordering.ts'
import { begin, invite, redeem, topUp } from './paying.ts'
import type { Person } from './person.ts'
import { chooseModel, talk } from './talking.ts'
import type { Town } from './town.ts'
import { manageWallet, startWallet } from './wallets.ts'

export type Errand = (town: Town, person: Person) => Promise<void>

const errands: readonly { readonly weight: number; readonly run: Errand }[] = [
  { weight: 100, run: orderOne },
  { weight: 10, run: orderSeveral },
  { weight: 40, run: orderInGroup },
  { weight: 20, run: orderAgain },
  { weight: 8, run: manageWallet },
  { weight: 10, run: topUp },
  { weight: 6, run: tapOldButton },
  { weight: 4, run: (_, person) => person.says('/balance') },
  { weight: 10, run: askForResults },
  { weight: 6, run: redeem },
  { weight: 4, run: invite },
  { weight: 20, run: talk },
  { weight: 14, run: chooseModel },
]

/** Does one errand after another until the signal aborts. */
export async function live(town: Town, person: Person, pauseMs: number): Promise<void> {
  const { chance, ending } = person
  await begin(town, person)
  await startWallet(town, person)
  while (!ending.aborted) {
    await chance.weighed(errands).run(town, person)
    await town.clock.wait(chance.between(0, pauseMs), ending)
  }
}
