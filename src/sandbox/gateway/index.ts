// The local gateway: a double of the real one at `/gateway`, as strict as gateway-api.md, whose artifacts are playable files.
// It shares the catalog with the app and nothing else.

import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import { openStore } from '../json-store.ts'
import { createBackground } from '../notices.ts'
import { GatewayRefusal, json } from './answer.ts'
import { announceEnd, announceStart } from './callbacks.ts'
import { createTask, isEndpoint } from './create-task.ts'
import {
  accountState,
  type ChargedAnswer,
  createInspection,
  openAccount,
  type RequestRecord,
} from './inspection.ts'
import { checkFiles, checkReferences, checkStyle, conceptList, uuidFrom } from './references.ts'
import { readFromCdn, syncAnswer } from './results.ts'
import { type Call, createGatewayRoutes, type Operation } from './routes.ts'
import { createdView, openTasks, polledView, statusAt, type Task, taskState } from './tasks.ts'
import { answerText, textPaths } from './text/index.ts'

interface Settings {
  readonly key: string
  /** The folder of its state and its files. */
  readonly folder: string
  /** Writes the state to the disk, so that it survives a restart; true by default. */
  readonly keepsState?: boolean
  readonly clock: Clock
  /** The creation time that a new task states; by default the time of `clock`. */
  readonly dates?: () => Date
  /** Divides the duration of every task and of every stream. */
  readonly speed: number
  readonly faults: Faults
  /** The address of the sandbox, without a path: `http://127.0.0.1:8080`. */
  readonly baseUrl: () => string
  readonly newId: () => string
  readonly random: () => number
  /** The balance in kopecks when there is no saved state. */
  readonly startBalance?: number
}

const savedState = z.object({
  version: z.literal(1),
  account: accountState,
  // Tasks that another version of the sandbox wrote are forgotten.
  tasks: z.array(taskState).catch([]),
  styles: z.array(z.object({ id: z.string() })).default([]),
})

export function createGateway(settings: Settings) {
  const { key, folder, clock, faults, keepsState = true, startBalance = 10_000_000, newId } = settings
  const account = { balance: startBalance, charged: 0 }
  const empty: z.output<typeof savedState> = { version: 1, account, tasks: [], styles: [] }
  const { state, save } = openStore(join(folder, 'gateway.json'), savedState, empty, keepsState)
  const requests: RequestRecord[] = []
  const answers: ChargedAnswer[] = []
  const ended = new AbortController()
  const closing = ended.signal
  const background = createBackground('gateway')
  const cdn = () => `${settings.baseUrl()}/gateway/cdn`
  const now = () => clock.now()
  const deps = { dates: now, ...settings, account: openAccount(state.account), closing, save, now, cdn }
  const textDeps = { ...deps, answers, pending: background.add }

  const start = (task: Task) => background.add(announceStart(deps, task))
  const settle = (task: Task) => {
    if (task.ending === 'completed') deps.account.charge(task.charge)
    background.add(save().then(() => announceEnd(deps, task)))
  }
  const tasks = openTasks({ clock, closing, start, settle }, state)
  const known = {
    isStyle: (id: string) => state.styles.some((style) => style.id === id),
    isVideo(id: string) {
      const task = tasks.find(id)
      return task?.modality === 'video' && statusAt(task, now().getTime()) === 'completed'
    },
  }

  async function create(path: string, { body: input, fault }: Call) {
    const { task, isSync, body, files } = createTask(deps, path, input, fault)
    checkReferences(known, body)
    await checkFiles(files, closing)
    tasks.add(task)
    // Looking up a finished task settles it.
    if (isSync) tasks.find(task.id)
    await save()
    return isSync ? syncAnswer(task, body, cdn()) : json(202, createdView(task))
  }

  function poll(id: string) {
    const task = tasks.find(id)
    if (!task) throw new GatewayRefusal(404, 'unknown_task', `no task "${id}"`)
    return json(200, polledView(task, now().getTime(), cdn()))
  }

  async function createStyle({ body }: Call) {
    checkStyle(body)
    const style = { id: uuidFrom(newId()) }
    state.styles.push(style)
    await save()
    return json(200, style)
  }

  const texts = Object.entries(textPaths).map(([path, name]): [string, Operation] => [
    `POST ${path}`,
    { name, answer: (call) => answerText(textDeps, name, call) },
  ])
  const fixed: Readonly<Record<string, Operation>> = {
    ...Object.fromEntries(texts),
    'POST /v1/styles': { name: 'styles', answer: createStyle },
    'GET /v1/generations/concepts/list': {
      name: 'concepts',
      answer: async () => json(200, conceptList()),
    },
  }
  function operationAt(method: string, path: string): Operation | undefined {
    const [, kind, name = ''] = /^(GET \/cdn|GET \/v1\/tasks)\/([^/]+)$/.exec(`${method} ${path}`) ?? []
    if (kind === 'GET /cdn')
      return { name: 'cdn', answer: (call) => readFromCdn(tasks.find, now(), name, call) }
    if (kind) return { name: 'poll', answer: async () => poll(name) }
    if (method === 'POST' && isEndpoint(path)) return { name: 'create', answer: (call) => create(path, call) }
    return fixed[`${method} ${path}`]
  }

  return {
    api: createGatewayRoutes({ key, clock, faults, requests, operationAt }),
    inspection: createInspection({ state, tasks, answers, requests, now, save }),
    async close() {
      ended.abort()
      await background.done()
      await save()
    },
  }
}
