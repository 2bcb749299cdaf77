// Request bodies of the gateway's text operations, made of the fields in `catalog/text-fields.ts` and nothing else. Source:
// gateway-api.md, "Chat and text operations".

import assert from 'node:assert/strict'
import type { Dispensable, Operation } from '../catalog/text-fields.ts'
import { outputLimitOf, requestFields, type TextModel } from '../catalog/text-models.ts'
import { askedFor, chosenFields, type Modes, unlisted } from '../catalog/text-modes.ts'
import { type Dialogue, inWords, type NativeFile, type Said } from './dialogue.ts'
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

/** Asserts that catalog/text-fields.ts lists every field of the body for this operation and family. */
function listed<B extends object>(operation: Operation, model: TextModel, body: B): B {
  assert.deepEqual(unlisted(operation, model, body), [], `fields of ${operation} for ${model.family}`)
  return body
}

/** Fields that are left out where the operator says that the gateway refuses them. */
const unlessRefused = <F extends object>({ without }: TextModel, name: Dispensable, fields: F) =>
  without.includes(name) ? {} : fields

/** The dialogue as this model takes it: without a field for the persona, this stands before the first message. */
function placed({ model, dialogue }: ChatRequest, field: Dispensable): Dialogue {
  const { system } = dialogue
  if (!system || !model.without.includes(field)) return dialogue
  const messages = dialogue.messages.map((said, at) =>
    at === 0 ? { ...said, text: `${system}\n\n${said.text}` } : said,
  )
  return { ...dialogue, system: '', messages }
}

/**
 * A stream reports its usage only with this option. The Gemini-style family does not accept it. Vendors of the Mistral-style family refuse
 * it, and report the usage without it. A usage that is not reported is estimated.
 */
const usageOption = (model: TextModel) =>
  model.family === 'gemini' || model.family === 'mistral'
    ? {}
    : unlessRefused(model, 'stream_options', { stream_options: { include_usage: true } })

export function chatBody(request: ChatRequest) {
  const { model, dialogue, maxOutput, tools } = request
  const asked = askedFor(model, request.modes)
  const offered = [...asked.tools, ...tools.map((tool) => ({ type: 'function', function: tool }))]
  const system = dialogue.system ? [{ role: 'system' as const, content: dialogue.system }] : []
  return listed('chat', model, {
    ...usageOption(model),
    ...requestFields(model, 'chat'),
    ...unlessRefused(model, 'stream', { stream: true }),
    model: model.id,
    messages: [...system, ...dialogue.messages.flatMap((said) => chatMessages(said, tools.length > 0))],
    [outputLimitOf(model)]: maxOutput,
    ...chosenFields('chat', model, request.modes),
    ...asked.body,
    ...(offered.length > 0 ? { tools: offered } : {}),
    ...(tools.length > 0 ? unlessRefused(model, 'tool_choice', { tool_choice: 'auto' }) : {}),
  })
}

interface ChatMessage {
  readonly role: Said['role'] | 'tool'
  readonly content: ReturnType<typeof parts> | null
  readonly tool_calls?: readonly object[]
  readonly tool_call_id?: string
}

/** @param hasTools without tools in the request a vendor may refuse calls */
function chatMessages(said: Said, hasTools: boolean): ChatMessage[] {
  const { role, text, calls = [] } = said
  if (calls.length === 0) return [{ role, content: parts(said) }]
  if (!hasTools) return [{ role, content: inWords(said) }]
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const results = calls.map(({ id, result }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: JSON.stringify(result),
  }))
  return [{ role, content: text || null, tool_calls }, ...results]
}

/** gateway-api.md shows no part for sound; this is the one of the format. */
function parts({ text, images, sounds = [] }: Said) {
  const attached = [
    ...images.map((url) => ({ type: 'image_url', image_url: { url } })),
    ...sounds.map(({ format, data }) => ({ type: 'input_audio', input_audio: { data, format } })),
  ]
  return attached.length > 0 ? [...textBlocks(text), ...attached] : text
}

/** The share of the output tokens that may be thinking; the least that the vendor takes is 1024. */
const budgets = { short: 1 / 8, usual: 1 / 2, long: 3 / 4 }

const budgetOf = (maxOutput: number, { depth }: Modes): number =>
  Math.max(Math.min(1024, Math.floor(maxOutput / 2)), Math.floor(maxOutput * budgets[depth ?? 'usual']))

/** Fields that the vendor's format does not accept beside thinking. */
const withoutThinking = ['temperature', 'top_p', 'top_k']

/** A part of the output tokens is reserved for thinking. */
export function messagesBody(request: ChatRequest) {
  const { model, maxOutput, modes, tools } = request
  const dialogue = placed(request, 'system')
  const asked = askedFor(model, modes)
  const offered = [
    ...asked.tools,
    ...tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  ]
  const given = Object.entries(requestFields(model, 'messages'))
  return listed('messages', model, {
    ...Object.fromEntries(given.filter(([name]) => !modes.thinking || !withoutThinking.includes(name))),
    ...unlessRefused(model, 'stream', { stream: true }),
    model: model.id,
    max_tokens: maxOutput,
    ...(dialogue.system ? { system: dialogue.system } : {}),
    // Beside thinking the vendor wants the thoughts before a call, which are not kept.
    messages: messagesWith(dialogue.messages, tools.length > 0 && !modes.thinking),
    ...(modes.thinking ? { thinking: { type: 'enabled', budget_tokens: budgetOf(maxOutput, modes) } } : {}),
    ...asked.body,
    ...(offered.length > 0 ? { tools: offered } : {}),
  })
}

/** Results stand at the beginning of the message after the calls. @param hasCalls otherwise they are told in words */
function messagesWith(messages: readonly Said[], hasCalls: boolean) {
  return messages.map((said, at) => {
    const { role, calls = [] } = said
    if (!hasCalls) return { role, content: blocks({ ...said, text: inWords(said) }) }
    const results = (messages[at - 1]?.calls ?? []).map(({ id, result }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: JSON.stringify(result),
    }))
    const uses = calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))
    const content = blocks(said)
    const own = typeof content === 'string' ? textBlocks(content) : content
    const all = [...results, ...own, ...uses]
    return { role, content: all.length > own.length ? all : content }
  })
}

const textBlocks = (text: string) => (text ? [{ type: 'text', text }] : [])

function blocks({ text, images }: Said) {
  if (images.length === 0) return text
  const pictures = images.map((uri) => {
    const { mime, data } = dataOf(uri)
    return { type: 'image', source: { type: 'base64', media_type: mime, data } }
  })
  return [...pictures, ...textBlocks(text)]
}

/** gateway-api.md defines `input` as a string, so the dialogue is sent as a transcript, and pictures cannot be sent. */
export function responsesBody(request: ChatRequest) {
  const { model, maxOutput, tools } = request
  const dialogue = placed(request, 'instructions')
  const asked = askedFor(model, request.modes)
  return listed('responses', model, {
    ...requestFields(model, 'responses'),
    ...unlessRefused(model, 'stream', { stream: true }),
    model: model.id,
    input: transcript(dialogue.messages),
    ...(dialogue.system ? { instructions: dialogue.system } : {}),
    ...unlessRefused(model, 'max_output_tokens', { max_output_tokens: maxOutput }),
    ...chosenFields('responses', model, request.modes),
    ...asked.body,
    tools: [...asked.tools, ...tools.map((tool) => ({ type: 'function', ...tool }))],
  })
}

function transcript(messages: readonly Said[]): string {
  const [only, ...more] = messages
  if (only && more.length === 0) return only.text
  return messages
    .map((said) => `${said.role === 'user' ? 'User' : 'Assistant'}: ${inWords(said)}`)
    .join('\n\n')
}

export function nativeBody(request: ChatRequest) {
  const { model, maxOutput, tools } = request
  const dialogue = placed(request, 'systemInstruction')
  const asked = askedFor(model, request.modes)
  const { generationConfig, ...given } = requestFields(model, 'native')
  const chosen = chosenFields('native', model, request.modes)
  const configs = [generationConfig, chosen.generationConfig, asked.body.generationConfig]
  const offered = [...asked.tools, ...(tools.length > 0 ? [{ functionDeclarations: tools }] : [])]
  return listed('native', model, {
    ...given,
    ...asked.body,
    model: model.id,
    contents: dialogue.messages.flatMap((said) => nativeContents(said, tools.length > 0)),
    ...(dialogue.system ? { systemInstruction: { parts: [{ text: dialogue.system }] } } : {}),
    generationConfig: {
      ...Object.fromEntries(configs.flatMap((one) => Object.entries(one ?? {}))),
      maxOutputTokens: maxOutput,
    },
    ...(offered.length > 0 ? { tools: offered } : {}),
  })
}

interface NativeContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly object[]
}

/** @param hasTools see `chatMessages` */
function nativeContents(said: Said, hasTools: boolean): NativeContent[] {
  const { calls = [] } = said
  if (said.role === 'user') return [{ role: 'user', parts: nativeParts(said) }]
  if (calls.length === 0 || !hasTools) return [{ role: 'model', parts: [{ text: inWords(said) }] }]
  const own = said.text ? [{ text: said.text }] : []
  const called = calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
  const results = calls.map(({ name, result }) => ({ functionResponse: { name, response: result } }))
  return [
    { role: 'model', parts: [...own, ...called] },
    { role: 'user', parts: results },
  ]
}

function nativeParts({ text, images, sounds = [], files = [] }: Said) {
  const all: readonly Pick<NativeFile, 'mime' | 'data' | 'uri'>[] = [
    ...images.map(dataOf),
    ...sounds.map(({ format, data }) => ({ mime: `audio/${format}`, data })),
    ...files,
  ]
  const parts = all.map(({ mime: mimeType, data = '', uri }) =>
    uri === undefined ? { inlineData: { mimeType, data } } : { fileData: { mimeType, fileUri: uri } },
  )
  return [...parts, ...(text || parts.length === 0 ? [{ text }] : [])]
}

function dataOf(uri: string) {
  const [, mime = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(uri) ?? []
  return { mime, data }
}
