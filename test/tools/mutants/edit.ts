// A change of a source text, and the mutants that are made from it.

import type { Mutant } from '../chaos/mutants/mutant.ts'

export interface Edit {
  /** The kind of the mistake, like `negate a condition`. */
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly put: string
}

export interface GeneratedMutant extends Mutant {
  /** The path of the file, like `src/sales/limits.ts`. */
  readonly file: string
  readonly edit: Edit
  /** The changed lines, before and after the edit, without indentation. */
  readonly before: string
  readonly after: string
}

const applied = (text: string, { start, end, put }: Edit): string =>
  `${text.slice(0, start)}${put}${text.slice(end)}`

export function mutantOf(file: string, text: string, edit: Edit): GeneratedMutant {
  const put = applied(text, edit)
  const from = text.lastIndexOf('\n', edit.start - 1) + 1
  const rest = endOfLine(text, edit.end)
  const before = oneLine(text.slice(from, rest))
  const after = oneLine(put.slice(from, rest + put.length - text.length))
  const line = text.slice(0, edit.start).split('\n').length
  const name = `${file}:${line} ${edit.kind}`
  return {
    name,
    mistake: `${before}  ->  ${after}`,
    changes: [{ file, find: text, put }],
    file,
    edit,
    before,
    after,
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
