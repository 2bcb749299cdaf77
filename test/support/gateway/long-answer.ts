// What the local gateway answers to a question with `[long]` in it: numbered sections, in several messages.

import type { SandboxMessage } from '../users/user.ts'

/** The numbers of its sections, in the order of the chat. */
export const sectionsIn = (messages: readonly SandboxMessage[]): number[] =>
  messages
    .filter(({ from }) => from?.is_bot)
    .flatMap(({ text = '' }) =>
      [...text.matchAll(/^(\d+)\. A closer look/gm)].map(([, number]) => Number(number)),
    )
