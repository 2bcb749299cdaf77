// Reads the local gateway's answer to a question with `[long]`: numbered sections, in several messages.

import type { SandboxMessage } from '../users/user.ts'

/** The numbers of the sections, in the order of the chat. */
export const sectionsIn = (messages: readonly SandboxMessage[]): number[] =>
  messages
    .filter(({ from }) => from?.is_bot)
    .flatMap(({ text = '' }) =>
      [...text.matchAll(/^(\d+)\. A closer look/gm)].map(([, number]) => Number(number)),
    )
