// What the app would send for arbitrary answers of users is allowed by the tables of fields that were written from gateway-api.md alone.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models } from '../../src/catalog/index.ts'
import { bodyOf, catalog, variety } from '../support/gateway/contract.ts'
import { answersFor } from '../support/users/settings.ts'
import { problemOf } from './gateway/exchange.ts'
import { chatFields } from './gateway/fields/chat.ts'
import { mediaModels } from './gateway/models.ts'

/** Addresses that the app adds when it submits. */
const addresses = { callBackUrl: 'https://bot.example/callbacks/1' }

const cases = models.map((model) => {
  const stranger = mediaModels.find(({ label }) => label === model.id)
  if (!stranger) throw new Error(`the stranger does not sell ${model.id}`)
  const problem = (body: object) => {
    const id = { model: stranger.id }
    const called = stranger.callback === 'callBackUrl' ? addresses : {}
    return problemOf(stranger.fields, { ...body, ...id, ...called })
  }
  return [model.id, model, problem] as const
})

describe.each(cases)('%s', (_, model, problem) => {
  it('each answer on its own makes a documented request', () => {
    const wrong = variety(model).flatMap((answers) => problem(bodyOf(model, answers)) ?? [])
    expect(wrong).toEqual([])
  })

  it('any answers together make a documented request', () => {
    fc.assert(
      fc.property(answersFor(model), (answers) => {
        const body = catalog.request(model, answers)
        expect(body && problem(body)).toBe(undefined)
      }),
      { numRuns: 60 },
    )
  })

  it('a field that the document does not list is refused', () => {
    expect(problem({ ...bodyOf(model), unlisted: 1 })).toContain('unlisted')
  })
})

describe('a text operation', () => {
  const chat = { model: 'a', messages: [{ role: 'user', content: 'Hm?' }], stream: true }
  const usage = { stream_options: { include_usage: true } }

  it('takes the listed fields only for the Gemini-like family', () => {
    expect(problemOf(chatFields('gemini'), { ...chat, reasoning_effort: 'low' })).toBe(undefined)
    expect(problemOf(chatFields('gemini'), { ...chat, ...usage })).toContain('stream_options')
    expect(problemOf(chatFields('gpt'), { ...chat, ...usage })).toBe(undefined)
  })

  it('refuses web search for the families that do not have it', () => {
    const searching = { ...chat, web_search_options: {} }
    expect(problemOf(chatFields('gpt'), searching)).toBe(undefined)
    for (const family of ['deepseek', 'mistral', 'minimax', 'gemini'] as const) {
      expect(problemOf(chatFields(family), searching)).toContain('web_search_options')
    }
  })

  it('refuses native names in chat completions', () => {
    expect(problemOf(chatFields('assistant'), { ...chat, thinking: { type: 'enabled' } })).toContain(
      'thinking',
    )
    expect(problemOf(chatFields('gemini'), { ...chat, contents: [] })).toContain('contents')
  })
})

it('the stranger imports nothing from src', () => {
  const folder = join(import.meta.dirname, 'gateway')
  const files = globSync('**/*.ts', { cwd: folder })
  const imports = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/from '.*'/g) ?? [])
  expect(imports.length).toBeGreaterThan(50)
  expect(imports.filter((from) => from.includes('/src/'))).toEqual([])
})
