// For the contract tests: requests for any model to the local gateway, and their results.

import { expect } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { type Answer, type Answers, type Field, isUserField } from '../../../src/catalog/field.ts'
import { models } from '../../../src/catalog/index.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'
import { clock, openNewGateway, type Sandbox } from './local-gateway.ts'
import { withMissing } from './samples.ts'

export type Body = Readonly<Record<string, unknown>>
export const catalog = createCatalog(models, withGatewayIds())
export const eachModel = models.map((model) => [model.id, model] as const)

/** The body that the app would send, with a sample text in every required field. */
export function bodyOf(model: Model, answers: Answers = {}): Body {
  const body = catalog.request(model, withMissing(model, answers))
  if (!body) throw new Error(`${model.id} makes no request of ${JSON.stringify(answers)}`)
  return body
}

/** The answers with `words` as the prompt. */
export function saying(model: Model, words: string, answers: Answers = {}): Answers {
  const asked = model.fields.find(({ audience }) => audience === 'asked')
  if (!asked) throw new Error(`${model.id} asks for nothing`)
  return { ...answers, [asked.name]: words }
}

export function priceOf(model: Model, body: Body): number {
  const price = catalog.price(model, body)
  if (!price) throw new Error(`${model.id} has no price for ${JSON.stringify(body)}`)
  return Number(price.gatewayCost)
}

/** The number of billed results and the number of files of a request. */
export function countsOf(model: Model, body: Body) {
  const { count, files = count } = model.delivers(body)
  return { count, files }
}

/** Sets of answers to try: no answers, each offered answer alone, and all toggles switched on. */
export function variety(model: Model): Answers[] {
  const fields = model.fields.filter(isUserField)
  const single = fields.flatMap((field) =>
    offered(field).map((answer): Answers => ({ [field.name]: answer })),
  )
  const toggles = fields.filter(({ kind }) => kind === 'toggle').map(({ name }) => [name, true] as const)
  return [{}, ...single, Object.fromEntries(toggles)]
}

function offered(field: Field): readonly Answer[] {
  switch (field.kind) {
    case 'choice':
      return field.options.map(({ value }) => value)
    case 'number':
      return [field.min, ...field.suggestions, field.max]
    case 'toggle':
      return [!field.default]
    case 'text':
    case 'media':
      return []
  }
}

/** The answers of `variety` that give the most results. */
export function mostResults(model: Model): { readonly body: Body; readonly answers: Answers } {
  const all = variety(model).map((answers) => ({ answers, body: bodyOf(model, answers) }))
  const [most] = all.toSorted((a, b) => countsOf(model, b.body).files - countsOf(model, a.body).files)
  if (!most) throw new Error(`${model.id} has no variety`)
  return most
}

const polled = z.looseObject({
  status: z.string(),
  data: z.array(z.object({ url: z.url() })).default([]),
})

/** A new local gateway whose account can pay for anything. */
export async function openRichGateway() {
  const sandbox = await openNewGateway({ startBalance: 1_000_000_000, keepsState: false })
  const send = (model: Model, body: Body) => sandbox.post(`/gateway${model.endpoint}`, body)
  const look = async (id: string): Promise<unknown> => (await sandbox.call(`/gateway/v1/tasks/${id}`)).json()
  const begin = async (model: Model, body: Body): Promise<unknown> => {
    const answer = await send(model, body)
    const created: unknown = await answer.json()
    expect(answer.status, JSON.stringify({ body, created })).toBe(202)
    return created
  }
  const order = async (model: Model, body: Body) =>
    z.looseObject({ id: z.string() }).parse(await begin(model, body)).id
  return {
    ...sandbox,
    send,
    look,
    begin,
    order,
    /** Creates a task and returns its final poll. */
    async made(model: Model, body: Body) {
      const before = (await sandbox.account()).charged
      const id = await order(model, body)
      clock.advance(60_000)
      const task = polled.parse(await look(id))
      const charged = (await sandbox.account()).charged - before
      return { ...task, id, urls: task.data.map(({ url }) => url), charged }
    },
  }
}

export type RichSandbox = Awaited<ReturnType<typeof openRichGateway>>

export const setBalance = (sandbox: Pick<Sandbox, 'post'>, balance: number) =>
  sandbox.post('/api/gateway/account', { balance })
