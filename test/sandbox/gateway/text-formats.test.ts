// The other text formats of the local gateway: messages, responses and the native path of the Gemini-style family.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textModels } from '../../../src/sandbox/gateway/text/ask.ts'
import { removeGateway } from '../../support/gateway/local-gateway.ts'
import {
  key,
  messages,
  native,
  openTextGateway,
  picture,
  responses,
  type TextSandbox,
  user,
  weather,
} from '../../support/gateway/text-gateway.ts'

let sandbox: TextSandbox
beforeEach(async () => {
  sandbox = await openTextGateway()
})
afterEach(() => removeGateway(sandbox))

const others = (...own: string[]) => textModels.map(({ id }) => id).filter((id) => !own.includes(id))
const data = picture.split(',')[1]

describe('requests in the messages format', () => {
  const order = { model: 'TEXT-ASSISTANT', max_tokens: 1000, messages: [user('Tell me about tea')] }
  const tool = { name: weather.name, description: weather.description, input_schema: weather.schema }

  it('are answered with content blocks and charged by usage', async () => {
    const answer = await sandbox.answer(messages, order)
    expect(answer).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'TEXT-ASSISTANT',
      content: [{ type: 'text', text: expect.stringContaining('Tell me about tea') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: expect.any(Number) },
    })
    const { usage } = answer as { usage: { output_tokens: number } }
    const kopecks = Math.ceil((5 * 39_000 + usage.output_tokens * 195_000) / 1_000_000)
    expect((await sandbox.account()).charged).toBe(kopecks)
  })

  it('can use the native features of the family', async () => {
    const cached = { type: 'ephemeral' }
    const answer = await sandbox.ask(messages, {
      ...order,
      top_k: 40,
      top_p: 0.9,
      temperature: 1,
      stop_sequences: ['END'],
      cache_control: cached,
      system: [{ type: 'text', text: 'Be kind', cache_control: cached }],
      mcp_servers: [{ type: 'url', name: 'docs', url: 'https://mcp.example.com' }],
      metadata: { user_id: 'u-1' },
      tools: [
        { ...tool, cache_control: cached },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      ],
      messages: [
        user([
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { type: 'text', text: 'what is this?', cache_control: cached },
        ]),
      ],
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('I have looked at all 2 attachments.')
  })

  it('are answered with a thinking block first when thinking is enabled', async () => {
    const thinking = { type: 'enabled', budget_tokens: 999 }
    expect(await sandbox.answer(messages, { ...order, thinking })).toMatchObject({
      content: [
        { type: 'thinking', thinking: expect.stringContaining('tea'), signature: expect.stringMatching(/./) },
        { type: 'text' },
      ],
    })
    const disabled = await sandbox.answer(messages, { ...order, thinking: { type: 'disabled' } })
    expect(disabled).toMatchObject({ content: [{ type: 'text' }] })
  })

  it('are answered with a tool call', async () => {
    const asked = user('get_weather for “Omsk”')
    expect(await sandbox.answer(messages, { ...order, tools: [tool], messages: [asked] })).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'get_weather', input: { city: 'Omsk' } }],
    })
  })

  it('are answered up to a stop sequence or max_tokens, with the reason', async () => {
    expect(await sandbox.answer(messages, { ...order, stop_sequences: ['short answer'] })).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'short answer',
    })
    expect(await sandbox.answer(messages, { ...order, max_tokens: 3 })).toMatchObject({
      stop_reason: 'max_tokens',
      usage: { output_tokens: 3 },
    })
  })

  it('can carry the API key in either header, and are refused with a wrong key', async () => {
    const none = { authorization: '' }
    expect((await sandbox.ask(messages, order, { ...none, 'x-api-key': key })).status).toBe(200)
    expect(await sandbox.refusal(messages, order, none)).toMatchObject({ status: 401 })
    expect(await sandbox.refusal(messages, order, { ...none, 'x-api-key': 'no' })).toMatchObject({
      status: 401,
    })
  })

  it.each(['', '2023-01-01'])('require the documented version header, not "%s"', async (version) => {
    const refusal = await sandbox.refusal(messages, order, { 'anthropic-version': version })
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('2023-06-01') })
  })

  it.each(others('TEXT-ASSISTANT'))('are refused by %s', async (model) => {
    expect(await sandbox.refusal(messages, { ...order, model })).toMatchObject({
      status: 400,
      code: 'unsupported_model',
    })
  })

  it.each([
    [{ model: 'TEXT-NONE' }, 404, 'TEXT-NONE'],
    [{ max_tokens: undefined }, 400, 'max_tokens'],
    [{ max_tokens: 0 }, 400, 'max_tokens'],
    [{ messages: [] }, 400, 'messages'],
    [{ messages: [{ role: 'system', content: 'Be kind' }] }, 400, 'role'],
    [{ thinking: { type: 'enabled', budget_tokens: 1000 } }, 400, 'budget_tokens'],
    [{ thinking: { type: 'enabled' } }, 400, 'budget_tokens'],
    [{ temperature: 1.5 }, 400, 'temperature'],
    [{ tool_choice: { type: 'any' } }, 400, 'tool_choice'],
    [{ max_completion_tokens: 5 }, 400, 'Unknown name "max_completion_tokens"'],
  ])('with %j are refused with %i, and the message names the problem', async (body, status, named) => {
    const refusal = await sandbox.refusal(messages, { ...order, ...body })
    expect(refusal.status).toBe(status)
    expect(refusal.message).toContain(named)
    expect((await sandbox.account()).charged).toBe(0)
  })
})

describe('requests in the responses format', () => {
  const order = { model: 'TEXT-GPT', input: 'Tell me about tea' }

  it.each(['TEXT-GPT', 'TEXT-GROK'])('to %s are answered with a text and its usage', async (model) => {
    const text = expect.stringContaining('Tell me about tea')
    expect(await sandbox.answer(responses, { ...order, model })).toMatchObject({
      object: 'response',
      status: 'completed',
      model,
      output_text: text,
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] },
      ],
      usage: { input_tokens: 5, output_tokens: expect.any(Number) },
    })
    expect((await sandbox.account()).charged).toBeGreaterThan(0)
  })

  it('with a dialogue as one text are answered about its last question', async () => {
    const input = 'User: Tell me about coffee\n\nAssistant: It is hot.\n\nUser: Tell me about tea'
    const answer = await sandbox.answer(responses, { ...order, input })
    expect(answer).toMatchObject({ output_text: expect.stringContaining('About “Tell me about tea”') })
  })

  it('are answered with a list of the used tools', async () => {
    const tools = [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }]
    expect(await sandbox.answer(responses, { ...order, tools })).toMatchObject({
      output_text: expect.stringContaining('https://'),
      output: [
        { type: 'web_search_call', status: 'completed' },
        { type: 'code_interpreter_call', outputs: [{ type: 'logs' }] },
        { type: 'message', content: [{ annotations: [{ type: 'url_citation' }] }] },
      ],
    })
  })

  it('are answered with a function call', async () => {
    const tools = [{ type: 'function', name: weather.name, parameters: weather.schema, strict: false }]
    const answer = await sandbox.answer(responses, { ...order, tools, input: 'get_weather for “Omsk”' })
    expect(answer).toMatchObject({
      output: [{ type: 'function_call', name: 'get_weather', arguments: '{"city":"Omsk"}' }],
      output_text: '',
    })
  })

  it('are answered incompletely at the token limit, and with JSON when it is requested', async () => {
    expect(await sandbox.answer(responses, { ...order, max_output_tokens: 3 })).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    const format = { type: 'json_schema', name: 'forecast', schema: weather.schema }
    const { output_text } = (await sandbox.answer(responses, { ...order, text: { format } })) as {
      output_text: string
    }
    expect(JSON.parse(output_text)).toMatchObject({ topic: 'Tell me about tea' })
  })

  it.each([
    ...others('TEXT-GPT', 'TEXT-GROK').map((model): [object, number, string] => [{ model }, 400, model]),
    [{ model: 'TEXT-NONE' }, 404, 'TEXT-NONE'],
    [{ input: undefined }, 400, 'input'],
    [{ input: [] }, 400, 'input'],
    [{ messages: [] }, 400, 'Unknown name "messages"'],
    [{ previous_response_id: 'resp_1' }, 400, 'previous_response_id'],
    [{ tools: [{ type: 'telepathy' }] }, 400, 'tools'],
  ])('with %j are refused with %i, and the message names the problem', async (body, status, named) => {
    const refusal = await sandbox.refusal(responses, { ...order, ...body })
    expect(refusal.status).toBe(status)
    expect(refusal.message).toContain(named)
  })
})

describe('the native path', () => {
  const contents = [{ role: 'user', parts: [{ text: 'Tell me about tea' }] }]
  const order = { model: 'TEXT-GEMINI', contents }

  it('answers with candidates and usage, and is charged', async () => {
    const answer = await sandbox.answer(native, order)
    expect(answer).toMatchObject({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: expect.stringContaining('Tell me about tea') }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 5 },
    })
    expect((await sandbox.account()).charged).toBeGreaterThan(0)
  })

  it('accepts settings that the chat format lacks', async () => {
    const generationConfig = {
      temperature: 1,
      topP: 0.9,
      topK: 40,
      candidateCount: 1,
      maxOutputTokens: 3,
      seed: 7,
      frequencyPenalty: 0.5,
      presencePenalty: 0.5,
      stopSequences: ['END'],
    }
    const systemInstruction = { parts: [{ text: 'Be kind' }] }
    const more = { generationConfig, systemInstruction, safetySettings: [{ category: 'A', threshold: 'B' }] }
    expect(await sandbox.answer(native, { ...order, ...more })).toMatchObject({
      candidates: [{ finishReason: 'MAX_TOKENS' }],
      usageMetadata: { candidatesTokenCount: 3 },
    })
  })

  it('accepts inline data, runs code and searches the web', async () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data } }, { text: 'what is this?' }]
    const tools = [{ codeExecution: {} }, { googleSearch: {} }]
    expect(await sandbox.answer(native, { ...order, contents: [{ parts }], tools })).toMatchObject({
      candidates: [
        {
          content: {
            parts: [
              { executableCode: {} },
              { codeExecutionResult: { output: '42\n' } },
              { text: expect.stringContaining('I have looked at what you attached.') },
            ],
          },
          groundingMetadata: {},
        },
      ],
      usageMetadata: { promptTokenCount: 4 + 256 },
    })
  })

  it('answers with a function call', async () => {
    const tools = [{ functionDeclarations: [{ name: 'get_weather', parameters: weather.schema }] }]
    const asked = [{ role: 'user', parts: [{ text: 'get_weather for “Omsk”' }] }]
    const functionCall = { name: 'get_weather', args: { city: 'Omsk' } }
    expect(await sandbox.answer(native, { ...order, contents: asked, tools })).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall }] } }],
    })
    const toolConfig = { functionCallingConfig: { mode: 'NONE' } }
    expect(await sandbox.answer(native, { ...order, contents: asked, tools, toolConfig })).toMatchObject({
      candidates: [{ content: { parts: [{ text: expect.any(String) }] } }],
    })
  })

  it('answers in JSON when it is requested', async () => {
    const generationConfig = { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT' } }
    expect(await sandbox.answer(native, { ...order, generationConfig })).toMatchObject({
      candidates: [{ content: { parts: [{ text: expect.stringMatching(/^\{.*\}$/s) }] } }],
    })
  })

  it.each([
    ...others('TEXT-GEMINI').map((model): [object, number, string] => [{ model }, 400, model]),
    [{ model: 'TEXT-NONE' }, 404, 'TEXT-NONE'],
    [{ contents: [] }, 400, 'contents'],
    [{ messages: [] }, 400, 'Unknown name "messages"'],
    [{ max_tokens: 5 }, 400, 'Unknown name "max_tokens"'],
    [{ stream: true }, 400, 'Unknown name "stream"'],
    [{ generationConfig: { n: 1 } }, 400, `Unknown name "n" at 'generationConfig'`],
  ])('refuses %j with %i, and the message names the problem', async (body, status, named) => {
    const refusal = await sandbox.refusal(native, { ...order, ...body })
    expect(refusal.status).toBe(status)
    expect(refusal.message).toContain(named)
  })

  it('of another vendor does not exist', async () => {
    expect(await sandbox.refusal('/v1/acme/generateContent', order)).toMatchObject({ status: 404 })
  })
})
