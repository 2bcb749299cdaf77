// Tasks: their states over time, and their bodies in the answers to the creation and to polls.

import { randomUUID } from 'node:crypto'
import { taskErrorOf } from './errors.ts'
import type { MediaModel } from './models.ts'
import type { Personality } from './personality.ts'
import { hashOf } from './random.ts'

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

const synonyms: Readonly<Record<'synonyms' | 'vendor', Readonly<Record<State, string>>>> = {
  synonyms: {
    queued: 'pending',
    processing: 'running',
    completed: 'succeeded',
    failed: 'error',
    canceled: 'cancelled',
  },
  vendor: {
    queued: 'submitted',
    processing: 'dreaming',
    completed: 'success',
    failed: 'failure',
    canceled: 'cancelled',
  },
}

export function stateWord(way: Personality['states'], state: State): string {
  if (way === 'upper') return state.toUpperCase()
  if (way === 'capital') return state[0]?.toUpperCase() + state.slice(1)
  return way === 'documented' ? state : synonyms[way][state]
}

let count = 0

export function newTaskId(way: Personality['ids']): string | number {
  count += 1
  if (way === 'number') return 9_000_000_000 + (hashOf('id', process.pid) % 1000) * 100_000 + count
  return way === 'signs' ? `task:${count}/a+b=~${randomUUID().slice(0, 8)}` : randomUUID()
}

type Fields = Record<string, unknown>

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

function errorOf({ state, personality }: Task): Fields {
  if (state === 'failed') {
    const error = taskErrorOf(personality.taskError, failureWords)
    return error === undefined ? {} : { error }
  }
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
