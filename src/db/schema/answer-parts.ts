// The messages of an answer, as they are stored until they have been sent. Formatting is stored as entities: unlike HTML and Markdown
// they cannot fail to parse. Their shapes are those of the Bot API; they are declared here because this folder does not import grammY.

import type { Command } from '../../catalog/model.ts'

interface Span {
  /** The offset and the length are in UTF-16 code units, like all lengths of Telegram. */
  readonly offset: number
  readonly length: number
}

export type Style = 'bold' | 'italic' | 'strikethrough' | 'spoiler'
export type Quote = 'blockquote' | 'expandable_blockquote'

export type Entity =
  | (Span & { readonly type: Style | Quote | 'code' })
  | (Span & { readonly type: 'pre'; readonly language?: string })
  | (Span & { readonly type: 'text_link'; readonly url: string })

export interface Formatted {
  readonly text: string
  readonly entities: readonly Entity[]
}

/** One message: a formatted text or a text file. */
export type Piece =
  | ({ readonly kind: 'text' } & Formatted)
  | { readonly kind: 'file'; readonly name: string; readonly text: string }

/** A card for a generation that the model proposes; its draft is created when the card is first sent. */
export interface CardPart {
  readonly kind: 'card'
  readonly draftId: string
  readonly command: Command
  readonly prompt: string
}

/** The rewritten prompt of a draft, which is put onto the card. */
export interface PromptPart {
  readonly kind: 'prompt'
  readonly draftId: string
  readonly text: string
}

/** A picture of the answer. */
export interface PicturePart {
  readonly kind: 'picture'
  /** A link, or a data URI. */
  readonly address: string
}

export type AnswerPart = Piece | PicturePart | CardPart | PromptPart
