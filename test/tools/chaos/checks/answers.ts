// Judges the answers of text models by the harness's model: each is asked for once, paid as billed, and complete in its chat.

import { z } from 'zod'
import { type Booked, faultsOfAnswers, faultsOfRewritings } from '../model/answers.ts'
import { disturbedBy } from '../model/balances.ts'
import { faultsOfPresets } from '../model/presets.ts'
import { buttonsOf, wordsOf } from '../users/chats.ts'
import { questionIn } from '../users/talking.ts'
import type { Check, Evidence } from './check.ts'

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

// The answers in the database, each with the number of its question.

const row = z.object({
  id: z.string(),
  question: z.string(),
  captured: z.coerce.number(),
  refunded: z.coerce.number(),
  delivery: z.string(),
  asked: z.int().nullable(),
})

export async function readTurns({ database: { sql } }: Pick<Evidence, 'database'>): Promise<Booked[]> {
  const found = await sql`
    select id, question, coalesce(captured, 0)::text as captured, coalesce(refunded, 0)::text as refunded, delivery,
      question_message_id as asked
    from turns order by created_at`
  return found.map((one) => {
    const { question, ...turn } = row.parse(one)
    return { ...turn, number: questionIn(question) ?? 0 }
  })
}

// Judges prompts that a text model translated by the harness's model.

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

// Judges saved settings by the harness's model.

const presetRow = z.object({
  person: z.coerce.number(),
  name: z.string(),
  count: z.coerce
    .number()
    .nullable()
    .transform((count) => count ?? undefined),
})

export const everyPresetIsKept: Check = {
  name: 'saved settings stay until they are deleted, and only their owner uses them',
  async find({ presetBook, database, chats, journal }) {
    const found = await database.sql`
      select u.telegram_id::text as person, p.name, (p.answers ->> 'n')::integer as count
      from presets p join users u on u.id = p.user_id`
    journal.count('presets', found.length)
    journal.count(
      'presets put onto a card',
      presetBook.uses.filter(({ shown }) => shown !== undefined).length,
    )
    const faults = faultsOfPresets({
      ...presetBook,
      kept: found.map((one) => presetRow.parse(one)),
      answerTo: (person, tap) => chats.of(person).answers.get(tap),
    })
    return faults.map(({ person, fact }) => ({ about: String(person), fact }))
  },
}

// Finds confirmation questions to operators that are still open at the end: the question was tapped before its note was stored, or the
// process ended before it stored the note.

/** @param reason the reason of the action, which is part of the question's text */
export const isUndecided = (
  { chats, desk }: Pick<Evidence, 'chats' | 'desk'>,
  { reason }: { readonly reason: string },
): boolean =>
  desk.operators
    .flatMap((id) => [...chats.of(id).shown.values()])
    .some(
      ({ message, isGone }) =>
        !isGone &&
        wordsOf(message).includes(reason) &&
        buttonsOf(message).some(({ data }) => data === 'ad:d:yes'),
    )

// Checks that each answer of a text model belongs to a question of a simulated person. A number that a person typed as a value or an
// amount must not become a question to the text model.

const answerRow = z.object({ id: z.string(), question: z.string(), captured: z.string() })

export const onlyQuestionsAreAnswered: Check = {
  name: 'only questions are answered',
  async find({ database: { sql } }) {
    const found = await sql`select id, question, coalesce(captured, 0)::text as captured from turns`
    return found
      .map((one) => answerRow.parse(one))
      .filter(({ question }) => questionIn(question) === undefined)
      .map(({ id, question, captured }) => ({
        about: id,
        fact: `"${question}" was answered for ${captured} kopecks`,
      }))
  },
}
