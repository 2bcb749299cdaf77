// The tasks of the gateway, and the timers that act when a task begins or ends. How and when a task ends is decided at its creation; its status
// at any time follows from that.

import { z } from 'zod'
import { type Clock, dayMs } from '../../runtime/clock.ts'
import { artifactState } from './artifacts.ts'

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
  artifacts: z.array(artifactState),
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

/** The names of the files behind the links of a task. */
export const namesOf = ({ id, artifacts }: Task): string[] =>
  artifacts.map(({ format }, index) => `${id}-${index}.${format}`)

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
  namesOf(task).map((name, index) => ({
    url: `${cdn}/${name}`,
    ...(task.modality === 'video' ? { seed: task.artifacts[index]?.seed } : {}),
  }))

export function polledView(task: Task, now: number, cdn: string) {
  const { modality, error } = task
  const status = statusAt(task, now)
  const object = modality === 'image' ? 'task' : `${modality}.task`
  const isUnsuccessful = status === 'failed' || status === 'canceled'
  return {
    ...(isBare(task) ? { status } : { ...head(task, status), object, modality }),
    data: status === 'completed' ? dataOf(task, cdn) : undefined,
    error: isUnsuccessful ? error : undefined,
  }
}

export type Tasks = ReturnType<typeof openTasks>

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

/** @param state the tasks, the newest last, which are changed */
export function openTasks({ clock, closing, start, settle }: Deps, state: { tasks: Task[] }) {
  const now = () => clock.now().getTime()

  const settleIfEnded = (task: Task) => {
    const status = statusAt(task, now())
    if (task.isSettled || status === 'queued' || status === 'processing') return
    task.isSettled = true
    settle(task)
  }
  const watch = (task: Task) => {
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
  const isOld = ({ isSettled, ending, endsAt }: Task) =>
    (isSettled || ending === 'stuck') && endsAt < now() - keptMs

  for (const task of state.tasks) watch(task)
  return {
    add(task: Task) {
      state.tasks = [...state.tasks.filter((one) => !isOld(one)), task]
      watch(task)
    },
    find(id: string): Task | undefined {
      const task = state.tasks.findLast((one) => one.id === id)
      // The timer may fire slightly late, but a task that a poll sees as completed must be charged.
      if (task) settleIfEnded(task)
      return task
    },
    /** Completes the tasks that are stuck. */
    releaseStuck() {
      for (const task of state.tasks.filter(({ ending }) => ending === 'stuck')) {
        Object.assign(task, { ending: 'completed', endsAt: Math.max(now(), task.startsAt) })
        void at(task.endsAt, () => settleIfEnded(task))
      }
    },
  }
}
