// The state of a task. gateway-api.md names five states; the words of other gateways for the same states are understood too.

export type TaskStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'canceled'

const synonyms: readonly (readonly [TaskStatus, string])[] = [
  [
    'queued',
    'queued queueing pending submitted accepted created scheduled waiting enqueued inqueue notstarted new',
  ],
  [
    'processing',
    'processing running inprogress started starting generating dreaming rendering working active',
  ],
  ['completed', 'completed complete succeeded succeed success successful done finished ready'],
  ['failed', 'failed fail failure error errored rejected expired timeout timedout'],
  ['canceled', 'canceled cancelled aborted stopped revoked'],
]

const statuses = new Map(
  synonyms.flatMap(([status, words]) => words.split(' ').map((word) => [word, status] as const)),
)

/** The state that a word names; undefined for an unknown word. Case and separators do not matter: `IN_PROGRESS`, `in-progress`. */
export const statusNamed = (word: string): TaskStatus | undefined =>
  statuses.get(word.toLowerCase().replaceAll(/[^a-z]/g, ''))
