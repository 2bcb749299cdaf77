// The blocks that an answer consists of.

interface Place {
  /** An empty line stands before it. */
  readonly hasGap: boolean
}

export interface Code {
  readonly kind: 'code'
  readonly code: string
  /** What stands behind the fence: a language, a file's name. */
  readonly info: string
  /** The fence was not closed. */
  readonly isOpen: boolean
}

export interface Table {
  readonly kind: 'table'
  readonly header: readonly string[]
  /** Each as long as the header. */
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
