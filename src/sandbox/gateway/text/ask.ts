// A request to a text model and its reply, independent of the wire format.

import type { TextModel } from './models.ts'

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Number of pictures, documents and sounds. */
  readonly attachments: number
}

export interface Tool {
  readonly name: string
  /** A JSON schema of the arguments. */
  readonly parameters: unknown
}

/** A name requires that this tool is called. */
type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface Ask {
  readonly model: TextModel
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly choice: ToolChoice
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  /** `object` is any JSON object; a schema is JSON that conforms to it. */
  readonly json: 'object' | { readonly schema: unknown } | undefined
  /** Whether the reply shows its thinking. */
  readonly thinking: boolean
  /** Whether `reasoning_effort` is set: the model then thinks, but its thinking is not shown. */
  readonly hiddenThinking: boolean
  readonly webSearch: boolean
  readonly code: boolean
}

/** The defaults of a request. */
export const plain = {
  tools: [],
  choice: 'auto',
  stop: [],
  json: undefined,
  thinking: false,
  hiddenThinking: false,
  webSearch: false,
  code: false,
} as const

export interface ToolCall {
  readonly name: string
  readonly input: unknown
}

export interface Reply {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly ended: 'whole' | 'length' | 'stop' | 'calls'
  /** The stop sequence at which the text ended. */
  readonly stoppedAt: string | undefined
  /** A result of the web search. */
  readonly source: { readonly title: string; readonly url: string } | undefined
}

const lastOfUser = ({ turns }: Ask): Turn | undefined => turns.findLast(({ role }) => role === 'user')

export const lastUserText = (ask: Ask): string => lastOfUser(ask)?.text ?? ''

export const lastUserPictures = (ask: Ask): number => lastOfUser(ask)?.attachments ?? 0
