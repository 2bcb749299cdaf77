// A request for a generation becomes a task: checked with the model's own strict schema, priced, and refused when the
// account can not pay for it.

import assert from 'node:assert/strict'
import { z } from 'zod'
import { models } from '../../catalog/index.ts'
import { exactPrice, flatten, type Model } from '../../catalog/model.ts'
import { ceilKopecks } from '../../money.ts'
import type { Fault } from '../faults.ts'
import type { Account } from './account.ts'
import { GatewayRefusal } from './answer.ts'
import type { ArtifactSpec } from './artifact.ts'
import { endingOf } from './ending.ts'
import { paceOf } from './pace.ts'
import type { Task } from './task.ts'
import { videoSpecs } from './video.ts'

export interface CreateDeps {
  readonly account: Account
  readonly speed: number
  readonly now: () => Date
  readonly newId: () => string
  readonly random: () => number
}

export const isEndpoint = (path: string): boolean => models.some((model) => model.endpoint === path)

/** @throws GatewayRefusal */
export function draftTask(deps: CreateDeps, path: string, input: unknown, fault: Fault | undefined): Task {
  const model = modelFor(path, input)
  const body = check(model, input)
  const ordered = model.delivers(body).count
  const price = priceOf(model, body, ordered)
  if (!deps.account.covers(price)) {
    throw new GatewayRefusal(402, 'insufficient_balance', `the balance does not cover ${price} kopecks`)
  }
  const { prompt, callbackUrl, uploadUrl } = wishes(model, body)
  const { results, ...ending } = endingOf(prompt, ordered, fault)
  const createdAt = deps.now().getTime()
  const { unit, quantity } = model.cost(body)
  const { queuedMs, totalMs } = paceOf(model.modality, unit === 'second' ? quantity : 0, deps.speed)
  return {
    id: deps.newId(),
    model: model.id,
    modality: model.modality,
    prompt,
    createdAt,
    startsAt: createdAt + queuedMs,
    endsAt: createdAt + totalMs,
    ...ending,
    charge: priceOf(model, body, results),
    artifacts: specsOf(model, body, deps.random).slice(0, results),
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(uploadUrl === undefined ? {} : { uploadUrl }),
    isSettled: false,
  }
}

const named = z.looseObject({ model: z.string() })

function modelFor(path: string, input: unknown): Model {
  const parsed = named.safeParse(input)
  if (!parsed.success) throw invalid(parsed.error)
  const { model: id } = parsed.data
  const found = models.find((model) => model.endpoint === path && model.id === id)
  if (!found) throw new GatewayRefusal(404, 'unknown_model', `no model "${id}" at ${path}`)
  return found
}

function check(model: Model, input: unknown): Record<string, unknown> {
  const parsed = model.request.safeParse(input)
  if (!parsed.success) throw invalid(parsed.error)
  return parsed.data
}

function invalid({ issues }: z.ZodError): GatewayRefusal {
  const said = issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return new GatewayRefusal(400, 'invalid_body', said.join('; '))
}

/** Kopecks for so many results: each one is billed. */
function priceOf(model: Model, body: Record<string, unknown>, count: number): number {
  const cost = { ...model.cost(body), count }
  const rate = model.rates[cost.rate]
  assert(rate, `${model.id} has no rate "${cost.rate}"`)
  return Number(ceilKopecks(exactPrice(cost, rate)))
}

/** The prompt goes by many names; the first text that a user must give is it. */
function wishes(model: Model, body: Record<string, unknown>) {
  const values = flatten(body)
  const asked = model.fields.find((field) => field.kind === 'text' && field.audience === 'asked')
  const at = (path = '') => z.string().optional().parse(values[path])
  return {
    prompt: at(asked?.name) ?? '',
    callbackUrl: at(model.callbackPath),
    uploadUrl: at('uploadEndpoint'),
  }
}

function specsOf(model: Model, body: Record<string, unknown>, random: () => number): ArtifactSpec[] {
  assert(model.modality === 'video', `the sandbox can not make ${model.modality} yet`)
  return videoSpecs(model, body, random)
}
