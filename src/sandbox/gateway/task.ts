// A task of the local gateway. How and when it ends is decided at its creation; its status at any time follows from that.

import { z } from 'zod'
import { type ArtifactSpec, artifactSpec, extension } from './artifact-spec.ts'

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
