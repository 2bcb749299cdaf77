// The block elements of Markdown.

interface Place {
  /** Preceded by an empty line. */
  readonly hasGap: boolean
}

export interface Code {
  readonly kind: 'code'
  readonly code: string
  /** The info string after the fence: a language, a file name. */
  readonly info: string
  /** The code has no closing fence. */
  readonly isOpen: boolean
}

export interface Table {
  readonly kind: 'table'
  readonly header: readonly string[]
  /** Every row has as many cells as the header. */
  readonly rows: readonly (readonly string[])[]
}

export type Block = Place &
  (
    | { readonly kind: 'text'; readonly text: string; readonly level: number }
    | { readonly kind: 'heading'; readonly text: string }
    | { readonly kind: 'item'; readonly text: string; readonly level: number; readonly marker: string }
    | { readonly kind: 'rule' }
    | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
    | Code
    | Table
  )
