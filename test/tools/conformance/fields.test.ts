// Checks the requests of the app for arbitrary answers of users against the tables of fields that were written from gateway-api.md alone.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { models } from '../../../src/catalog/index.ts'
import { textModelList } from '../../../src/catalog/text-models.ts'
import { noModes } from '../../../src/catalog/text-modes.ts'
import { messagesBody } from '../../../src/chat/bodies.ts'
import { bodyOf, catalog, variety } from '../../support/gateway/contract.ts'
import { answersFor } from '../../support/users/settings.ts'
import { chatFields, type Family, messagesFields } from './gateway/fields/text.ts'
import { problemOf } from './gateway/http.ts'
import { mediaModels } from './gateway/models.ts'

/** What the tables say of a request for this model. */
function problemWith(label: string, body: object): string | undefined {
  const sold = mediaModels.find((one) => one.label === label)
  if (!sold) throw new Error(`the conformance gateway does not sell ${label}`)
  // The app adds the callback address at the submit.
  const called = sold.callback === 'callBackUrl' ? { callBackUrl: 'https://bot.example/callbacks/1' } : {}
  return problemOf(sold.fields, { ...body, model: sold.id, ...called })
}

it.each(models)('$id: any combination of answers makes a documented request', (model) => {
  const alone = variety(model).flatMap((answers) => problemWith(model.id, bodyOf(model, answers)) ?? [])
  expect(alone).toEqual([])
  fc.assert(
    fc.property(answersFor(model), (answers) => {
      const body = catalog.request(model, answers)
      expect(body && problemWith(model.id, body)).toBe(undefined)
    }),
    { numRuns: 60 },
  )
  expect(problemWith(model.id, { ...bodyOf(model), unlisted: 1 })).toContain('unlisted')
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
const grid = { type: 'grid', images: ['https://a.example/1.png'], tag: '@a' }
const references = { referenceImages: ['https://a.example/1.png'] }
const frames = { frameImages: references.referenceImages }
const speakers = [{ speaker_id: 'a' }, { speaker_id: 'b' }]

it('the tables of the media models refuse undocumented combinations', () => {
  const rows: readonly (readonly [string, object, string])[] = [
    ['VIDEO-REEL', { width: 1280, height: 721 }, 'no valid pair'],
    ['VIDEO-REEL', { width: 1280, height: 720, resolution: '720p' }, 'incompatible with resolution'],
    ['VIDEO-REEL', { inputs: { referenceImages: [grid, grid] } }, 'exactly one group'],
    ['VIDEO-REEL', { inputs: { referenceImages: [grid, { ...grid, type: 'image' }] } }, 'share one type'],
    ['VIDEO-WAN', { width: 1920, height: 1088 }, 'no valid pair'],
    ['VIDEO-WAN', { width: 1280 }, 'are a pair'],
    ['VIDEO-WAN', { inputs: references, duration: 11 }, 'at most 10 seconds'],
    ['VIDEO-WAN', { inputs: { ...references, ...frames } }, 'incompatible'],
    ['VIDEO-WAN', { settings: { shotType: 'multi' } }, 'multi requires references'],
    ['MUSIC', { customMode: false, instrumental: true, personaId: 'p' }, 'custom mode only'],
    ['MUSIC', { customMode: true, instrumental: true, title: 't' }, 'style is required'],
    ['MUSIC', { customMode: false, instrumental: false, prompt: 'a'.repeat(501) }, 'too long'],
    ['3D-TEXT', { model_type: 'smart-topology', target_polycount: 15_001 }, 'at most 15000'],
    ['3D-TEXT', { model_type: 'lowpoly', geometry_resolution: '2k' }, 'only with model_type'],
    ['3D-TEXT', { enable_animation: true }, 'requires enable_rigging'],
    ['SPEECH-TURBO', { output_format: 'url', stream: true }, 'without streaming'],
    ['TTS-DIALOGUE', { text: 'a', speakers }, 'must not be combined'],
    ['TTS-DIALOGUE', { text: undefined, speakers, turns: [{ speaker_id: 'c' }] }, 'must be listed'],
  ]
  const accepted = rows.filter(([name, part, words]) => {
    const label = `MODEL-${name}`
    return !problemWith(label, { ...common[label], ...part })?.includes(words)
  })
  expect(accepted).toEqual([])
})

it('the tables of chat completions depend on the family, and refuse native field names', () => {
  const chat = { model: 'a', messages: [{ role: 'user', content: 'Hm?' }], stream: true }
  const usage = { stream_options: { include_usage: true } }
  const search = { web_search_options: {} }
  const rows: readonly (readonly [Family, object, string | undefined])[] = [
    ['gemini', { reasoning_effort: 'low' }, undefined],
    ['gemini', usage, 'stream_options'],
    ['gemini', { contents: [] }, 'contents'],
    ['gpt', { ...usage, ...search }, undefined],
    ['assistant', { thinking: { type: 'enabled' } }, 'thinking'],
    ...(['deepseek', 'mistral', 'minimax', 'gemini'] as const).map(
      (family) => [family, search, 'web_search_options'] as const,
    ),
  ]
  for (const [family, part, words] of rows) {
    const problem = problemOf(chatFields(family), { ...chat, ...part })
    expect(problem && words ? problem.includes(words) : problem).toBe(words && true)
  }
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

it('the conformance gateway imports nothing from src', () => {
  const folder = join(import.meta.dirname, 'gateway')
  const files = globSync('**/*.ts', { cwd: folder })
  const imports = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/from '.*'/g) ?? [])
  expect(imports.length).toBeGreaterThan(30)
  expect(imports.filter((from) => from.includes('/src/'))).toEqual([])
})
