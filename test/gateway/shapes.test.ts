// Shapes of answers as real gateways send them, more than gateway-api.md shows: one row a shape. Each is read whatever the format of the
// request is.

import { afterAll, describe, expect, it } from 'vitest'
import type { ChatPiece, Ending } from '../../src/gateway/client.ts'
import { GatewayMalformed, GatewayUnknownOutcome } from '../../src/gateway/errors.ts'
import {
  type Answer,
  collected,
  events,
  failureOf,
  json,
  raw,
  startAnswering,
} from '../support/gateway/answering.ts'

const server = await startAnswering()
afterAll(() => server.close())

const stream = () => server.gateway.chatStream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })

/** What an answer says. */
async function read(answer: Answer) {
  server.answer(answer)
  const pieces = await collected(stream())
  const text = pieces.map((one) => ('text' in one ? one.text : '')).join('')
  const thinking = pieces.map((one) => ('thinking' in one ? one.thinking : '')).join('')
  const pictures = pieces.flatMap((one) => ('picture' in one ? [one.picture] : []))
  const end = pieces.find((one) => 'end' in one)
  if (!end) throw new Error('no end')
  return { text, thinking, pictures, ...end }
}

const sse = (...all: unknown[]) => events([...all, '[DONE]'])
const whole = (body: unknown) => json(200, body)

// Chat completions.
const delta = (more: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: more, finish_reason }],
})
const said = (content: unknown) => delta({ content })
const message = (one: unknown, more = {}) => ({ choices: [{ message: one, ...more }] })
const last = (one: unknown) => message(one, { finish_reason: 'stop' })
const [hel, lo, stop] = [said('Hel'), said('lo'), delta({}, 'stop')]
const part = (text: unknown) => ({ type: 'text', text })
const thoughtPart = { type: 'thinking', thinking: [part('Hm.')] }
const tool = (one: object) => ({ tool_calls: [{ index: 0, id: 'c1', ...one }] })
const counted = (...all: unknown[]) => sse(hel, lo, ...all.map((usage) => ({ choices: [], usage })), stop)
const counts = (prompt_tokens: unknown, completion_tokens: unknown, total_tokens?: unknown) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
})
// The responses format.
const output = (...content: unknown[]) => [{ type: 'message', role: 'assistant', content }]
const outputText = { type: 'output_text', text: 'Hello' }
const ended = (response: object) => ({
  type: 'response.completed',
  response: { status: 'completed', ...response },
})
const textDelta = (text: string) => ({ type: 'response.output_text.delta', output_index: 1, delta: text })
const functionCall = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' }
const reasoning = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm.' }] }
// Messages.
const input = (usage: object) => ({ type: 'message_start', message: { content: [], usage } })
const ofMessages = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }
// The native format.
const native = (...parts: unknown[]) => ({ candidates: [{ content: { parts } }] })

const written = output(outputText)
const repeated = [
  { type: 'response.output_text.done', text: 'Hello' },
  { type: 'response.content_part.done', part: outputText },
  { type: 'response.output_item.done', item: written[0] },
  ended({ output_text: 'Hello', output: written }),
]
const hello = { content: 'Hello' }
const choice = (one: object) => ({ choices: [one] })
const asText = (text: string) => ({ text })

it.each<[string, Answer, object?]>([
  ['lists of parts', sse(said([part('Hel')]), said(['l', { text: 'o' }, { type: 'x' }]))],
  ['a part that is no list', sse(said(part('Hello')))],
  ['a number', whole(message({ content: 42 })), asText('42')],
  ['think tags', whole(message({ content: '<think>a</think>' })), asText('<think>a</think>')],
  ['a `message` that repeats it', sse(hel, lo, last(hello))],
  ['a `message` that repeats it with other spaces', sse(said(' Hello'), last(hello)), asText(' Hello')],
  ['`message` of every chunk', sse(...['Hel', 'l', 'o'].map((content) => message({ content })))],
  ['deltas beside it', sse(choice({ delta: { content: 'Hel' }, message: { content: 'Hel' } }), lo)],
  ['no index', sse(choice({ delta: hello }))],
  ['an index as a text', sse(choice({ index: '0', delta: hello }))],
  ['two choices', sse(hel, choice({ index: 1, delta: { content: 'no' } }), lo)],
  ['a tool call without a function', sse(delta({ content: 'Hel', tool_calls: [{ index: 0 }] }), lo)],
  ['values of other types', sse(delta({ ...hello, role: 7, refusal: {}, tool_calls: 'no' }))],
  ['completions, whose end may repeat', sse(choice({ text: 'Hi' }), choice({ text: 'i' })), asText('Hii')],
  ['`response.completed` alone', sse(ended({ output: output(outputText) }))],
  ['`output_text`', sse(ended({ output_text: 'Hello' }))],
  ['the rest in `response.completed`', sse(textDelta('Hel'), ended({ output_text: 'Hello' }))],
  ['`response.output_text.done`', sse({ type: 'response.output_text.done', text: 'Hello' }, ended({}))],
  ['deltas, parts, items and `response.completed`', sse(textDelta('Hel'), textDelta('lo'), ...repeated)],
  ['results of tools', sse(ended({ output: [{ type: 'mcp_call', content: [part('no')] }, ...written] }))],
  ['settings', whole({ output_text: 'Hello', text: { format: {} }, reasoning: { effort: 'low' } })],
  ['blocks without a type', sse({ content_block: { text: 'Hel' } }, { delta: { text: 'lo' } })],
  ['a whole message in events', sse({ type: 'message', content: [part('Hello')], stop_reason: 'end_turn' })],
  ['content that is a text', whole({ ...hello, stop_reason: 'end_turn' })],
  ['native chunks', sse(native({ text: 'Hel' }), native({ text: 'lo' }))],
  ['a native list of chunks', whole([native({ text: 'Hel' }), native({ text: 'lo' })])],
  ['native content that is a list', whole({ candidates: [{ content: [{ text: 'Hello' }] }] })],
])('the text is read from an answer with %s', async (_, answer, facts = asText('Hello')) => {
  expect(await read(answer)).toMatchObject(facts)
})

it.each<[string, Answer]>([
  ['under two names', sse(delta({ reasoning_content: 'Hm.', reasoning: 'Hm.' }), hel, lo)],
  ['in details', sse(delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }), hel, lo)],
  ['in a list of parts', sse(said([thoughtPart, part('Hel')]), lo)],
  ['of messages', whole({ content: [{ type: 'thinking', thinking: 'Hm.' }, part('Hel'), part('lo')] })],
  ['of responses', whole({ output: [reasoning, ...output(outputText)] })],
  ['of the native format', whole(native({ text: 'Hm.', thought: true }, { text: 'Hello' }))],
])('thinking %s is read apart from the text', async (_, answer) => {
  expect(await read(answer)).toMatchObject({ text: 'Hello', thinking: 'Hm.' })
})

const asked = { name: 'f', arguments: '{"a":1}' }
const ofItems = [
  { type: 'response.output_item.added', item: { ...functionCall, arguments: '' } },
  { type: 'response.function_call_arguments.delta', delta: '{"a":1}' },
  { type: 'response.output_item.done', item: functionCall },
  ended({ output: [{ ...functionCall, arguments: { a: 1 } }] }),
]
const use = { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }

it.each<[string, Answer]>([
  ['with arguments as an object', sse(delta(tool({ function: { name: 'f', arguments: { a: 1 } } })))],
  ['without `function`', sse(delta(tool(asked)))],
  ['once when `message` repeats it', sse(...[delta, last].map((as) => as(tool({ function: asked }))))],
  ['beside an empty one', whole(message({ content: null, tool_calls: [{ id: 'c1', function: asked }, {}] }))],
  ['once from its items', sse(...ofItems)],
  ['whose block has its input at once', sse({ type: 'content_block_start', index: 0, content_block: use })],
  ['of a whole message', whole({ content: [use] })],
  ['of the native format', whole(native({ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }))],
])('a tool call is read %s', async (_, answer) => {
  const toolCalls = [{ id: 'c1', name: 'f', arguments: '{"a":1}' }]
  expect(await read(answer)).toMatchObject({ text: '', toolCalls })
})

describe('an event that says nothing is skipped', () => {
  const nothing = 'null|ping|[]|7|"text"|true|{}|{"choices|: alive|{"type":"ping"}|'.split('|')
  const empties = '{}|""|null|false|0|[]|{"message":"","code":null,"details":{"more":[0]}}'.split('|')
  it('among others', async () => {
    const end = { how: 'complete' }
    for (const data of [...nothing, ...empties.map((empty) => `{"error":${empty}}`)])
      expect(await read(sse(hel, data, lo, stop)), data).toMatchObject({ text: 'Hello', end })
  })

  it('and an error with content ends the answer, whose text stays', async () => {
    server.answer(sse({ ...hel, error: { code: 7 } }, lo))
    const pieces: ChatPiece[] = []
    const reading = async () => {
      for await (const piece of stream()) pieces.push(piece)
    }
    expect(await failureOf(reading())).toMatchObject({ constructor: GatewayUnknownOutcome })
    expect(pieces).toEqual([{ text: 'Hel' }])
  })

  it('and an error by another name keeps its words', async () => {
    for (const data of [
      { base_resp: { status_code: 1008, status_msg: 'no luck' } },
      { object: 'error', message: 'no luck', code: 400 },
      { choices: [], x_groq: { error: 'no luck' } },
    ]) {
      server.answer(sse(data))
      expect(await failureOf(collected(stream()))).toMatchObject({ said: 'no luck' })
    }
  })

  it('and a connection that breaks after the finish reason leaves the answer complete', async () => {
    const wire = events([hel, lo, stop], (req) => req.socket.destroy())
    expect(await read(wire)).toMatchObject({ text: 'Hello', end: { how: 'complete', word: 'stop' } })
  })
})

describe('the first bytes decide how a body is read', () => {
  const wire = [hel, lo, stop].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
  const body = message({ content: 'Hello' })
  const lines = [hel, lo, stop].map((one) => JSON.stringify(one)).join('\n')
  it.each([
    ['an event stream', wire],
    ['an event stream after a comment', `: hello\n\n${wire}`],
    ['an event stream after empty lines', `${'\n'.repeat(18)}${wire}`],
    ['an event stream without empty lines', wire.replaceAll('\n\n', '\n')],
    ['JSON on many lines', JSON.stringify(body, null, 2)],
    ['JSON before an end marker', `${JSON.stringify(body, null, 2)}\n\ndata: [DONE]\n\n`],
    ['JSON lines before an end marker', `${lines}\n[DONE]\n`],
    ['a list of chunks', JSON.stringify([hel, lo, stop])],
  ])('%s, whatever its type', async (_, bytes) => {
    for (const type of ['text/event-stream', 'text/plain', 'application/json', ''])
      expect(await read(raw(200, bytes, type)), type).toMatchObject({
        text: 'Hello',
        end: { how: 'complete' },
      })
  })

  it('with any status of success', async () => {
    for (const status of [201, 202, 206]) {
      expect(await read(raw(status, wire))).toMatchObject({ text: 'Hello' })
      expect(await read(json(status, body))).toMatchObject({ text: 'Hello' })
    }
  })

  it('a page, nothing and other JSON are no answer', async () => {
    for (const [bytes, isJson] of [
      ['<html><body>data: no</body></html>', false],
      ['', false],
      ['{"ok":true}', true],
    ] as const) {
      server.answer(raw(200, bytes, 'text/event-stream'))
      const failure = await failureOf(collected(stream()))
      expect(failure).toMatchObject({ constructor: GatewayMalformed, isJson })
    }
  })
})

const told = { inputTokens: 10_000, outputTokens: 7 }
const cached = { input_tokens: 1, cache_creation_input_tokens: 3999, cache_read_input_tokens: 6000 }
const later = { type: 'message_delta', delta: {}, usage: { input_tokens: 0, output_tokens: 7 } }
const thoughts = { candidatesTokenCount: 4, thoughtsTokenCount: 3, totalTokenCount: 20_000 }
const usageMetadata = { promptTokenCount: 10_000, ...thoughts }
const ofResponses = { input_tokens: 10_000, output_tokens: 7 }
it.each<[string, Answer, object?]>([
  ['of zeros beside a text is not told', counted(counts(0, 0, 0))],
  ['of half a zero is not told', counted(counts(11, 0))],
  ['without its half is not told', counted(counts(11, undefined))],
  ['of invalid counts is not told', counted(counts(-1, '7'))],
  ['of the total alone is not told', counted(counts(undefined, undefined, 10_007))],
  ['keeps a number when a zero follows', counted(counts(10_000, 7), counts(0, 0)), told],
  ['takes the last number', counted(counts(10_000, 1), counts(10_000, 7)), told],
  ['may be written as texts', counted(counts('10000', '7')), told],
  ['is completed by the total', counted(counts(10_000, 0, 10_007)), told],
  ['includes the thinking that only the total counts', counted(counts(10_000, 2, 10_007)), told],
  ['takes the larger count when the total is too small', counted(counts(10_000, 7, 7)), told],
  ['is completed by the total of the input', counted(counts(undefined, 7, 10_007)), told],
  ['is read beside the last event', sse(hel, lo, { ...stop, x_groq: { usage: counts(10_000, 7) } }), told],
  ['survives a field of another type', counted(counts(10_000, 7, {})), told],
  ['may be in the choice', sse(choice({ delta: hello, usage: counts(10_000, 7) })), told],
  ['of messages comes in two parts, the later with a zero', sse(input(cached), ofMessages, later), told],
  ['of messages includes the cached', whole({ ...hello, usage: { ...cached, output_tokens: 7 } }), told],
  ['of the native format includes thoughts', whole({ ...native({ text: 'Hello' }), usageMetadata }), told],
  ['of responses is read', whole({ output_text: 'Hello', usage: ofResponses }), told],
])('the usage %s', async (_, answer, usage) => {
  const { text, usage: found } = await read(answer)
  expect([text, found]).toEqual(['Hello', usage])
})

describe('the end of an answer', () => {
  it.each<[Ending, string]>([
    ['complete', 'stop STOP end_turn stop_sequence tool_calls function_call eos'],
    ['length', 'length max_tokens MAX_TOKENS max_output_tokens model_context_window_exceeded'],
    ['filter', 'content_filter SAFETY RECITATION PROHIBITED_CONTENT content_policy_violation sensitive'],
    ['refusal', 'refusal'],
    ['balance', 'insufficient_balance low_balance insufficient_quota quota_exceeded'],
    ['tools', 'max_tool_calls pause_turn TOO_MANY_TOOL_CALLS tool_call_limit'],
    ['incomplete', 'incomplete error cancelled insufficient_system_resource MALFORMED_FUNCTION_CALL'],
    ['unknown', 'OTHER because'],
  ])('is %s by the words %s', async (how, words) => {
    for (const word of words.split(' '))
      expect(await read(sse(hel, delta({}, word)))).toMatchObject({ text: 'Hel', end: { how, word } })
  })

  const refused = (word: string, how = 'refusal') => ({ end: { how, word }, refusal: 'I cannot.' })
  const refusals = ['I can', 'not.'].map((refusal) => ({ type: 'response.refusal.delta', delta: refusal }))
  const wholeRefusal = ended({ output: output({ type: 'refusal', refusal: 'I cannot.' }) })
  const explained = { stop_reason: 'refusal', stop_details: { explanation: 'I cannot.' } }
  const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'I cannot.' }
  const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  const end = (how: Ending, word?: string) => ({ end: { how, word } })
  it.each<[string, Answer, object]>([
    ['no word', sse(hel), end('complete')],
    ['the word "null"', sse(delta({ content: 'Hel' }, 'null')), end('complete')],
    ['a refusal', sse(delta({ refusal: 'I can' }), delta({ refusal: 'not.' }), stop), refused('stop')],
    ['a whole refusal', whole(last({ refusal: 'I cannot.' })), refused('stop')],
    ['a refusal of responses', sse(...refusals, wholeRefusal), refused('completed')],
    ['a refusal of messages', sse({ type: 'message_delta', delta: explained }), refused('refusal')],
    ['a blocked prompt', whole({ promptFeedback }), refused('SAFETY', 'filter')],
    ['a blocked answer', whole({ candidates: [{ finishReason: 'SAFETY' }] }), end('filter', 'SAFETY')],
    ['details', sse({ type: 'response.incomplete', response: cut }), end('length', 'max_output_tokens')],
    ['no details', whole({ output_text: 'Hel', status: 'incomplete' }), end('incomplete', 'incomplete')],
  ])('may be %s', async (_, answer, facts) => {
    const { end, refusal } = await read(answer)
    expect({ end, refusal }).toEqual({ refusal: undefined, ...facts })
  })
})

describe('a picture', () => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3000, 7)])
  const base64 = png.toString('base64')
  const uri = `data:image/png;base64,${base64}`
  const picture = { bytes: png, mime: 'image/png' }
  const images = [{ image_url: { url: uri } }]
  const pieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  const source = { type: 'base64', media_type: 'image/png', data: base64 }

  it('in Markdown is taken out of a text that comes in pieces of any size', async () => {
    for (const size of [1, 3, 50, 1000, 100_000]) {
      const found = await read(sse(...pieces(`Hi!Look: ![a cat](${uri} "cat") done!`, size).map(said)))
      expect(found).toMatchObject({ text: 'Hi!Look:  done!', pictures: [picture] })
    }
  })

  it.each<[string, Answer]>([
    ['in `delta.images`', sse(delta({ images }))],
    ['in `message.images`', whole(message({ content: null, images }))],
    ['in images that are texts', sse(delta({ images: [uri] }))],
    ['in a part', sse(said([{ type: 'image_url', image_url: { url: uri } }]))],
    ['in `inlineData`', whole(native({ inlineData: { mimeType: 'image/jpeg', data: base64 } }))],
    ['in `inline_data`', whole(native({ inline_data: { mime_type: 'image/png', data: base64 } }))],
    ['of a tool of responses', sse(ended({ output: [{ type: 'image_generation_call', result: base64 }] }))],
    ['of messages', whole({ content: [{ type: 'image', source }] })],
    ['that is repeated at the end', sse(delta({ images }), message({ images, content: `![](${uri})` }))],
  ])('%s is given once, as bytes of their own type', async (_, answer) => {
    expect(await read(answer)).toMatchObject({ text: '', pictures: [picture] })
  })

  it('may be a link', async () => {
    const url = 'https://cdn.example/1.png'
    expect(await read(sse(delta({ images: [{ image_url: { url } }] })))).toMatchObject({
      pictures: [{ url }],
    })
  })

  it.each([
    '![cat](https://cdn.example/cat.png)',
    'Write ![](data:image/png;base64,iVBORw0KGgo...) in Markdown!',
    'Wow! [link](data:image/png) ![',
    '![not closed](data:image/png;base64,aGVsbG8',
  ])('is not made of other text: %s', async (text) => {
    for (const size of [1, 7, 1000])
      expect(await read(sse(...pieces(text, size).map(said)))).toMatchObject({ text, pictures: [] })
  })

  it('that is cut is dropped', async () => {
    expect(await read(sse(said(`Look: ![](${uri}`), stop))).toMatchObject({ text: 'Look: ', pictures: [] })
  })

  it('beyond ten of one answer, or 28 million characters, is dropped, and the text beside it stays', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ image_url: { url: `https://cdn.example/${at}` } }))
    const ten = { text: 'Hello', pictures: { length: 10 } }
    expect(await read(sse(delta({ content: 'Hello', images: many })))).toMatchObject(ten)
    const huge = `![](data:image/png;base64,${'A'.repeat(29 * 1024 * 1024)})`
    expect(await read(sse(said(`Hel${huge}lo`)))).toMatchObject({ text: 'Hello', pictures: [] })
  })
})
