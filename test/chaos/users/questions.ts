// The questions of all people to a text model. Each has a number, by which it is found at the gateway, in the chat and in the database.

import type { Question } from '../model/answers.ts'

export interface QuestionBook {
  readonly questions: readonly Question[]
  add(person: number): Question
}

export function createQuestionBook(): QuestionBook {
  const questions: Question[] = []
  return {
    questions,
    add(person) {
      const question = { number: questions.length + 1, person }
      questions.push(question)
      return question
    },
  }
}

export const wordsOfQuestion = ({ number }: Question): string => `Question ${number}: what is it about?`

/** The number in the words of a question; undefined for other words. */
export function questionIn(words: string): number | undefined {
  const number = /\bQuestion (\d+):/.exec(words)?.[1]
  return number === undefined ? undefined : Number(number)
}
