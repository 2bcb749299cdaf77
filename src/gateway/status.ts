// The state of a task. gateway-api.md names five states; the words of other gateways for the same states are understood too.

import { z } from 'zod'

const names = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const
export type TaskStatus = (typeof names)[number]

const synonyms: readonly (readonly [TaskStatus, string])[] = [
  [
    'queued',
    'queued queueing pending submitted accepted created scheduled waiting enqueued inqueue notstarted new',
  ],
  [
    'processing',
    // The last three are of music: the lyrics, or the first of two tracks, are ready.
    'processing running inprogress started starting generating dreaming rendering working active moderating ' +
      'preparing uploading encoding postprocessing upscaling retrying textsuccess firstsuccess firstcomplete',
  ],
  ['completed', 'completed complete succeeded succeed success successful done finished ready'],
  [
    'failed',
    'failed fail failure error errored rejected expired timeout timedout contentmoderated moderated requestmoderated ' +
      'contentfiltered contentblocked blocked nsfw sensitivecontent sensitiveworderror contentpolicyviolation ' +
      'createtaskfailed generateaudiofailed generatefailed generationfailed taskfailed',
  ],
  ['canceled', 'canceled cancelled cancel aborted stopped revoked usercanceled usercancelled'],
]

/** Words of the operator's gateway, with their states. */
export const stateWords = z.record(
  z.string().transform(lettersOf).pipe(z.string().min(2, 'write a word of the gateway')),
  z.enum(names, { error: `write ${names.join(', ')}` }),
)
export type StateWords = z.output<typeof stateWords>

const statuses = new Map(
  synonyms.flatMap(([status, words]) => words.split(' ').map((word) => [word, status] as const)),
)

/** Case and separators do not matter: `IN_PROGRESS`, `in-progress`. */
function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}

/** The state that a word names; undefined for an unknown word. */
export function statusNamed(word: string, own: StateWords = {}): TaskStatus | undefined {
  const letters = lettersOf(word)
  return own[letters] ?? statuses.get(letters)
}

/**
 * Whether an unknown word looks like the end of a task: `UPLOAD_FAILED`, `Prompt rejected`. It may still be about one of its steps, so it
 * counts only after a few looks.
 */
export const looksFailed = (word: string): boolean =>
  /(fail(ed|ure)?|error(ed)?|exception|moderated|rejected|refused|denied|blocked|flagged|filtered|violation|invalid|cancell?(ed)?|aborted|terminated|killed|expired|timeout|timedout|banned|nsfw|deleted)$/.test(
    lettersOf(word),
  )
