// The message about an order that failed: the title, the reason, the words of the model, and the amount that was returned.

import { isByWallet } from '../generations/generation.ts'
import type { Subject } from './job.ts'
import { titleOf } from './status-text.ts'

/** @returns HTML */
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
