// What a chat is told about an order that failed: the title, the reason, what the model said, and the amount that is back.

import { isByWallet } from '../generations/generation.ts'
import type { Subject } from './job.ts'
import { titleOf } from './status-text.ts'

/** HTML. */
export function failureText(subject: Subject): string {
  const { say, generation } = subject
  const { reason, said, amount } = generation
  const lines = [
    say.html(`failure-${reason ?? 'task-failed'}`),
    ...(said ? [say.html('failure-said', { said })] : []),
  ]
  return say.html(isByWallet(generation) ? 'failure-wallet' : 'failure', {
    title: titleOf(subject),
    reason: { html: lines.join('\n') },
    amount: say.roubles(amount),
  })
}
