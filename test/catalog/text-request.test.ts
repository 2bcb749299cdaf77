// The operator's parameters of text models, checked at the start against every operation that a question can use.

import { describe, expect, it } from 'vitest'
import { textTable } from '../../src/catalog/describe.ts'
import { textModelList } from '../../src/catalog/text-models.ts'

const problemsOf = (model: object): string[] =>
  textModelList
    .safeParse([{ id: 'T', ...model }])
    .error?.issues.map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`) ?? []

describe('a parameter is accepted', () => {
  it.each([
    ['gemini', ['search', 'code'], { temperature: 0.3, top_p: 1, seed: 7, stop: ['a'] }],
    ['gemini', ['search', 'code'], { generationConfig: { topK: 3, thinkingConfig: {} }, safetySettings: [] }],
    ['gemini', ['thinking'], { reasoning_effort: 'low', extra_body: {} }],
    ['gpt', [], { temperature: 0.3, seed: 7, frequency_penalty: 1 }],
    ['gpt', ['search', 'code', 'thinking'], { temperature: 0.3, top_p: 0.5, reasoning_effort: 'low' }],
    ['assistant', [], { temperature: 0.3 }],
    ['assistant', ['thinking'], { top_k: 40, mcp_servers: [], cache_control: { type: 'ephemeral' } }],
    ['mistral', ['search', 'code'], { seed: 7 }],
  ])('by %s with the abilities %j: %j', (family, abilities, request) => {
    expect(problemsOf({ family, abilities, request })).toEqual([])
  })
})

describe('a parameter is refused at the start', () => {
  it.each<[string, string[], object, string]>([
    ['gpt', ['search', 'code'], { seed: 7 }, '/v1/responses (used for "search" and "code")'],
    ['assistant', ['thinking'], { temperature: 0.3 }, '/v1/messages (used for "thinking")'],
    ['assistant', ['search'], { top_k: 40 }, '/v1/chat/completions (used for "search")'],
    ['assistant', [], { temperature: 0.3, top_k: 40 }, '"temperature" is not taken by /v1/messages: remove'],
    ['gemini', ['code'], { reasoning_effort: 'low' }, 'the native pass-through (used for "code")'],
    ['gemini', [], { top_k: 40 }, '"top_k" is not taken by /v1/chat/completions: remove it'],
    [
      'gemini',
      [],
      { topK: 40 },
      '"topK" is not taken by /v1/chat/completions: write it into "generationConfig"',
    ],
    [
      'gemini',
      [],
      { generationConfig: { candidateCount: 2 } },
      '"generationConfig.candidateCount" cannot be 2',
    ],
    ['gpt', [], { temperature: 'hot' }, 'request.temperature: "temperature" cannot be "hot"'],
    ['gemini', [], { generationConfig: { topP: 3 } }, '"generationConfig.topP" cannot be 3'],
    ['gpt', [], { max_tokens: 9 }, 'request.max_tokens: "max_tokens" is written by the app: remove it'],
    ['gpt', [], { stream: false }, 'request.stream: "stream" is written by the app: remove it'],
  ])('of %s with %j: %j', (family, abilities, request, problem) => {
    const problems = problemsOf({ family, abilities, request })
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  it('of the Gemini-style family when the gateway refuses it', () => {
    const refused = 'n stream_options frequency_penalty presence_penalty logprobs top_logprobs'
    for (const name of refused.split(' '))
      expect(problemsOf({ family: 'gemini', request: { [name]: 1 } })).toEqual([
        expect.stringContaining(`"${name}"`),
      ])
  })

  it('when it is inside of extra_body, from where a gateway may take it', () => {
    for (const name of 'stream model messages tools max_tokens n candidateCount logprobs'.split(' ')) {
      const removed = [expect.stringContaining(`remove "${name}" from it`)]
      const request = { extra_body: { google: {}, [name]: 1 } }
      expect(problemsOf({ family: 'gemini', request })).toEqual(removed)
      const requestFor = { chat: { [`extra_body.${name}`]: 1 } }
      expect(problemsOf({ family: 'gemini', requestFor })).toEqual(removed)
    }
  })
})

it.each<[object, object, string[]]>([
  [{ family: 'mistral' }, { modes: { search: { operation: 'chat', body: { plugins: ['web'] } } } }, []],
  [
    { family: 'mistral' },
    { modes: { search: { operation: 'chat', body: { messages: [] } } } },
    ['modes.search.body: the app writes what is asked: remove it'],
  ],
  [
    { family: 'gpt' },
    { requestFor: { chat: { seed: 7, verbosity: 'low' }, responses: { truncation: 'auto' } } },
    [],
  ],
  [{ family: 'deepseek' }, { requestFor: { chat: { thinking: { type: 'disabled' } } } }, []],
  [
    { family: 'gemini' },
    { requestFor: { native: { topK: 40, generationConfig: { mediaResolution: 'LOW' } } } },
    [],
  ],
  [
    { family: 'gemini', abilities: [] },
    { requestFor: { chat: { verbosity: 'low' } } },
    ['requestFor.chat.verbosity: "verbosity" is not taken by /v1/chat/completions: remove it'],
  ],
  [
    { family: 'gpt' },
    { requestFor: { responses: { n: 2, max_output_tokens: 9 } } },
    [
      'requestFor.responses.n: "n" is not taken by /v1/responses (used for "search"): remove it',
      'requestFor.responses.max_output_tokens: "max_output_tokens" is written by the app: remove it',
    ],
  ],
  [
    { family: 'gpt' },
    { requestFor: { chat: { 'stream_options.include_usage': false, 'logprobs.0': 1, streams: 1 } } },
    [
      expect.stringMatching(/"stream_options.include_usage" is written by the app/),
      expect.stringMatching(/"logprobs.0" is not taken by/),
    ],
  ],
  [
    { family: 'gpt' },
    {
      requestFor: {
        chat: { 'web_search_options.search_context_size': 'high' },
        responses: { 'tools.0': { type: 'computer' } },
      },
    },
    [
      expect.stringMatching(/"web_search_options.search_context_size" is written by the app/),
      expect.stringMatching(/"tools.0" is written by the app/),
    ],
  ],
  [
    { family: 'gemini' },
    {
      requestFor: {
        native: {
          candidate_count: 2,
          generation_config: { max_output_tokens: 9 },
          'generation_config.top_k': 40,
          system_instruction: {},
          service_tier: 'flex',
          generationConfig: { max_output_tokens: 9, candidate_count: 2 },
        },
      },
    },
    [
      expect.stringMatching(/"candidate_count" is not taken by/),
      expect.stringMatching(/"generation_config" is not taken by/),
      expect.stringMatching(/"generation_config.top_k" is not taken by/),
      expect.stringMatching(/"system_instruction" is written by the app/),
      expect.stringMatching(/"generationConfig.max_output_tokens" is written by the app/),
      expect.stringMatching(/"generationConfig.candidate_count" is not taken by/),
    ],
  ],
  [
    { family: 'gpt', abilities: [] },
    { requestFor: { responses: { store: false } } },
    ['requestFor.responses: no question of this model reaches /v1/responses, so remove it'],
  ],
])(
  'ways of asking and parameters for one operation are checked at the start: %j %j',
  (model, more, problems) => {
    expect(problemsOf({ abilities: ['search'], ...model, ...more })).toEqual(problems)
  },
)

it.each([
  ['gemini', ['code', 'vision', 'audio', 'json'], 'code vision audio json'],
  ['deepseek', ['search', 'tools', 'thinking'], 'tools thinking; no effect: search'],
  ['assistant', ['code'], 'no effect: code'],
])(
  'the table of text models has every ability of %s, and names those without effect: %j',
  (family, abilities, shown) => {
    const table = textTable(textModelList.parse([{ id: 'T', family, abilities }]))
    expect(table.split(' | ').at(-1)).toBe(`${shown} |`)
  },
)
