// The script of the gateway: tests set the behaviour of each model and the faults of its next request, and read the record of all requests.

import type { Operation } from './fields/text.ts'
import { type Personality, personalityOf, type TextPersonality, textPersonalityOf } from './personality.ts'
import type { Task } from './tasks.ts'

export type Fault =
  /** The creation of the task, or the question, is answered with this status and an error. */
  | { readonly kind: 'refuse'; readonly status: number; readonly words: string }
  /** The task is accepted, and fails or is canceled. */
  | { readonly kind: 'fail' | 'cancel' }
  /** The task is accepted, and the connection is cut before the answer. */
  | { readonly kind: 'lose' }
  /** An error occurs inside a stream that has begun. */
  | { readonly kind: 'break'; readonly words: string }

export interface Seen {
  readonly operation: Operation | 'media'
  readonly model: string
  readonly body: unknown
  /** The reason for which the gateway refused the request. */
  readonly problem?: string | undefined
}

const plain = personalityOf(0, 0)
const plainText = textPersonalityOf(0, 0)

export function createScript() {
  const faults = new Map<string, Fault>()
  const media = new Map<string, Personality>()
  const texts = new Map<string, TextPersonality>()
  const seen: Seen[] = []
  const tasks: Task[] = []
  const callbacks: { readonly model: string; readonly status: number }[] = []
  return {
    seen,
    /** All tasks, in the order of their creation. */
    tasks,
    /** The statuses of the app's answers to callbacks. */
    callbacks,
    media: (id: string): Personality => media.get(id) ?? plain,
    text: (id: string): TextPersonality => texts.get(id) ?? plainText,
    /** Sets the behaviour of the model with this id. */
    become: (id: string, personality: Personality) => void media.set(id, personality),
    becomeText: (id: string, personality: TextPersonality) => void texts.set(id, personality),
    /** Sets the fault of the next request for the model with this id. */
    next: (id: string, fault: Fault) => void faults.set(id, fault),
    takeFault(id: string): Fault | undefined {
      const fault = faults.get(id)
      faults.delete(id)
      return fault
    },
  }
}

export type Script = ReturnType<typeof createScript>
