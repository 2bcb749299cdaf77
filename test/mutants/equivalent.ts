// Mutants that change nothing that anybody could see, with reasons. Each is known by its file and the changed line.

import type { GeneratedMutant } from './edit.ts'

interface Equivalent {
  readonly file: string
  /** The changed line, without indentation. */
  readonly after: string
  readonly because: string
}

const equivalents: readonly Equivalent[] = [
  {
    file: 'src/payments/links.ts',
    after: 'const isOver = topUp.expiresAt !== null && (topUp.expiresAt < deps.clock.now())',
    because: 'a poll in the very millisecond of the end is followed by one after it',
  },
  {
    file: 'src/payments/yookassa/index.ts',
    after: 'id: z.string().min(2),',
    because: 'the ids of YooKassa have 36 characters',
  },
]

export const reasonOf = ({ file, after }: GeneratedMutant): string | undefined =>
  equivalents.find((one) => one.file === file && one.after === after)?.because
