// The messages of an answer: its thinking as a folded quote, its text in pieces that fit, its sources below it, its pictures, a note when
// it ended early, and a card for each proposal.

import type { AnswerPart, PicturePart, Piece } from '../db/schema.ts'
import { addressOf, type ChatEnd, type Picture } from '../gateway/client.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Refusal } from '../sales/refusals.ts'
import { formatAnswer, formatSources, formatThinking, type Source, withSources } from './format/answer.ts'
import { separated } from './format/thinking.ts'
import type { Proposal } from './tools.ts'

export interface AnswerTexts {
  readonly thinking: string
  readonly sources: string
  note(note: Note): string
}

export type Failure =
  | { readonly reason: 'refused'; readonly said: string | undefined }
  /** The question with its pictures and the messages before it was too large for the gateway. */
  | { readonly reason: 'too-large' }
  /** The gateway refused us, not the question. */
  | { readonly reason: 'paused'; readonly refusal: Refusal }
  | { readonly reason: 'unavailable' }
  | { readonly reason: 'empty' }
  /** The model or a filter refused without a word. */
  | { readonly reason: 'declined' }

export type Note =
  /** Only cards follow; the model wrote no text. */
  | { readonly about: 'proposes' }
  /** The user stopped it before the first word. */
  | { readonly about: 'stopped' }
  /** The user stopped it; the question and what was written are charged. */
  | { readonly about: 'cut' }
  /** The service broke the answer off; nothing is charged. */
  | { readonly about: 'broken' }
  /** The text ends here although there was more to say. */
  | { readonly about: 'ended'; readonly by: Cut }
  /** The prompt of a card could not be rewritten; nothing is charged. */
  | { readonly about: 'not-rewritten' }
  /** Nothing is shown, and nothing is charged. */
  | { readonly about: 'failed'; readonly failure: Failure }

/**
 * The failure of an answer that the service did not bring to its end. An answer with a failure is free, whatever has been shown of it.
 * @returns undefined for an answer as it was ordered: up to its longest length, or with a refusal of the model
 */
export function failureBy(how: ChatEnd['end']['how']): Failure | undefined {
  switch (how) {
    case 'complete':
    case 'unknown':
    case 'length':
    case 'refusal':
      return undefined
    case 'filter':
      return { reason: 'declined' }
    case 'balance':
    case 'tools':
    case 'incomplete':
      return { reason: 'unavailable' }
  }
}

/** What sets the longest length: the model, the user's choice of short answers, or the money that was held. */
type Limit = 'length' | 'chosen' | 'money'
export type Cut = Limit | 'filter' | 'refusal'

export function cutBy(how: ChatEnd['end']['how'], limit: Limit): Cut | undefined {
  if (how === 'length') return limit
  return how === 'filter' || how === 'refusal' ? how : undefined
}

interface Said {
  readonly text: string
  readonly thinking: string
  readonly sources: readonly Source[]
  readonly pictures: readonly Picture[]
}

export interface Shown {
  readonly thinking: readonly Piece[]
  readonly answer: readonly Piece[]
  readonly sources: readonly Piece[]
  readonly pictures: readonly PicturePart[]
}

/** Whether the model has answered: its thinking alone is no answer. */
export const hasContent = ({ answer, pictures }: Shown): boolean => answer.length > 0 || pictures.length > 0

/** @param isUnfinished it was stopped or broke off */
export function shownOf(
  { sources, pictures, ...written }: Said,
  texts: AnswerTexts,
  isUnfinished: boolean,
): Shown {
  const { answer, thinking } = separated(written, isUnfinished)
  return {
    thinking: formatThinking(thinking, texts.thinking, isUnfinished),
    answer: formatAnswer(answer, isUnfinished),
    sources: formatSources(sources, texts.sources),
    pictures: pictures.map((picture) => ({ kind: 'picture', address: addressOf(picture) })),
  }
}

export function partsOf(
  { thinking, answer, sources, pictures }: Shown,
  note: Note | undefined,
  proposals: readonly Proposal[],
  texts: AnswerTexts,
  ids: Ids,
): AnswerPart[] {
  const noted = note ? [notePiece(note, texts)] : []
  const cards = proposals.map((proposal) => ({ kind: 'card' as const, draftId: ids.next(), ...proposal }))
  return [...thinking, ...withSources(answer, sources), ...pictures, ...noted, ...cards]
}

/** The words of the service are shown as code, in which Telegram makes no links, mentions or commands. */
function notePiece(note: Note, texts: AnswerTexts): Piece {
  const text = texts.note(note)
  const said = note.about === 'failed' && note.failure.reason === 'refused' ? note.failure.said : undefined
  const isShown = said && text.includes(said)
  const code = isShown && { type: 'code' as const, offset: text.lastIndexOf(said), length: said.length }
  return { kind: 'text', text, entities: code ? [code] : [] }
}

/** @param words the rewritten prompt; undefined when there is none */
export const partOfRewriting = (
  draftId: string,
  words: string | undefined,
  texts: AnswerTexts,
): AnswerPart =>
  words === undefined
    ? notePiece({ about: 'not-rewritten' }, texts)
    : { kind: 'prompt', draftId, text: words }
