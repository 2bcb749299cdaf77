// Finds confirmation questions to operators that are still open at the end: the question was tapped before its note was stored, or the
// process ended before it stored the note.

import { buttonsOf, wordsOf } from '../users/chats.ts'
import type { Evidence } from './check.ts'

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
