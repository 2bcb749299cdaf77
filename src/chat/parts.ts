// An answer as the messages that say it: its thinking folded away, its words in pieces that fit, its sources, a note on why it
// ended early, and a card for each proposal.

import type { AnswerPart } from '../db/schema.ts'
import type { Ids } from '../runtime/ids.ts'
import { formatAnswer, formatSources, formatThinking, type Piece, type Source } from './format/answer.ts'
import { splitThinking } from './format/thinking.ts'
import type { Proposal } from './tools.ts'

/** The words around an answer, in the language of who asked. */
export interface AnswerTexts {
  readonly thinking: string
  readonly sources: string
  note(note: Note): string
}

export type Failure =
  | { readonly reason: 'refused'; readonly said: string }
  /** Our account at the gateway: nothing is sold for the moment. */
  | { readonly reason: 'paused'; readonly cause: 'unauthorised' | 'out-of-balance' }
  | { readonly reason: 'unavailable' }
  | { readonly reason: 'empty' }

export type Note =
  /** Cards follow, without a word of the model. */
  | { readonly about: 'proposals' }
  /** Somebody stopped it before the first word. */
  | { readonly about: 'stopped' }
  /** It ended before its time: only what is shown is charged. */
  | { readonly about: 'broken' }
  /** There is nothing to show, and nothing is charged. */
  | { readonly about: 'failed'; readonly failure: Failure }

export interface Said {
  readonly text: string
  readonly thinking: string
  readonly sources: readonly Source[]
}

/** What of an answer can be seen. */
export interface Shown {
  readonly thinking: readonly Piece[]
  readonly answer: readonly Piece[]
  readonly sources: readonly Piece[]
}

export function shownOf({ text, thinking, sources }: Said, texts: AnswerTexts): Shown {
  const split = splitThinking(text)
  const thoughts = [thinking, split.thinking].filter(Boolean).join('\n')
  return {
    thinking: thoughts ? formatThinking(thoughts, texts.thinking) : [],
    answer: formatAnswer(split.answer),
    sources: formatSources(sources, texts.sources),
  }
}

export function partsOf(
  { thinking, answer, sources }: Shown,
  note: Note | undefined,
  proposals: readonly Proposal[],
  texts: AnswerTexts,
  ids: Ids,
): AnswerPart[] {
  const noted: Piece[] = note ? [{ kind: 'text', text: texts.note(note), entities: [] }] : []
  const cards = proposals.map((proposal) => ({ kind: 'card' as const, draftId: ids.next(), ...proposal }))
  return [...thinking, ...answer, ...sources, ...noted, ...cards]
}
