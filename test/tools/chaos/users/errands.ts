// The errands of simulated people, with their frequencies.

import { begin, invite, redeem } from './gifts.ts'
import { askAgain, askForOriginals } from './history.ts'
import { orderAgain, orderInRussian, orderOne, orderSeveral, tapOldButton } from './ordering.ts'
import { topUp } from './paying.ts'
import type { Person } from './person.ts'
import { keepSettings } from './presets.ts'
import { chooseModel, talk } from './talking.ts'
import type { Town } from './town.ts'
import { manageWallet, orderInGroup, startWallet } from './wallets.ts'

export type Errand = (town: Town, person: Person) => Promise<void>

const says =
  (text: string): Errand =>
  (_, person) =>
    person.says(text)

const errands = [
  { weight: 90, run: orderOne },
  { weight: 10, run: orderSeveral },
  { weight: 40, run: orderInGroup },
  { weight: 20, run: orderAgain },
  { weight: 8, run: manageWallet },
  { weight: 10, run: topUp },
  { weight: 6, run: tapOldButton },
  { weight: 4, run: says('/balance') },
  { weight: 10, run: askAgain },
  { weight: 10, run: askForOriginals },
  { weight: 6, run: redeem },
  { weight: 4, run: invite },
  { weight: 16, run: talk },
  { weight: 14, run: chooseModel },
  { weight: 10, run: orderInRussian },
  { weight: 12, run: keepSettings },
] as const

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
