// Judges prompts that a text model translated by the harness's model.

import { disturbedBy } from '../model/disturbed.ts'
import { faultsOfRewritings } from '../model/rewriting.ts'
import type { Check } from './check.ts'
import { readTurns } from './turns.ts'

export const everyRewritingIsRight: Check = {
  name: 'each translated prompt costs what the gateway billed, and nothing if it is not whole',
  async find(evidence) {
    const { translations, accounts, chats, journal, textModels } = evidence
    const booked = await readTurns(evidence)
    const numbers = new Set(translations.map(({ number }) => number))
    const own = booked.filter(({ number }) => numbers.has(number))
    journal.count('translations', own.length)
    journal.count('translations paid for', own.filter(({ captured }) => captured > 0).length)
    return faultsOfRewritings({
      rewritings: translations,
      billed: accounts.answers,
      booked,
      saidTo: (person) => chats.of(person).told(),
      wasDisturbed: disturbedBy(journal.times()),
      models: textModels,
    })
  },
}
