// The log of charged text answers, for the inspection of the account.

interface ChargedAnswer {
  readonly model: string
  /** The last text of the user. */
  readonly question: string
  /** The number of pictures sent with it. */
  readonly pictures: number
  /** The text of the answer or of its tool calls; for a stream that ended early, the text of the whole answer. */
  readonly text: string
  readonly thinking: string
  /** The modes that the request switched on. */
  readonly modes: readonly ('thinking' | 'search' | 'code')[]
  /** Charged tokens. */
  readonly input: number
  readonly output: number
  /** Kopecks. */
  readonly charge: number
  /** Whether the whole answer was sent. */
  readonly isWhole: boolean
  /** Whether a whole answer states its usage. */
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
