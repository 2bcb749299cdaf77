// Request bodies of the gateway's text operations, made of the fields in `catalog/text-modes.ts` and nothing else. Source:
// gateway-api.md, "Chat and text operations".

import assert from 'node:assert/strict'
import { outputLimitOf, requestFields, type TextModel } from '../catalog/text-models.ts'
import { askedFor, type Modes, type Operation, unlisted } from '../catalog/text-modes.ts'
import type { Dialogue, Said } from './dialogue.ts'
import type { Tool } from './tools.ts'

/** A request for an answer, independent of the operation of its model. */
export interface ChatRequest {
  readonly model: TextModel
  readonly dialogue: Dialogue
  readonly maxOutput: number
  /** As returned by `sentModes`. */
  readonly modes: Modes
  readonly tools: readonly Tool[]
}

/** Asserts that catalog/text-modes.ts lists every field of the body for this operation and family. */
function listed<B extends object>(operation: Operation, model: TextModel, body: B): B {
  assert.deepEqual(unlisted(operation, model, body), [], `fields of ${operation} for ${model.family}`)
  return body
}

/**
 * A stream reports its usage only with this option. The Gemini-style family does not accept it. Vendors of the Mistral-style family refuse
 * it, and report the usage without it. A usage that is not reported is estimated.
 */
const usageOption = ({ family }: TextModel) =>
  family === 'gemini' || family === 'mistral' ? {} : { stream_options: { include_usage: true } }

/** The body of a streamed request. */
export function chatBody(request: ChatRequest) {
  const { model, dialogue, maxOutput, tools } = request
  const asked = askedFor(model, request.modes)
  const offered = [...asked.tools, ...tools.map((tool) => ({ type: 'function', function: tool }))]
  const system = dialogue.system ? [{ role: 'system' as const, content: dialogue.system }] : []
  return listed('chat', model, {
    ...usageOption(model),
    ...requestFields(model, 'chat'),
    model: model.id,
    messages: [...system, ...dialogue.messages.map((said) => ({ role: said.role, content: parts(said) }))],
    [outputLimitOf(model)]: maxOutput,
    ...asked.body,
    ...(offered.length > 0 ? { tools: offered } : {}),
    ...(tools.length > 0 ? { tool_choice: 'auto' } : {}),
  })
}

/** gateway-api.md shows no part for sound; this is the one of the format. */
function parts({ text, images, sounds = [] }: Said) {
  if (images.length + sounds.length === 0) return text
  const pictures = images.map((url) => ({ type: 'image_url', image_url: { url } }))
  const heard = sounds.map(({ format, data }) => ({ type: 'input_audio', input_audio: { data, format } }))
  return [...(text ? [{ type: 'text', text }] : []), ...pictures, ...heard]
}

/** Half of the output tokens are reserved for thinking, with which the vendor's format does not accept `top_k`. */
export function messagesBody(request: ChatRequest) {
  const { model, dialogue, maxOutput, modes, tools } = request
  const asked = askedFor(model, modes)
  const offered = [
    ...asked.tools,
    ...tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  ]
  const given = Object.entries(requestFields(model, 'messages'))
  return listed('messages', model, {
    ...Object.fromEntries(given.filter(([name]) => name !== 'top_k' || !modes.thinking)),
    model: model.id,
    max_tokens: maxOutput,
    ...(dialogue.system ? { system: dialogue.system } : {}),
    messages: dialogue.messages.map((said) => ({ role: said.role, content: blocks(said) })),
    ...(modes.thinking ? { thinking: { type: 'enabled', budget_tokens: Math.floor(maxOutput / 2) } } : {}),
    ...asked.body,
    ...(offered.length > 0 ? { tools: offered } : {}),
  })
}

function blocks({ text, images }: Said) {
  if (images.length === 0) return text
  const pictures = images.map((uri) => {
    const { mime, data } = dataOf(uri)
    return { type: 'image', source: { type: 'base64', media_type: mime, data } }
  })
  return [...pictures, ...(text ? [{ type: 'text', text }] : [])]
}

/** gateway-api.md defines `input` as a string, so the dialogue is sent as a transcript, and pictures cannot be sent. */
export function responsesBody(request: ChatRequest) {
  const { model, dialogue, maxOutput, tools } = request
  const asked = askedFor(model, request.modes)
  return listed('responses', model, {
    ...requestFields(model, 'responses'),
    model: model.id,
    input: transcript(dialogue.messages),
    ...(dialogue.system ? { instructions: dialogue.system } : {}),
    max_output_tokens: maxOutput,
    ...asked.body,
    tools: [...asked.tools, ...tools.map((tool) => ({ type: 'function', ...tool }))],
  })
}

function transcript(messages: readonly Said[]): string {
  const [only, ...more] = messages
  if (only && more.length === 0) return only.text
  return messages.map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`).join('\n\n')
}

export function nativeBody(request: ChatRequest) {
  const { model, dialogue, maxOutput, tools } = request
  const asked = askedFor(model, request.modes)
  const { generationConfig = {}, ...given } = requestFields(model, 'native')
  const offered = [...asked.tools, ...(tools.length > 0 ? [{ functionDeclarations: tools }] : [])]
  return listed('native', model, {
    ...given,
    ...asked.body,
    model: model.id,
    contents: dialogue.messages.map((said) => ({
      role: said.role === 'user' ? 'user' : 'model',
      parts: nativeParts(said),
    })),
    ...(dialogue.system ? { systemInstruction: { parts: [{ text: dialogue.system }] } } : {}),
    generationConfig: {
      ...asObject(generationConfig),
      ...asObject(asked.body.generationConfig),
      maxOutputTokens: maxOutput,
    },
    ...(offered.length > 0 ? { tools: offered } : {}),
  })
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function nativeParts({ text, images, sounds = [] }: Said) {
  const files = [
    ...images.map(dataOf),
    ...sounds.map(({ format, data }) => ({ mime: `audio/${format}`, data })),
  ].map(({ mime, data }) => ({ inlineData: { mimeType: mime, data } }))
  return [...files, ...(text || files.length === 0 ? [{ text }] : [])]
}

function dataOf(uri: string) {
  const [, mime = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(uri) ?? []
  return { mime, data }
}
