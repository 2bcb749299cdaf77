// Turns a request for a generation into a task: the request is checked as gateway-api.md describes it, priced, and refused when the balance
// does not cover the price. The task completes, unless a scripted fault or a mark in the prompt says otherwise. The marks are for users of the
// chat page: `[fail]`, `[cancel]`, `[stuck]`, `[partial]` (one result fewer than ordered) and `[gone]` (the first file cannot be read, see results.ts).

import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Flat } from '../../catalog/field.ts'
import { codePoints } from '../../catalog/fields.ts'
import { models } from '../../catalog/index.ts'
import { exactPrice, type Modality, type Model, variantOf } from '../../catalog/model.ts'
import { promptInRequest } from '../../catalog/request.ts'
import { ceilKopecks } from '../../money.ts'
import type { Fault } from '../faults.ts'
import { GatewayRefusal, parsed } from './answer.ts'
import { artifactsOf } from './artifacts.ts'
import type { Account } from './inspection.ts'
import type { Task } from './tasks.ts'

interface Deps {
  readonly account: Account
  readonly speed: number
  readonly now: () => Date
  readonly dates: () => Date
  readonly newId: () => string
  readonly random: () => number
}

export const isEndpoint = (path: string): boolean => models.some((model) => model.endpoint === path)

/**
 * @returns also whether the answer is the result itself instead of a task, and the values of the media fields in the body, by path
 * @throws GatewayRefusal
 */
export function createTask(deps: Deps, path: string, input: unknown, fault: Fault | undefined) {
  const model = modelFor(path, input)
  const body = parsed(model.request, input)
  const { count, files = count } = model.delivers(body)
  deps.account.mustCover(priceOf(model, body, count))
  const at = (path = '') => z.string().optional().parse(model.values(body)[path])
  const prompt = promptInRequest(body, 10_000) ?? ''
  const { results, ...ending } = endingOf(prompt, files, fault)
  const isSync = answersAtOnce(model, body)
  const task: Task = {
    id: deps.newId(),
    model: String(body.model),
    modality: model.modality,
    prompt,
    ...timesOf(deps, model, body, isSync),
    ...ending,
    charge: priceOf(model, body, Math.min(results, count)),
    artifacts: artifactsOf(model, body, deps.random).slice(0, results),
    callbackUrl: at(model.callbackPath),
    uploadUrl: at('uploadEndpoint'),
    isSettled: false,
  }
  return { task, isSync, body, files: filesOf(model, body) }
}

function filesOf(model: Model, body: Record<string, unknown>): Flat {
  const media = model.fields.filter(({ kind }) => kind === 'media')
  const paths = new Set(media.flatMap(({ shape }) => Object.keys(shape)))
  return Object.fromEntries(Object.entries(model.values(body)).filter(([path]) => paths.has(path)))
}

/** The limit in this rule: "Asynchronous mode is also switched on automatically when the text exceeds 4500 characters." */
const longestSyncText = 4500

function answersAtOnce({ mode }: Model, { async, text }: Record<string, unknown>): boolean {
  const isLong = typeof text === 'string' && codePoints(text) > longestSyncText
  return mode !== 'async' && async !== true && !isLong
}

const queuedMs = 2000
/** The time from the creation to the end, about as long as real models take. */
const baseMs: Readonly<Record<Modality, number>> = {
  image: 4000,
  audio: 6000,
  video: 12_000,
  object3d: 20_000,
}

function timesOf({ now, dates, speed }: Deps, model: Model, body: Record<string, unknown>, isSync: boolean) {
  const createdAt = dates().getTime()
  const begun = now().getTime()
  if (isSync) return { createdAt, startsAt: begun, endsAt: begun }
  const { unit, quantity } = model.cost(body)
  const playingMs = unit === 'second' ? quantity * 1000 : 0
  const totalMs = baseMs[model.modality] + playingMs
  return { createdAt, startsAt: begun + queuedMs / speed, endsAt: begun + totalMs / speed }
}

function modelFor(path: string, input: unknown): Model {
  const { model: id } = parsed(z.looseObject({ model: z.string() }), input)
  const found = models.find(
    (model) =>
      model.endpoint === path && [model.gatewayId ?? model.id, model.id].includes(variantOf(id) ?? id),
  )
  if (!found) throw new GatewayRefusal(404, 'unknown_model', `no model "${id}" at ${path}`)
  return found
}

/** The price of `count` results in kopecks. */
function priceOf(model: Model, body: Record<string, unknown>, count: number): number {
  const cost = { ...model.cost(body), count }
  const rate = model.rates[cost.rate]
  assert(rate, `${model.id} has no rate "${cost.rate}"`)
  return Number(ceilKopecks(exactPrice(cost, rate)))
}

const reasons = {
  failed: 'The model could not make a result from this prompt. Nothing was charged.',
  canceled: 'The task was canceled by the gateway. Nothing was charged.',
} as const

const marks = { '[fail]': 'failed', '[cancel]': 'canceled', '[stuck]': 'stuck' } as const

/** `results` is the number of ordered results that are made. */
function endingOf(prompt: string, ordered: number, fault: Fault | undefined) {
  const marked = Object.entries(marks).find(([mark]) => prompt.includes(mark))?.[1]
  const { status = marked, error } = fault?.kind === 'task' ? fault : {}
  if (status === 'stuck') return { ending: status, results: ordered }
  if (status) return { ending: status, results: 0, error: error ?? reasons[status] }
  return {
    ending: 'completed' as const,
    results: prompt.includes('[partial]') ? Math.max(1, ordered - 1) : ordered,
  }
}
