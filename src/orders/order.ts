// The states of an order, as pure functions: which state follows an event, and which step is due for a row.

import assert from 'node:assert/strict'
import type { deliveryStates, generationStates } from '../db/schema.ts'

export type GenerationState = (typeof generationStates)[number]
export type DeliveryState = (typeof deliveryStates)[number]

/** What may happen to an order: the states in which it may, and the state that follows. */
const transitions = {
  /** Its request is about to be sent. */
  submit: { from: ['held'], to: 'submitting' },
  /** Its request was not sent, or certainly not accepted. */
  postpone: { from: ['held', 'submitting'], to: 'held' },
  /** Nobody knows whether its request was accepted: it is never sent again. */
  'lose-answer': { from: ['submitting'], to: 'unknown' },
  /** The answer to its request names the task, and overrides one that a callback has revealed. */
  start: { from: ['submitting', 'unknown', 'running'], to: 'running' },
  /** The gateway knows a task that a callback has named, and the task fits the order. */
  reveal: { from: ['unknown'], to: 'running' },
  /** The task is completed. */
  complete: { from: ['running'], to: 'succeeded' },
  /** The answer to its request is the result. */
  'complete-at-once': { from: ['submitting', 'unknown'], to: 'succeeded' },
  fail: { from: ['held', 'submitting', 'unknown', 'running'], to: 'failed' },
  /** The answer to its request is a refusal. */
  refuse: { from: ['submitting', 'unknown'], to: 'failed' },
  /** The gateway has canceled the task. */
  cancel: { from: ['running'], to: 'canceled' },
  /** Its user has canceled it. */
  withdraw: { from: ['held'], to: 'canceled' },
} as const satisfies Record<
  string,
  { readonly from: readonly GenerationState[]; readonly to: GenerationState }
>

type Transitions = typeof transitions
export type OrderEvent = keyof Transitions

/** The states in which the event may happen, for the condition of a statement. */
export const statesBefore = (event: OrderEvent): readonly GenerationState[] => transitions[event].from

/** The state of an order after an event. */
export function after<Event extends OrderEvent>(
  state: GenerationState,
  event: Event,
): Transitions[Event]['to'] {
  assert(statesBefore(event).includes(state), `an order that is ${state} cannot ${event}`)
  return transitions[event].to
}

type Step = 'submit' | 'lose-answer' | 'poll' | 'reveal' | 'poll-late' | 'deliver'

const stepOf: Readonly<Record<GenerationState, Step>> = {
  held: 'submit',
  // Its process has ended between the request and the write of the answer.
  submitting: 'lose-answer',
  running: 'poll',
  unknown: 'reveal',
  // A task that was refunded before it ended is still asked about; its result is delivered free.
  succeeded: 'poll-late',
  failed: 'poll-late',
  canceled: 'poll-late',
}

/** The step of a row that is due. */
export const dueStep = ({ state, delivery }: { state: GenerationState; delivery: DeliveryState }): Step =>
  delivery === 'pending' ? 'deliver' : stepOf[state]
