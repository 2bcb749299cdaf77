// Questions of the desk that are still open at the end: the tap that answered one came before its note was stored, or a process ended.

import { buttonsOf, wordsOf } from '../users/chats.ts'
import type { Evidence } from './check.ts'

/** @param reason in the words of the question */
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
