// Tasks: their states over time, and their bodies in the answers to the creation, in polls and in callbacks.

import { randomUUID } from 'node:crypto'
import type { MediaModel } from './models.ts'
import type { Personality } from './personality.ts'

export type State = 'queued' | 'processing' | 'completed' | 'failed' | 'canceled'

export interface Task {
  readonly id: string | number
  readonly model: MediaModel
  readonly personality: Personality
  /** The addresses of the artifacts. */
  readonly urls: readonly string[]
  readonly created: number
  readonly ends: 'completed' | 'failed' | 'canceled'
  state: State
}

export const failureWords = 'The prompt was blocked by the safety filter'

const synonyms = {
  queued: ['pending', 'submitted'],
  processing: ['running', 'dreaming'],
  completed: ['succeeded', 'success'],
  failed: ['error', 'failure'],
  canceled: ['cancelled', 'cancelled'],
} as const

export function stateWord(way: Personality['states'], state: State): string {
  if (way === 'upper') return state.toUpperCase()
  if (way === 'capital') return state[0]?.toUpperCase() + state.slice(1)
  return way === 'documented' ? state : synonyms[state][way === 'synonyms' ? 0 : 1]
}

let count = 0

export function newTaskId(way: Personality['ids']): string | number {
  count += 1
  if (way === 'number') return 9_000_000_000 + count
  return way === 'signs' ? `task:${count}/a+b=~${randomUUID().slice(0, 8)}` : randomUUID()
}

type Fields = Readonly<Record<string, unknown>>

const dataItem = ({ personality }: Task, url: string, index: number): Fields =>
  personality.extras === 'many'
    ? { url, seed: 40 + index, index, content_type: null, duration: 5.2, meta: { id: 'item', status: 'ok' } }
    : { url }

function dataOf(task: Task, hasData: boolean): Fields {
  const { state, urls, personality } = task
  const items = urls.map((url, index) => dataItem(task, url, index))
  if (state === 'completed' && hasData) return { data: items }
  if (personality.extras === 'early data' && state === 'processing') return { data: items.slice(0, 1) }
  if (personality.extras === 'nulls') return { data: null }
  return personality.extras === 'empty' ? { data: [] } : {}
}

const taskErrors: Readonly<Record<Personality['taskError'], Fields>> = {
  string: { error: failureWords },
  object: { error: { message: failureWords, code: 'failed' } },
  list: { error: [{ message: failureWords }] },
  none: {},
}

function errorOf({ state, personality }: Task): Fields {
  if (state === 'failed') return taskErrors[personality.taskError]
  if (personality.extras === 'nulls') return { error: null }
  return personality.extras === 'empty' ? { error: '' } : {}
}

const undocumented: Fields = {
  progress: 0.5,
  eta: null,
  usage: { cost: 1.25, units: 1 },
  urls: { get: 'https://example.org/tasks/1', cancel: 'https://example.org/tasks/1/cancel' },
  metadata: { id: 'not-the-task', status: 'active', data: [] },
  logs: [],
}

function bodyOf(task: Task, where: 'creation' | 'poll', hasData: boolean): Fields {
  const { id, model, personality, created } = task
  const status = { status: stateWord(personality.states, task.state) }
  const outcome = { ...status, ...dataOf(task, hasData), ...errorOf(task) }
  const more = personality.extras === 'many' ? undocumented : {}
  if (where === 'poll' && (model.isBare || personality.poll === 'bare')) return { ...outcome, ...more }
  if (model.isBare) return { id, ...outcome, ...more }
  const object = where === 'poll' ? 'task' : `${model.kind}.task`
  const modality = where === 'poll' ? { modality: model.kind } : {}
  return { id, object, ...modality, model: model.id, created, ...outcome, ...more }
}

/** @param hasData whether the body may contain the results */
export function taskBody(task: Task, where: 'creation' | 'poll', hasData = true): Fields {
  const body = bodyOf(task, where, hasData)
  const { envelope } = task.personality
  if (envelope === 'none') return body
  return envelope === 'task' ? { task: body } : { code: 200, message: 'ok', data: body }
}

// Callbacks ("Payload shape: not shown"), with the id of the task in different places.

function named(way: Personality['callbackId'], id: string | number): Fields {
  if (way === 'nested') return { event: 'task', data: { task_id: id } }
  if (way === 'deep') return { type: 'update', payload: { task: { id }, kind: 'result' } }
  if (way === 'beside a vendor id') return { id: 'vendor-7f3a', object: 'generation', taskId: id }
  return { [way]: id }
}

export const callbackFields = ({ id, state, personality, urls }: Task): Fields => ({
  ...named(personality.callbackId, id),
  status: stateWord(personality.states, state),
  ...(state === 'completed' ? { urls } : {}),
})

/** Encodes `{a: {b: 1}}` as `a[b]=1`, the usual form of nested fields. */
function formOf(fields: Fields): URLSearchParams {
  const form = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) form.append(name, String(value))
    else for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  return form
}

function requestOf(form: Personality['callbackForm'], address: string, fields: Fields): Request | undefined {
  const post = (type: string, body: string) =>
    new Request(address, { method: 'POST', headers: { 'content-type': type }, body })
  switch (form) {
    case 'json':
      return post('application/json', JSON.stringify(fields))
    case 'array':
      return post('application/json', JSON.stringify([fields]))
    case 'text':
      return post('text/plain', JSON.stringify(fields))
    case 'form':
      return post('application/x-www-form-urlencoded', formOf(fields).toString())
    case 'get':
      return new Request(`${address}${address.includes('?') ? '&' : '?'}${formOf(fields)}`)
    case 'none':
      return undefined
  }
}

/** @returns the status of the answer, or undefined if nothing was sent or no answer came */
export async function sendCallback(task: Task, address: string): Promise<number | undefined> {
  const request = requestOf(task.personality.callbackForm, address, callbackFields(task))
  if (!request) return undefined
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(5000) })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return undefined
  }
}
