// The contract of every model with the local gateway: bodies, formats, states, prices, numbers of results. A rule that is documented for
// a group of models is stated here once and applies to every new model of the group.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Model } from '../../src/catalog/model.ts'
import {
  bodyOf,
  countsOf,
  eachModel,
  mostResults,
  openRichGateway,
  priceOf,
  type RichSandbox,
  saying,
  setBalance,
  variety,
} from '../support/gateway/contract.ts'
import { clock, errorSchema, removeGateway } from '../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
beforeAll(async () => {
  sandbox = await openRichGateway()
})
afterAll(() => removeGateway(sandbox))

/** Models whose answers are documented as "Only `id` and `status`"; their polls have only status, data and error. */
const isBare = ({ id }: Model) => ['MODEL-3D-TEXT', 'MODEL-TTS-DIALOGUE'].includes(id)
const takesSeed = ({ fields }: Model) => fields.some(({ name }) => name === 'seed')
const gatewayId = ({ gatewayId, id }: Model) => gatewayId ?? id

const nowInSeconds = () => Math.floor(clock.now().getTime() / 1000)
const anId = expect.any(String)

function whenCreated(model: Model) {
  const status = 'queued'
  if (isBare(model)) return { id: anId, status }
  return {
    id: anId,
    object: `${model.modality}.task`,
    status,
    model: gatewayId(model),
    created: nowInSeconds(),
  }
}

function whenPolled(model: Model, id: string, created: number) {
  if (isBare(model)) return {}
  const { modality } = model
  const object = modality === 'image' ? 'task' : `${modality}.task`
  return { id, object, modality, model: gatewayId(model), created }
}

const item = (model: Model) => ({
  url: expect.stringMatching(/^http/),
  ...(takesSeed(model) && !isBare(model) ? { seed: 7 } : {}),
})

/** The documented prices of the smallest requests, in kopecks. All other tests take prices from the catalog. */
const documentedPrices: Readonly<Record<string, number>> = {
  'MODEL-IMAGE-DESIGN': 528,
  'MODEL-IMAGE-PHOTO': 528,
  'MODEL-VIDEO-REEL': 5 * 1849,
  'MODEL-VIDEO-WAN': 5 * 1981,
  'MODEL-VIDEO-DREAM': 5 * 5282,
  'MODEL-SPEECH-TURBO': 1,
  'MODEL-TTS-DIALOGUE': 665,
  'MODEL-MUSIC': 660,
  'MODEL-3D-TEXT': 19_200,
}

const finished = z.looseObject({ status: z.string(), data: z.array(z.looseObject({ url: z.string() })) })

const refusal = async (answer: Response) => [answer.status, errorSchema.parse(await answer.json()).error]

describe.each(eachModel)('%s', (_, model) => {
  it('is created and polled in the documented formats, with its seed: queued, processing, completed', async () => {
    const body = bodyOf(model, takesSeed(model) ? { seed: 7 } : {})
    const { charged } = await sandbox.account()
    const created = nowInSeconds()
    const answer = await sandbox.begin(model, body)
    expect(answer).toEqual(whenCreated(model))
    const { id } = z.object({ id: z.string() }).parse(answer)
    const facts = whenPolled(model, id, created)
    expect(await sandbox.look(id)).toEqual({ ...facts, status: 'queued' })
    clock.advance(2000)
    expect(await sandbox.look(id)).toEqual({ ...facts, status: 'processing' })
    expect((await sandbox.account()).charged).toBe(charged)
    clock.advance(60_000)
    const data = Array.from({ length: countsOf(model, body).files }, () => item(model))
    expect(await sandbox.look(id)).toEqual({ ...facts, status: 'completed', data })
    expect((await sandbox.account()).charged).toBe(charged + priceOf(model, body))
  })

  it.each([
    ['[fail]', 'failed'],
    ['[cancel]', 'canceled'],
  ])('with %s in its text ends as %s, with a message and without a charge', async (mark, status) => {
    const created = nowInSeconds()
    const { id, charged } = await sandbox.made(model, bodyOf(model, saying(model, `a cat ${mark}`)))
    const error = expect.stringContaining('Nothing was charged')
    expect(await sandbox.look(id)).toEqual({ ...whenPolled(model, id, created), status, error })
    expect(charged).toBe(0)
  })

  it('accepts every offered answer, charges the catalog’s price and makes as many results', async () => {
    const all = variety(model).map((answers) => bodyOf(model, answers))
    const before = (await sandbox.account()).charged
    const ids: string[] = []
    for (const body of all) ids.push(await sandbox.order(model, body))
    clock.advance(60_000)
    const made = await Promise.all(ids.map(async (id) => finished.parse(await sandbox.look(id))))
    const facts = made.map(({ status, data }) => [status, new Set(data.map(({ url }) => url)).size])
    expect(facts).toEqual(all.map((body) => ['completed', countsOf(model, body).files]))
    const prices = all.reduce((sum, body) => sum + priceOf(model, body), 0)
    expect((await sandbox.account()).charged - before).toBe(prices)
  })

  it('with [partial] in its text makes one result fewer, which is not charged', async () => {
    const { answers } = mostResults(model)
    const body = bodyOf(model, saying(model, 'a cat [partial]', answers))
    const { count, files } = countsOf(model, body)
    const { status, urls, charged } = await sandbox.made(model, body)
    const made = Math.max(1, files - 1)
    expect([status, urls.length]).toEqual(['completed', made])
    // All results have the same price; each is rounded up at most once.
    const share = (priceOf(model, body) * Math.min(made, count)) / count
    expect(Math.abs(charged - share)).toBeLessThan(1)
  })

  it('is refused with one kopeck less than its price and accepted with its price', async () => {
    const body = bodyOf(model)
    const price = priceOf(model, body)
    const { balance } = await sandbox.account()
    await setBalance(sandbox, price - 1)
    expect(await refusal(await sandbox.send(model, body))).toMatchObject([
      402,
      { type: 'insufficient_balance' },
    ])
    await setBalance(sandbox, price)
    expect((await sandbox.made(model, body)).status).toBe('completed')
    expect((await sandbox.account()).balance).toBe(0)
    await setBalance(sandbox, balance)
  })

  it('is refused with an unknown field, at an unknown path, and with a wrong key', async () => {
    const body = bodyOf(model)
    const message = expect.stringContaining('surprise')
    const surprised = await sandbox.send(model, { ...body, surprise: 1 })
    expect(await refusal(surprised)).toMatchObject([400, { message }])
    expect((await sandbox.post(`/gateway${model.endpoint}/more`, body)).status).toBe(404)
    const headers = { authorization: 'Bearer wrong', 'content-type': 'application/json' }
    const asked = { method: 'POST', body: JSON.stringify(body), headers }
    expect((await sandbox.call(`/gateway${model.endpoint}`, asked)).status).toBe(401)
  })
})

it.each(eachModel)('%s costs its documented price when nothing is chosen', async (id, model) => {
  expect((await sandbox.made(model, bodyOf(model))).charged).toBe(documentedPrices[id])
})
