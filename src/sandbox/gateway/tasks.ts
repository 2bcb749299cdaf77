// The tasks of the gateway, and the timers that act when a task begins or ends. How and when a task ends is decided at its creation; its status
// at any time follows from that.

import { z } from 'zod'
import { type Clock, dayMs } from '../../runtime/clock.ts'
import { type ArtifactSpec, artifactSpec, extension } from './artifacts.ts'

export const taskState = z.object({
  id: z.string(),
  model: z.string(),
  modality: z.enum(['image', 'video', 'audio', 'object3d']),
  prompt: z.string(),
  /** Unix time in milliseconds, like the next two. */
  createdAt: z.number(),
  startsAt: z.number(),
  endsAt: z.number(),
  /** The final status; a task that is `stuck` has none until it is released. */
  ending: z.enum(['completed', 'failed', 'canceled', 'stuck']),
  error: z.string().optional(),
  /** The charge for all artifacts together, in kopecks. */
  charge: z.int(),
  artifacts: z.array(artifactSpec),
  callbackUrl: z.string().optional(),
  uploadUrl: z.string().optional(),
  /** Whether its end has been handled: the account is charged and the callbacks are started. */
  isSettled: z.boolean(),
})

export type Task = z.output<typeof taskState>
type TaskStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'canceled'

export function statusAt(task: Task, now: number): TaskStatus {
  if (now < task.startsAt) return 'queued'
  if (task.ending === 'stuck' || now < task.endsAt) return 'processing'
  return task.ending
}

export const artifactName = (task: Task, index: number, spec: ArtifactSpec): string =>
  `${task.id}-${index}.${extension(spec)}`

/** Models whose answers contain only `id` and `status` at the creation, and only `status`, `data` and `error` in a poll. */
const isBare = ({ model }: Task): boolean => bareModels.includes(model)
const bareModels = ['MODEL-3D-TEXT', 'MODEL-TTS-DIALOGUE']

const head = (task: Task, status: TaskStatus) => ({
  id: task.id,
  object: `${task.modality}.task`,
  status,
  model: task.model,
  created: Math.floor(task.createdAt / 1000),
})

export const createdView = (task: Task) =>
  isBare(task) ? { id: task.id, status: 'queued' } : head(task, 'queued')

/** Videos have a `seed` beside the link, because "a random seed is returned in the response"; others have only the link. */
const dataOf = (task: Task, cdn: string) =>
  task.artifacts.map((spec, index) => ({
    url: `${cdn}/${artifactName(task, index, spec)}`,
    ...(task.modality === 'video' ? { seed: spec.seed } : {}),
  }))

export function polledView(task: Task, now: number, cdn: string) {
  const status = statusAt(task, now)
  return {
    ...facts(task, status),
    ...(status === 'completed' ? { data: dataOf(task, cdn) } : {}),
    ...(isUnsuccessful(status) && task.error !== undefined ? { error: task.error } : {}),
  }
}

function facts(task: Task, status: TaskStatus) {
  if (isBare(task)) return { status }
  const object = task.modality === 'image' ? 'task' : `${task.modality}.task`
  return { ...head(task, status), object, modality: task.modality }
}

const isUnsuccessful = (status: TaskStatus) => status === 'failed' || status === 'canceled'

export interface Tasks {
  add(task: Task): void
  find(id: string): Task | undefined
  /** The newest last. */
  list(): readonly Task[]
  /** Completes the tasks that are stuck. */
  releaseStuck(): void
}

interface Deps {
  readonly clock: Clock
  readonly closing: AbortSignal
  /** Called once when a task begins, unless the sandbox is not running at that time. */
  readonly start: (task: Task) => void
  /** Called once when a task has ended. */
  readonly settle: (task: Task) => void
}

/** Links are valid for this long, so tasks are kept for as long. */
const keptMs = dayMs

export function openTasks({ clock, closing, start, settle }: Deps, loaded: readonly Task[]): Tasks {
  const tasks = new Map<string, Task>()
  const now = () => clock.now().getTime()

  const settleIfEnded = (task: Task) => {
    const status = statusAt(task, now())
    if (task.isSettled || status === 'queued' || status === 'processing') return
    task.isSettled = true
    settle(task)
  }
  const keep = (task: Task) => {
    tasks.set(task.id, task)
    if (task.isSettled) return
    if (task.startsAt > now()) void at(task.startsAt, () => start(task))
    if (task.ending !== 'stuck') void at(task.endsAt, () => settleIfEnded(task))
  }
  const at = async (time: number, act: () => void) => {
    // A timer may fire slightly early.
    do await clock.wait(Math.max(0, time - now()), closing)
    while (now() < time && !closing.aborted)
    if (!closing.aborted) act()
  }
  const forgetOld = () => {
    for (const { id, isSettled, ending, endsAt } of tasks.values()) {
      if ((isSettled || ending === 'stuck') && endsAt < now() - keptMs) tasks.delete(id)
    }
  }

  for (const task of loaded) keep(task)
  return {
    add(task) {
      forgetOld()
      keep(task)
    },
    find(id) {
      const task = tasks.get(id)
      // The timer may fire slightly late, but a task that a poll sees as completed must be charged.
      if (task) settleIfEnded(task)
      return task
    },
    list: () => [...tasks.values()],
    releaseStuck() {
      for (const task of tasks.values()) {
        if (task.ending !== 'stuck') continue
        Object.assign(task, { ending: 'completed', endsAt: Math.max(now(), task.startsAt) })
        void at(task.endsAt, () => settleIfEnded(task))
      }
    },
  }
}
