// Checks the requests of the app for arbitrary answers of users against the tables of fields that were written from gateway-api.md alone.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models } from '../../../src/catalog/index.ts'
import { textModelList } from '../../../src/catalog/text-models.ts'
import { noModes } from '../../../src/catalog/text-modes.ts'
import { messagesBody } from '../../../src/chat/bodies.ts'
import { bodyOf, catalog, variety } from '../../support/gateway/contract.ts'
import { answersFor } from '../../support/users/settings.ts'
import { problemOf } from './gateway/exchange.ts'
import { chatFields } from './gateway/fields/chat.ts'
import { messagesFields } from './gateway/fields/messages.ts'
import { mediaModels } from './gateway/models.ts'

/** The callback address, which the app adds at the submit. */
const addresses = { callBackUrl: 'https://bot.example/callbacks/1' }

const cases = models.map((model) => {
  const sold = mediaModels.find(({ label }) => label === model.id)
  if (!sold) throw new Error(`the conformance gateway does not sell ${model.id}`)
  const problem = (body: object) => {
    const id = { model: sold.id }
    const called = sold.callback === 'callBackUrl' ? addresses : {}
    return problemOf(sold.fields, { ...body, ...id, ...called })
  }
  return [model.id, model, problem] as const
})

/** The required fields of each model. */
const common: Readonly<Record<string, object>> = {
  'MODEL-VIDEO-REEL': { positivePrompt: 'a cat' },
  'MODEL-VIDEO-WAN': { positivePrompt: 'a cat' },
  'MODEL-MUSIC': { prompt: 'a cat' },
  'MODEL-3D-TEXT': { prompt: 'a cat' },
  'MODEL-SPEECH-TURBO': { text: 'Hm?', voice_setting: {} },
  'MODEL-TTS-DIALOGUE': { text: 'Hm?' },
}

describe.each(cases)('%s', (_, model, problem) => {
  it('each offered answer alone makes a documented request', () => {
    const wrong = variety(model).flatMap((answers) => problem(bodyOf(model, answers)) ?? [])
    expect(wrong).toEqual([])
  })

  it('any combination of answers makes a documented request', () => {
    fc.assert(
      fc.property(answersFor(model), (answers) => {
        const body = catalog.request(model, answers)
        expect(body && problem(body)).toBe(undefined)
      }),
      { numRuns: 60 },
    )
  })

  it('the tables refuse a field that the document does not list', () => {
    expect(problem({ ...bodyOf(model), unlisted: 1 })).toContain('unlisted')
  })
})

describe('the tables of the text operations', () => {
  const chat = { model: 'a', messages: [{ role: 'user', content: 'Hm?' }], stream: true }
  const usage = { stream_options: { include_usage: true } }

  it('accept only the listed fields for the Gemini-like family', () => {
    expect(problemOf(chatFields('gemini'), { ...chat, reasoning_effort: 'low' })).toBe(undefined)
    expect(problemOf(chatFields('gemini'), { ...chat, ...usage })).toContain('stream_options')
    expect(problemOf(chatFields('gpt'), { ...chat, ...usage })).toBe(undefined)
  })

  it('refuse web search for the families that do not have it', () => {
    const searching = { ...chat, web_search_options: {} }
    expect(problemOf(chatFields('gpt'), searching)).toBe(undefined)
    for (const family of ['deepseek', 'mistral', 'minimax', 'gemini'] as const) {
      expect(problemOf(chatFields(family), searching)).toContain('web_search_options')
    }
  })

  it('refuse native field names in chat completions', () => {
    expect(problemOf(chatFields('assistant'), { ...chat, thinking: { type: 'enabled' } })).toContain(
      'thinking',
    )
    expect(problemOf(chatFields('gemini'), { ...chat, contents: [] })).toContain('contents')
  })
})

it("the app sends an operator's `top_k` in the messages format, but not together with thinking", () => {
  const [model] = textModelList.parse([{ id: 'a', family: 'assistant', request: { top_k: 40 } }])
  if (!model) throw new Error('no model')
  const messages = [{ role: 'user' as const, text: 'Hm?', images: [] }]
  const sent = (thinking: boolean) =>
    messagesBody({
      model,
      dialogue: { system: undefined, messages, tokens: 1 },
      maxOutput: 4000,
      modes: { ...noModes, thinking },
      tools: [],
    })
  expect(sent(false)).toMatchObject({ top_k: 40 })
  expect(sent(true)).not.toHaveProperty('top_k')
  expect(problemOf(messagesFields, sent(true))).toBe(undefined)
})

describe('the tables of the media models', () => {
  const grid = { type: 'grid', images: ['https://a.example/1.png'], tag: '@a' }
  const references = { referenceImages: ['https://a.example/1.png'] }
  const speakers = [{ speaker_id: 'a' }, { speaker_id: 'b' }]
  it.each<[string, object, string]>([
    ['MODEL-VIDEO-REEL', { width: 1280, height: 721 }, 'no valid pair'],
    ['MODEL-VIDEO-REEL', { width: 1280, height: 720, resolution: '720p' }, 'incompatible with resolution'],
    ['MODEL-VIDEO-REEL', { inputs: { referenceImages: [grid, grid] } }, 'exactly one group'],
    [
      'MODEL-VIDEO-REEL',
      { inputs: { referenceImages: [grid, { ...grid, type: 'image' }] } },
      'share one type',
    ],
    ['MODEL-VIDEO-WAN', { width: 1920, height: 1088 }, 'no valid pair'],
    ['MODEL-VIDEO-WAN', { width: 1280 }, 'are a pair'],
    ['MODEL-VIDEO-WAN', { inputs: references, duration: 11 }, 'at most 10 seconds'],
    [
      'MODEL-VIDEO-WAN',
      { inputs: { ...references, frameImages: references.referenceImages } },
      'incompatible',
    ],
    ['MODEL-VIDEO-WAN', { settings: { shotType: 'multi' } }, 'multi requires references'],
    ['MODEL-MUSIC', { customMode: false, instrumental: true, personaId: 'p' }, 'custom mode only'],
    ['MODEL-MUSIC', { customMode: true, instrumental: true, title: 't' }, 'style is required'],
    ['MODEL-MUSIC', { customMode: false, instrumental: false, prompt: 'a'.repeat(501) }, 'too long'],
    ['MODEL-3D-TEXT', { model_type: 'smart-topology', target_polycount: 15_001 }, 'at most 15000'],
    ['MODEL-3D-TEXT', { model_type: 'lowpoly', geometry_resolution: '2k' }, 'only with model_type'],
    ['MODEL-3D-TEXT', { enable_animation: true }, 'requires enable_rigging'],
    ['MODEL-SPEECH-TURBO', { output_format: 'url', stream: true }, 'without streaming'],
    ['MODEL-TTS-DIALOGUE', { text: 'a', speakers }, 'must not be combined'],
    ['MODEL-TTS-DIALOGUE', { text: undefined, speakers, turns: [{ speaker_id: 'c' }] }, 'must be listed'],
  ])('refuse for %s the undocumented combination %j', (label, part, words) => {
    const found = cases.find(([id]) => id === label)
    if (!found) throw new Error(`no ${label}`)
    const [, , problem] = found
    expect(problem({ ...common[label], ...part })).toContain(words)
  })
})

it('the conformance gateway imports nothing from src', () => {
  const folder = join(import.meta.dirname, 'gateway')
  const files = globSync('**/*.ts', { cwd: folder })
  const imports = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/from '.*'/g) ?? [])
  expect(imports.length).toBeGreaterThan(50)
  expect(imports.filter((from) => from.includes('/src/'))).toEqual([])
})
