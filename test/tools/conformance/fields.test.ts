// Checks the requests of the app for arbitrary answers of users against the tables of fields that were written from gateway-api.md alone.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { models } from '../../../src/catalog/index.ts'
import { bodyOf, catalog, variety } from '../../support/gateway/contract.ts'
import { answersFor } from '../../support/users/settings.ts'
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

it('the conformance gateway imports nothing from src', () => {
  const folder = join(import.meta.dirname, 'gateway')
  const files = globSync('**/*.ts', { cwd: folder })
  const imports = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/from '.*'/g) ?? [])
  expect(imports.length).toBeGreaterThan(30)
  expect(imports.filter((from) => from.includes('/src/'))).toEqual([])
})
