// The questions of all people to text models, and the prompts that a text model translates for them. Each has a number, by which it is
// found at the gateway, in the chat and in the database.

import type { Question } from '../model/answers.ts'
import type { Rewriting } from '../model/rewriting.ts'

/** A translation that a person asks for. Its button may be tapped twice. */
export type Translation = Rewriting & { taps: number }

export interface QuestionBook {
  readonly questions: readonly Question[]
  readonly translations: readonly Translation[]
  add(asked: Omit<Question, 'number'>): Question
  translate(person: number): Translation
}

export function createQuestionBook(): QuestionBook {
  const questions: Question[] = []
  const translations: Translation[] = []
  const next = () => questions.length + translations.length + 1
  return {
    questions,
    translations,
    add(asked) {
      const question = { ...asked, number: next() }
      questions.push(question)
      return question
    },
    translate(person) {
      const number = next()
      const translation = { number, person, made: `question ${number}: kot`, taps: 0 }
      translations.push(translation)
      return translation
    },
  }
}

export const wordsOfQuestion = ({ number }: Question): string => `Question ${number}: what is it about?`
/** A text that is long enough for the models to have different prices. */
export const wordsOfTranslation = ({ number }: Translation): string =>
  `Question ${number}:${' кот'.repeat(120)}`

/** The number in the words of a question; undefined for other words. */
export function questionIn(words: string): number | undefined {
  const number = /\bQuestion (\d+):/.exec(words)?.[1]
  return number === undefined ? undefined : Number(number)
}
