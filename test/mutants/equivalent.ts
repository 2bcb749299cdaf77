// Mutants that change nothing that anybody could see, with reasons. Each is known by its file and the changed line.

import type { GeneratedMutant } from './edit.ts'

interface Equivalent {
  readonly file: string
  /** The changed line, without indentation. */
  readonly after: string
  readonly because: string
}

const equivalents: readonly Equivalent[] = []

export const reasonOf = ({ file, after }: GeneratedMutant): string | undefined =>
  equivalents.find((one) => one.file === file && one.after === after)?.because
