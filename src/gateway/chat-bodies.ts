// Request bodies of the text operations, with the fields that gateway-api.md names. The types are open: each family of models has
// more fields, which the gateway passes on.

interface Open {
  readonly [more: string]: unknown
}

export interface ChatMessage extends Open {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly Open[] | null
}

/** The body of `POST /v1/chat/completions`. */
export interface ChatBody extends Open {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly temperature?: number
  readonly max_completion_tokens?: number
  readonly max_tokens?: number
  readonly top_p?: number
  readonly stop?: string | readonly string[]
  readonly seed?: number
  readonly response_format?: Open
  readonly reasoning_effort?: string
  readonly tools?: readonly Open[]
  readonly tool_choice?: string | Open
  /** Further fields for the family that runs through a compatibility layer. */
  readonly extra_body?: Open
}

/** The body of `POST /v1/messages`. */
export interface MessagesBody extends Open {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: string | readonly Open[]
  }[]
  readonly thinking?: { readonly type: 'enabled'; readonly budget_tokens: number }
  readonly cache_control?: Open
  readonly top_k?: number
  readonly mcp_servers?: readonly Open[]
}

/** The body of `POST /v1/responses`. */
export interface ResponsesBody extends Open {
  readonly model: string
  readonly input: string
  readonly tools?: readonly ({ readonly type: string } & Open)[]
}

/** The body of the native pass-through; the vendor defines the other fields. */
export interface NativeBody extends Open {
  readonly model: string
  readonly contents: readonly { readonly role?: 'user' | 'model'; readonly parts: readonly Open[] }[]
}
