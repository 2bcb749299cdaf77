// What a formatted message is made of. Entities can not fail parsing, as HTML and Markdown can; the shapes are those of the
// Bot API, written down here because this room does not know grammY.

interface Span {
  /** In UTF-16 units, as everything that Telegram counts. */
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

/** What becomes one message. */
export type Piece =
  | ({ readonly kind: 'text' } & Formatted)
  | { readonly kind: 'file'; readonly name: string; readonly text: string }

export const textLimit = 4096
/** Telegram ignores those behind it. */
export const entityLimit = 100
/** Telegram refuses a message whose links are too long in sum and does not say from where on; this is on the safe side. */
export const linksLimit = 4096

/** A style of a part of the text, before it is made into entities. */
export interface Mark {
  readonly type: Entity['type']
  readonly start: number
  readonly end: number
  readonly url?: string
  readonly language?: string
}

/** Text of any length with its marks, which may overlap in any way. */
export interface Flow {
  readonly text: string
  readonly marks: readonly Mark[]
}
