// What the app would send for arbitrary answers of users is allowed by the tables of fields that were written from gateway-api.md alone.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { models } from '../../src/catalog/index.ts'
import { bodyOf, catalog, variety } from '../support/gateway/contract.ts'
import { answersFor } from '../support/users/settings.ts'
import { problemOf } from './gateway/exchange.ts'
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
