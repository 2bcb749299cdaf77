// Request bodies of the gateway's text operations. Source: gateway-api.md, "Chat and text operations".

import { geminiChatFields, type TextModel } from '../catalog/text-models.ts'
import type { ChatBody, MessagesBody, NativeBody, ResponsesBody } from '../gateway/client.ts'
import type { Dialogue, Said } from './dialogue.ts'
import type { Tool } from './tools.ts'

/** A request for an answer, independent of the operation of its model. */
export interface ChatRequest {
  readonly model: TextModel
  readonly dialogue: Dialogue
  readonly maxOutput: number
  readonly modes: { readonly thinking: boolean; readonly search: boolean; readonly code: boolean }
  readonly tools: readonly Tool[]
}

/** A stream reports its usage only with this option. The Gemini-style family does not accept it: its usage is estimated. */
const usageOption = ({ family }: TextModel) =>
  family === 'gemini' ? {} : { stream_options: { include_usage: true } }

/** For a stream. */
export function chatBody({ model, dialogue, maxOutput, modes, tools }: ChatRequest): ChatBody {
  const system = dialogue.system ? [{ role: 'system' as const, content: dialogue.system }] : []
  return {
    ...usageOption(model),
    ...model.request,
    model: model.id,
    messages: [...system, ...dialogue.messages.map((said) => ({ role: said.role, content: parts(said) }))],
    max_tokens: maxOutput,
    ...(modes.thinking ? { reasoning_effort: 'medium' } : {}),
    ...(modes.search ? { web_search_options: {} } : {}),
    ...(tools.length > 0
      ? { tools: tools.map((tool) => ({ type: 'function', function: tool })), tool_choice: 'auto' }
      : {}),
  }
}

function parts({ text, images }: Said) {
  if (images.length === 0) return text
  return [{ type: 'text', text }, ...images.map((url) => ({ type: 'image_url', image_url: { url } }))]
}

/** Half of the output tokens are reserved for thinking. */
export function messagesBody({ model, dialogue, maxOutput, modes, tools }: ChatRequest): MessagesBody {
  const budget = Math.floor(maxOutput / 2)
  return {
    ...model.request,
    model: model.id,
    max_tokens: maxOutput,
    ...(dialogue.system ? { system: dialogue.system } : {}),
    messages: dialogue.messages.map((said) => ({ role: said.role, content: blocks(said) })),
    ...(modes.thinking ? { thinking: { type: 'enabled', budget_tokens: budget } } : {}),
    ...(tools.length > 0
      ? { tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })) }
      : {}),
  }
}

function blocks({ text, images }: Said) {
  if (images.length === 0) return text
  const pictures = images.map((uri) => {
    const [, media_type = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(uri) ?? []
    return { type: 'image', source: { type: 'base64', media_type, data } }
  })
  return [...pictures, { type: 'text', text }]
}

/** gateway-api.md defines `input` as a string, so the dialogue is sent as a transcript. */
export function responsesBody({ model, dialogue, maxOutput, modes }: ChatRequest): ResponsesBody {
  const tools = [
    ...(modes.search ? [{ type: 'web_search' }] : []),
    ...(modes.code ? [{ type: 'code_interpreter' }] : []),
  ]
  return {
    ...model.request,
    model: model.id,
    input: transcript(dialogue.messages),
    ...(dialogue.system ? { instructions: dialogue.system } : {}),
    max_output_tokens: maxOutput,
    tools,
  }
}

function transcript(messages: readonly Said[]): string {
  const [only, ...more] = messages
  if (only && more.length === 0) return only.text
  return messages.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`).join('\n\n')
}

export function nativeBody({ model, dialogue, maxOutput, modes }: ChatRequest): NativeBody {
  const tools = [
    ...(modes.search ? [{ googleSearch: {} }] : []),
    ...(modes.code ? [{ codeExecution: {} }] : []),
  ]
  return {
    ...nativeFieldsOf(model),
    model: model.id,
    contents: dialogue.messages.map((said) => ({
      role: said.role === 'user' ? 'user' : 'model',
      parts: nativeParts(said),
    })),
    ...(dialogue.system ? { systemInstruction: { parts: [{ text: dialogue.system }] } } : {}),
    generationConfig: { ...configOf(model), maxOutputTokens: maxOutput },
    ...(tools.length > 0 ? { tools } : {}),
  }
}

const nativeFieldsOf = ({ request }: TextModel): object =>
  Object.fromEntries(Object.entries(request).filter(([name]) => !geminiChatFields.includes(name)))

/** The operator's parameters; those of the chat format are renamed to the native ones where these exist. */
function configOf({ request }: TextModel): object {
  const { temperature, top_p: topP, seed, stop, generationConfig } = request
  const stopSequences = stop === undefined ? undefined : [stop].flat()
  return { temperature, topP, seed, stopSequences, ...asObject(generationConfig) }
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function nativeParts({ text, images }: Said) {
  const pictures = images.map((uri) => {
    const [, mimeType = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(uri) ?? []
    return { inlineData: { mimeType, data } }
  })
  return [...pictures, { text }]
}
