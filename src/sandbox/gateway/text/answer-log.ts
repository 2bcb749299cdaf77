// The text answers that were charged, for whoever inspects the account.

interface ChargedAnswer {
  readonly model: string
  /** The last text of the user. */
  readonly question: string
  /** The pictures beside it. */
  readonly pictures: number
  /** What was sent, or in a tool call; of a stream that ended early, what it would have been. */
  readonly text: string
  readonly thinking: string
  /** The modes that the request switched on. */
  readonly modes: readonly ('thinking' | 'search' | 'code')[]
  /** Charged tokens. */
  readonly input: number
  readonly output: number
  /** Kopecks. */
  readonly charge: number
  /** All of the answer was sent. */
  readonly isWhole: boolean
  /** A whole answer tells its usage. */
  readonly tellsUsage: boolean
  readonly begunAt: string
  readonly endedAt: string
}

export interface AnswerLog {
  add(answer: ChargedAnswer): void
  /** The newest last. */
  list(): readonly ChargedAnswer[]
}

const keptAnswers = 20_000

export function createAnswerLog(): AnswerLog {
  const answers: ChargedAnswer[] = []
  return {
    add(answer) {
      answers.push(answer)
      if (answers.length > keptAnswers) answers.shift()
    },
    list: () => answers,
  }
}
