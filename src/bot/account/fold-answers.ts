// Folds charges for answers of text models, which are small and many, into few lines of the statement in the chat: the charges of one day
// between two other movements become one line.

import type { Line } from '../../ledger/statement.ts'
import { formatDay } from '../../telegram/local-time.ts'

/** One line for the transfers of one or several answers. */
export interface AnswerLines extends Pick<Line, 'at' | 'change' | 'available' | 'held' | 'modelId'> {
  /** Number of answers. */
  readonly answers: number
}

/** In the result, too, the change of each line leads from the balance of the line before to its own balance. */
export function foldAnswers(lines: readonly Line[]): (Line | AnswerLines)[] {
  const runs: Line[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (last && isSameRun(last, line)) run?.push(line)
    else runs.push([line])
  }
  return runs.flatMap(folded)
}

const isSameRun = (before: Line, line: Line): boolean =>
  isFolded(before) && isFolded(line) && formatDay(before.at) === formatDay(line.at)

/** A refund is not folded: it stays a line of its own, with its reason. */
const isFolded = ({ turnId, kind }: Line): boolean => turnId !== null && kind !== 'refund-order'

function folded(run: readonly Line[]): (Line | AnswerLines)[] {
  const last = run.at(-1)
  if (!last || !isFolded(last)) return [...run]
  const { at, available, held, modelId } = last
  const change = run.reduce((sum, line) => sum + line.change, 0n)
  const answers = new Set(run.map(({ turnId }) => turnId)).size
  return [{ at, available, held, modelId, change, answers }]
}
