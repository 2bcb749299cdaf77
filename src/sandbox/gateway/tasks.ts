// The tasks of the gateway, and the timers that act when a task begins or ends.

import { type Clock, dayMs } from '../../runtime/clock.ts'
import { statusAt, type Task } from './task.ts'

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
