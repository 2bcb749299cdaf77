// Judges the answers of text models by the harness's model: each is asked for once, paid as billed, and complete in its chat.

import { faultsOfAnswers } from '../model/answers.ts'
import { disturbedBy } from '../model/disturbed.ts'
import type { Check } from './check.ts'
import { readTurns } from './turns.ts'

export const everyAnswerIsRight: Check = {
  name: 'each answer costs what the gateway billed, and is in its chat',
  async find(evidence) {
    const { questions, stops, accounts, chats, journal, textModels } = evidence
    const booked = await readTurns(evidence)
    journal.count('answers paid for', booked.filter(({ captured }) => captured > 0).length)
    journal.count('questions', questions.length)
    journal.count('answers that people stopped', stops.length)
    return faultsOfAnswers({
      questions,
      stops,
      billed: accounts.answers,
      booked,
      saidTo: (person) => chats.of(person).told(),
      wasDisturbed: disturbedBy(journal.times()),
      models: textModels,
    })
  },
}
