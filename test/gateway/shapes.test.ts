// Shapes of answers that gateway-api.md does not show, as real gateways send them: one row a shape. Each is read whatever the format of
// the request is.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatPiece, Ending, Usage } from '../../src/gateway/client.ts'
import { GatewayMalformed, GatewayUnknownOutcome } from '../../src/gateway/errors.ts'
import {
  type Answer,
  type Answering,
  collected,
  events,
  failureOf,
  json,
  raw,
  startAnswering,
} from '../support/gateway/answering.ts'

let server: Answering
beforeAll(async () => {
  server = await startAnswering()
})
afterAll(() => server.close())

const messages = [{ role: 'user', content: 'Hi' }] as const
const stream = () => server.gateway.chatStream({ model: 'm', messages })

/** What an answer says. */
async function read(answer: Answer) {
  server.answer(answer)
  const pieces = await collected(stream())
  const joined = (name: 'text' | 'thinking') =>
    pieces.map((one) => (name in one ? Object(one)[name] : '')).join('')
  const end = pieces.at(-1)
  if (!end || !('end' in end)) throw new Error('no end')
  const pictures = pieces.flatMap((one) => ('picture' in one ? [one.picture] : []))
  return { text: joined('text'), thinking: joined('thinking'), pictures, ...end }
}

const delta = (more: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: more, finish_reason }],
})
const said = (content: unknown) => delta({ content })
const [hel, lo, stop] = [said('Hel'), said('lo'), delta({}, 'stop')]
const sse = (...all: unknown[]) => events([...all, '[DONE]'])
const output = (...content: unknown[]) => [{ type: 'message', role: 'assistant', content }]
const ended = (response: object) => ({
  type: 'response.completed',
  response: { status: 'completed', ...response },
})
const textDelta = (text: string) => ({ type: 'response.output_text.delta', output_index: 1, delta: text })

describe('the text is read', () => {
  it.each<[string, Answer]>([
    ['from lists of parts', sse(said([{ type: 'text', text: 'Hel' }]), said(['l', { text: 'o' }]))],
    [
      'beside thinking in a list of parts',
      sse(
        said([
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
          { type: 'text', text: 'Hel' },
        ]),
        lo,
      ),
    ],
    ['from a part that is no list', sse(said({ type: 'text', text: 'Hello' }))],
    [
      'from `message` of the last chunk',
      sse({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }),
    ],
    [
      'once when `message` of the last chunk repeats it',
      sse(hel, lo, {
        choices: [{ index: 0, delta: {}, message: { content: 'Hello' }, finish_reason: 'stop' }],
      }),
    ],
    [
      'once when `message` repeats it with other spaces',
      sse(said(' Hello'), { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }).bind(
        undefined,
      ),
    ],
    [
      'from `message` of every chunk',
      sse(...['Hel', 'l', 'o'].map((content) => ({ choices: [{ message: { content } }] }))),
    ],
    ['without an index', sse({ choices: [{ delta: { content: 'Hello' } }] })],
    ['with an index of null', sse({ choices: [{ index: null, delta: { content: 'Hello' } }] })],
    ['with an index as a text', sse({ choices: [{ index: '0', delta: { content: 'Hello' } }] })],
    ['of the first choice only', sse(hel, { choices: [{ index: 1, delta: { content: 'no' } }] }, lo)],
    ['beside a tool call without a function', sse(delta({ content: 'Hel', tool_calls: [{ index: 0 }] }), lo)],
    ['beside tool calls that are no list', sse(delta({ content: 'Hel', tool_calls: 'none' }), lo)],
    [
      'beside a role, a refusal and sources of other types',
      sse(delta({ content: 'Hello', role: 7, refusal: {}, annotations: 'no' })),
    ],
    [
      'of the format of completions',
      sse({ choices: [{ text: 'Hel' }] }, { choices: [{ text: 'lo', finish_reason: 'stop' }] }),
    ],
    [
      'from `response.completed` alone',
      sse(ended({ output: output({ type: 'output_text', text: 'Hello' }) })),
    ],
    ['from `output_text` of `response.completed`', sse(ended({ output_text: 'Hello' }))],
    [
      'once from deltas, parts, items and `response.completed`',
      sse(
        { type: 'response.output_item.added', output_index: 1, item: { type: 'message', content: [] } },
        textDelta('Hel'),
        textDelta('lo'),
        { type: 'response.output_text.done', text: 'Hello' },
        { type: 'response.content_part.done', part: { type: 'output_text', text: 'Hello' } },
        { type: 'response.output_item.done', item: output({ type: 'output_text', text: 'Hello' })[0] },
        ended({ output_text: 'Hello', output: output({ type: 'output_text', text: 'Hello' }) }),
      ),
    ],
    ['from the rest in `response.completed`', sse(textDelta('Hel'), ended({ output_text: 'Hello' }))],
    [
      'from `response.output_text.done`',
      sse({ type: 'response.output_text.done', text: 'Hello' }, ended({})),
    ],
    [
      'of an item, not that of the results of tools',
      sse(
        ended({
          output: [
            { type: 'mcp_call', output: 'no', content: [{ type: 'text', text: 'no' }] },
            ...output({ type: 'output_text', text: 'Hello' }),
          ],
        }),
      ),
    ],
    [
      'of a response with settings',
      json(200, {
        object: 'response',
        output_text: 'Hello',
        text: { format: { type: 'text' } },
        reasoning: { effort: 'low', summary: 'auto' },
        status: 'completed',
      }),
    ],
    [
      'from blocks without a type',
      sse(
        { index: 0, content_block: { text: 'Hel' } },
        { index: 0, delta: { text: 'lo' } },
        { delta: { stop_reason: 'end_turn' } },
      ),
    ],
    [
      'of a whole message in events',
      sse({ type: 'message', content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' }),
    ],
    ['of a message whose content is a text', json(200, { content: 'Hello', stop_reason: 'end_turn' })],
    [
      'from native chunks',
      sse(
        { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] },
        { candidates: [{ content: { parts: [{ text: 'lo' }] }, finishReason: 'STOP' }] },
      ),
    ],
    [
      'from a native list of chunks',
      json(200, [
        { candidates: [{ content: { parts: [{ text: 'Hel' }] } }] },
        { candidates: [{ content: { parts: [{ text: 'lo' }] } }] },
      ]),
    ],
    [
      'once, from deltas that have the whole text beside them',
      sse(
        { choices: [{ delta: { content: 'Hel' }, message: { content: 'Hel' } }] },
        { choices: [{ delta: { content: 'lo' }, message: { content: 'Hello' }, finish_reason: 'stop' }] },
      ),
    ],
    ['from native content that is a list', json(200, { candidates: [{ content: [{ text: 'Hello' }] }] })],
  ])('%s', async (_, answer) => {
    const { text } = await read(answer)
    expect(text.trim()).toBe('Hello')
  })

  it('also when it is a number', async () => {
    expect((await read(json(200, { choices: [{ message: { content: 42 } }] }))).text).toBe('42')
  })

  it('with its thinking, which some vendors repeat under two names', async () => {
    const both = delta({ reasoning_content: 'Hm.', reasoning: 'Hm.' })
    expect(await read(sse(both, hel, lo))).toMatchObject({ text: 'Hello', thinking: 'Hm.' })
  })

  it('with a last piece of a text completion that repeats the end of the text', async () => {
    const wire = sse({ choices: [{ text: 'Hi' }] }, { choices: [{ text: 'i', finish_reason: 'stop' }] })
    expect((await read(wire)).text).toBe('Hii')
  })

  it('with thinking that comes as details alone', async () => {
    const details = delta({ content: '', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] })
    expect(await read(sse(details, hel, lo))).toMatchObject({ text: 'Hello', thinking: 'Hm.' })
  })

  it('with thinking in a list of parts, and not as a part of the answer', async () => {
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]
    const wire = sse(said([...thinking, { type: 'text', text: 'Do not ' }]), said('drink it.'))
    expect(await read(wire)).toMatchObject({ text: 'Do not drink it.', thinking: 'Hm.' })
  })
})

describe('a tool call is read', () => {
  const call = { id: 'c1', name: 'f', arguments: '{"a":1}' }
  it.each<[string, Answer]>([
    [
      'with arguments as an object',
      sse(delta({ tool_calls: [{ id: 'c1', function: { name: 'f', arguments: { a: 1 } } }] })),
    ],
    ['without `function`', sse(delta({ tool_calls: [{ id: 'c1', name: 'f', arguments: '{"a":1}' }] }))],
    [
      'once when `message` repeats it',
      sse(delta({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }] }), {
        choices: [
          {
            message: { tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    ],
    [
      'once from its items',
      sse(
        {
          type: 'response.output_item.added',
          item: { type: 'function_call', call_id: 'c1', name: 'f', arguments: '' },
        },
        { type: 'response.function_call_arguments.delta', delta: '{"a":1}' },
        {
          type: 'response.output_item.done',
          item: { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
        },
        ended({ output: [{ type: 'function_call', call_id: 'c1', name: 'f', arguments: { a: 1 } }] }),
      ),
    ],
    [
      'whose block has its input at once',
      sse({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
      }),
    ],
    [
      'of the native format',
      json(200, {
        candidates: [{ content: { parts: [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }] } }],
      }),
    ],
  ])('%s', async (_, answer) => {
    expect(await read(answer)).toMatchObject({ text: '', toolCalls: [call] })
  })
})

describe('an event that says nothing is skipped', () => {
  const nothing = [
    'null',
    '',
    'ping',
    '[]',
    '7',
    '"text"',
    'true',
    '{}',
    '{"choices',
    ': keep-alive',
    '{"type":"ping"}',
  ]
  const empties = [
    '{}',
    '""',
    'null',
    'false',
    '0',
    '[]',
    '{"message":"","code":null,"details":{"more":[0]}}',
  ]
  it.each([...nothing, ...empties.map((empty) => `{"error":${empty}}`)])('data: %s', async (data) => {
    expect(await read(sse(hel, data, lo, stop))).toMatchObject({ text: 'Hello', end: { how: 'complete' } })
  })

  it('and an error with content ends the answer, whose text stays', async () => {
    server.answer(sse({ ...hel, error: { code: 7 } }, lo))
    const pieces: ChatPiece[] = []
    const error = await failureOf(
      (async () => {
        for await (const piece of stream()) pieces.push(piece)
      })(),
    )
    expect([pieces, error]).toEqual([
      [{ text: 'Hel' }],
      expect.objectContaining({ constructor: GatewayUnknownOutcome }),
    ])
  })

  it.each([
    { base_resp: { status_code: 1008, status_msg: 'no luck' } },
    { object: 'error', message: 'no luck', code: 400 },
    { choices: [], x_groq: { error: 'no luck' } },
  ])('and an error by another name keeps its words: %j', async (data) => {
    server.answer(sse(data))
    expect(await failureOf(collected(stream()))).toMatchObject({ said: 'no luck' })
  })

  it('and a connection that breaks after the finish reason leaves the answer complete', async () => {
    const wire = events([hel, lo, stop], (req) => req.socket.destroy())
    expect(await read(wire)).toMatchObject({ text: 'Hello', end: { how: 'complete', word: 'stop' } })
  })
})

describe('the first bytes decide how a body is read', () => {
  const wire = [hel, lo, stop].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
  const whole = { choices: [{ message: { content: 'Hello' } }] }
  const lines = [hel, lo, stop].map((one) => JSON.stringify(one)).join('\n')
  const types = ['text/event-stream', 'text/plain', 'application/json', 'application/octet-stream', '']
  const bodies: readonly (readonly [string, string])[] = [
    ['an event stream', wire],
    ['an event stream after a comment', `: hello\n\n${wire}`],
    ['an event stream after empty lines', `\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n${wire}`],
    ['an event stream without empty lines', wire.replaceAll('\n\n', '\n')],
    ['JSON', JSON.stringify(whole)],
    ['JSON on many lines', JSON.stringify(whole, null, 2)],
    ['JSON before an end marker', `${JSON.stringify(whole, null, 2)}\n\ndata: [DONE]\n\n`],
    ['JSON lines', lines],
    ['JSON lines before an end marker', `${lines}\n[DONE]\n`],
    ['a list of chunks', JSON.stringify([hel, lo, stop])],
  ]
  const rows = bodies.flatMap(([name, body]) => types.map((type) => [name, type, body] as const))
  it.each(rows)('%s as "%s"', async (_, type, body) => {
    expect(await read(raw(200, body, type))).toMatchObject({ text: 'Hello', end: { how: 'complete' } })
  })

  it.each([201, 202, 206])('with the status %s', async (status) => {
    expect(await read(raw(status, wire))).toMatchObject({ text: 'Hello' })
    expect(await read(json(status, whole))).toMatchObject({ text: 'Hello' })
  })

  it.each([
    ['a page', '<html><body>data: no</body></html>', false],
    ['nothing', '', false],
    ['other JSON', '{"ok":true}', true],
  ])('%s is no answer', async (_, body, isJson) => {
    server.answer(raw(200, body, 'text/event-stream'))
    expect(await failureOf(collected(stream()))).toMatchObject({ constructor: GatewayMalformed, isJson })
  })
})

describe('the usage', () => {
  const counted = (...all: unknown[]) => sse(hel, lo, ...all.map((usage) => ({ choices: [], usage })), stop)
  const input = (usage: object) => ({ type: 'message_start', message: { content: [], usage } })
  const told = { inputTokens: 10_000, outputTokens: 7 }
  it.each<[string, Answer, Usage | undefined]>([
    [
      'of zeros beside a text is not told',
      counted({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
      undefined,
    ],
    ['of half a zero is not told', counted({ prompt_tokens: 11, completion_tokens: 0 }), undefined],
    [
      'keeps a number when a zero follows',
      counted({ prompt_tokens: 10_000, completion_tokens: 7 }, { prompt_tokens: 0, completion_tokens: 0 }),
      told,
    ],
    [
      'takes the last number',
      counted(
        { prompt_tokens: 10_000, completion_tokens: 1 },
        { prompt_tokens: 10_000, completion_tokens: 7 },
      ),
      told,
    ],
    ['may be written as texts', counted({ prompt_tokens: '10000', completion_tokens: '7' }), told],
    [
      'is completed by the total',
      counted({ prompt_tokens: 10_000, completion_tokens: 0, total_tokens: 10_007 }),
      told,
    ],
    ['is completed by the total of the input', counted({ completion_tokens: 7, total_tokens: 10_007 }), told],
    [
      'is read beside the last event of one vendor',
      sse(hel, lo, { ...stop, x_groq: { usage: { prompt_tokens: 10_000, completion_tokens: 7 } } }),
      told,
    ],
    ['of the total alone is not told', counted({ total_tokens: 10_007 }), undefined],
    [
      'survives a field of another type',
      counted({ prompt_tokens: 10_000, completion_tokens: 7, total_tokens: {} }),
      told,
    ],
    [
      'may be in the choice',
      sse({
        choices: [{ delta: { content: 'Hello' }, usage: { prompt_tokens: 10_000, completion_tokens: 7 } }],
      }),
      told,
    ],
    [
      'of messages comes in two parts, the later with a zero',
      sse(
        input({ input_tokens: 4000, cache_read_input_tokens: 6000, output_tokens: 1 }),
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn' },
          usage: { input_tokens: 0, output_tokens: 7 },
        },
        { type: 'message_stop' },
      ),
      told,
    ],
    [
      'of the native format includes thoughts',
      json(200, {
        candidates: [{ content: { parts: [{ text: 'Hello' }] } }],
        usageMetadata: {
          promptTokenCount: 10_000,
          candidatesTokenCount: 4,
          thoughtsTokenCount: 3,
          totalTokenCount: 20_000,
        },
      }),
      told,
    ],
  ])('%s', async (_, answer, usage) => {
    const { text, usage: found } = await read(answer)
    expect([text, found]).toEqual(['Hello', usage])
  })
})

describe('the end of an answer', () => {
  const words: readonly (readonly [Ending, readonly string[]])[] = [
    ['complete', ['stop', 'STOP', 'end_turn', 'stop_sequence', 'tool_calls', 'function_call', 'eos']],
    ['length', ['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_context_window_exceeded']],
    [
      'filter',
      [
        'content_filter',
        'SAFETY',
        'RECITATION',
        'PROHIBITED_CONTENT',
        'content_policy_violation',
        'sensitive',
      ],
    ],
    ['refusal', ['refusal']],
    ['balance', ['insufficient_balance', 'low_balance', 'insufficient_quota', 'quota_exceeded']],
    ['tools', ['max_tool_calls', 'pause_turn', 'TOO_MANY_TOOL_CALLS', 'tool_call_limit']],
    [
      'incomplete',
      ['incomplete', 'error', 'cancelled', 'insufficient_system_resource', 'MALFORMED_FUNCTION_CALL'],
    ],
    ['unknown', ['OTHER', 'because']],
  ]
  const rows = words.flatMap(([how, all]) => all.map((word) => [word, how] as const))
  it.each(rows)('%s means %s', async (word, how) => {
    expect(await read(sse(hel, delta({}, word)))).toMatchObject({ text: 'Hel', end: { how, word } })
  })

  it.each<[string, Answer, object, string | undefined]>([
    ['no word', sse(hel), { how: 'complete' }, undefined],
    ['the word "null"', sse(delta({ content: 'Hel' }, 'null')), { how: 'complete' }, undefined],
    [
      'a refusal of chat completions',
      sse(delta({ refusal: 'I can' }), delta({ refusal: 'not.' }), stop),
      { how: 'refusal', word: 'stop' },
      'I cannot.',
    ],
    [
      'a whole refusal',
      json(200, { choices: [{ message: { content: null, refusal: 'I cannot.' }, finish_reason: 'stop' }] }),
      { how: 'refusal', word: 'stop' },
      'I cannot.',
    ],
    [
      'a refusal of the responses format',
      sse(
        { type: 'response.refusal.delta', delta: 'I can' },
        { type: 'response.refusal.delta', delta: 'not.' },
        { type: 'response.refusal.done', refusal: 'I cannot.' },
        ended({ output: output({ type: 'refusal', refusal: 'I cannot.' }) }),
      ),
      { how: 'refusal', word: 'completed' },
      'I cannot.',
    ],
    [
      'a refusal of messages',
      sse({
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_details: { explanation: 'I cannot.' } },
      }),
      { how: 'refusal', word: 'refusal' },
      'I cannot.',
    ],
    [
      'a blocked prompt',
      json(200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'Not this.' } }),
      { how: 'filter', word: 'PROHIBITED_CONTENT' },
      'Not this.',
    ],
    [
      'the details of an incomplete response',
      sse(textDelta('Hel'), {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      }),
      { how: 'length', word: 'max_output_tokens' },
      undefined,
    ],
    [
      'an incomplete response without details',
      json(200, { output_text: 'Hel', status: 'incomplete' }),
      { how: 'incomplete', word: 'incomplete' },
      undefined,
    ],
  ])('%s', async (_, answer, end, refusal) => {
    const found = await read(answer)
    expect([found.end, found.refusal]).toEqual([end, refusal])
  })
})

describe('a picture', () => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3000, 7)])
  const base64 = png.toString('base64')
  const uri = `data:image/png;base64,${base64}`
  const picture = { bytes: png, mime: 'image/png' }
  const markdown = `Look: ![a [black] cat](${uri} "cat") done`.replace('[black] ', '')
  const pieces = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

  it.each([1, 3, 50, 1000, 100_000])(
    'in Markdown is taken out of a text that comes in pieces of %s',
    async (size) => {
      const found = await read(sse(...pieces(`Hi!${markdown}!`, size).map(said)))
      expect(found).toMatchObject({ text: 'Hi!Look:  done!', pictures: [picture] })
    },
  )

  it.each<[string, Answer]>([
    ['in `delta.images`', sse(delta({ images: [{ type: 'image_url', image_url: { url: uri } }] }))],
    [
      'in `message.images`',
      json(200, { choices: [{ message: { content: null, images: [{ image_url: { url: uri } }] } }] }),
    ],
    ['in images that are texts', sse(delta({ images: [uri] }))],
    ['in a part', sse(said([{ type: 'image_url', image_url: { url: uri } }]))],
    [
      'in `inlineData`',
      json(200, {
        candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/jpeg', data: base64 } }] } }],
      }),
    ],
    [
      'in `inline_data`',
      json(200, {
        candidates: [{ content: { parts: [{ inline_data: { mime_type: 'image/png', data: base64 } }] } }],
      }),
    ],
    [
      'of a tool of the responses format',
      sse(ended({ output: [{ type: 'image_generation_call', status: 'completed', result: base64 }] })),
    ],
    [
      'of messages',
      json(200, {
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }],
      }),
    ],
    [
      'that is repeated at the end',
      sse(delta({ images: [{ image_url: { url: uri } }] }), {
        choices: [
          {
            message: { images: [{ image_url: { url: uri } }], content: `![](${uri})` },
            finish_reason: 'stop',
          },
        ],
      }),
    ],
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
    for (const size of [1, 7, 1000]) {
      expect(await read(sse(...pieces(text, size).map(said)))).toMatchObject({ text, pictures: [] })
    }
  })

  it('that is cut is dropped', async () => {
    expect(await read(sse(said(`Look: ![](${uri}`), stop))).toMatchObject({ text: 'Look: ', pictures: [] })
  })

  it('beyond ten of one answer, or 28 million characters, is dropped, and the text beside it stays', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ image_url: { url: `https://cdn.example/${at}` } }))
    expect(await read(sse(delta({ content: 'Hello', images: many })))).toMatchObject({
      text: 'Hello',
      pictures: { length: 10 },
    })
    const huge = `![](data:image/png;base64,${'A'.repeat(29 * 1024 * 1024)})`
    expect(await read(sse(said(`Hel${huge}lo`)))).toMatchObject({ text: 'Hello', pictures: [] })
  })
})

describe('any JSON value in any field', () => {
  const words = ['one ', 'two ', 'three ']
  const whole = words.join('')
  /** Streams with their texts in different fields; the first event is garbled. */
  const streams: readonly (readonly object[])[] = [
    [
      ...words.map((content) => ({
        ...delta({ content, tool_calls: [{ index: 0 }], annotations: [] }),
        usage: { prompt_tokens: 1 },
      })),
      stop,
    ],
    words.map((text, index) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })),
    [...words.map(textDelta), ended({ output: output({ type: 'output_text', text: whole }), usage: {} })],
    words.map((text) => ({
      candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP' }],
      usageMetadata: {},
    })),
  ]
  const fields = (one: unknown, way: string[] = []): string[][] =>
    typeof one !== 'object' || one === null
      ? [way]
      : [way, ...Object.entries(one).flatMap(([name, inner]) => fields(inner, [...way, name]))]
  const replaced = (one: unknown, [name, ...way]: string[], by: unknown): unknown => {
    if (name === undefined) return by
    if (Array.isArray(one))
      return one.map((inner, at) => (String(at) === name ? replaced(inner, way, by) : inner))
    return { ...Object(one), [name]: replaced(Object(one)[name], way, by) }
  }
  /** A value that says nothing by itself: no words of an error, of an end, or of another kind of content. */
  const value = fc
    .oneof({ arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 9 }, fc.constant({ toString: 0, valueOf: 0 }))
    .filter((one) => !/error|message|think|tool|call|done/i.test(JSON.stringify(one)))

  it('never loses the text of other events, and never throws', async () => {
    const garbled = fc
      .constantFrom(...streams)
      .chain((all) =>
        fc.record({ all: fc.constant(all), way: fc.constantFrom(...fields(all[0])), by: value }),
      )
    await fc.assert(
      fc.asyncProperty(garbled, async ({ all, way, by }) => {
        const [first, ...others] = all
        const { text } = await read(sse(replaced(first, way, by), ...others))
        expect(text).toContain('two three ')
        const isText = /content$|text$|delta$|^$/.test(way.at(-1) ?? '')
        const isOther = way.length < 3 || way.includes('index') || isText || way.some((name) => name === '0')
        if (!isOther) expect(text).toContain(whole)
      }),
      { numRuns: 300 },
    )
  }, 60_000)
})
