// The local gateway: a double of the real one at `/gateway`, as strict as gateway-api.md, whose artifacts are playable files.
// It shares the catalog with the app and nothing else.

import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Handler } from '../http.ts'
import { openStore } from '../json-store.ts'
import { createBackground } from '../notices.ts'
import { GatewayRefusal, json } from './answer.ts'
import { announceEnd, announceStart } from './callbacks.ts'
import { createTask, isEndpoint } from './create-task.ts'
import {
  accountState,
  createAnswerLog,
  createInspection,
  createRequestLog,
  openAccount,
} from './inspection.ts'
import { checkFiles, checkReferences, conceptList, openStyles, styleState } from './references.ts'
import { readFromCdn, syncAnswer } from './results.ts'
import { createGatewayRoutes, type Operation, type Operations } from './routes.ts'
import { createdView, openTasks, polledView, statusAt, type Task, taskState } from './tasks.ts'
import { createTexts, textPaths } from './text/index.ts'

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

interface LocalGateway {
  readonly api: Handler
  readonly inspection: Handler
  close(): Promise<void>
}

const savedState = z.object({
  version: z.literal(1),
  account: accountState,
  tasks: z.array(taskState),
  // State files of older versions lack the styles.
  styles: z.array(styleState).default([]),
})

export function createGateway(settings: Settings): LocalGateway {
  const { key, folder, clock, faults, keepsState = true, startBalance = 10_000_000 } = settings
  const empty = { version: 1 as const, account: { balance: startBalance, charged: 0 }, tasks: [], styles: [] }
  const store = openStore(
    join(folder, 'gateway.json'),
    savedState,
    empty,
    () => ({
      version: 1 as const,
      account: account.state(),
      tasks: [...tasks.list()],
      styles: [...styles.list()],
    }),
    keepsState,
  )
  const { save } = store
  const account = openAccount(store.loaded.account)
  const requests = createRequestLog()
  const answers = createAnswerLog()
  const closing = new AbortController()
  const background = createBackground('gateway')
  const cdn = () => `${settings.baseUrl()}/gateway/cdn`
  const now = () => clock.now()
  const taskDeps = { dates: now, ...settings, account, now }
  const callbackDeps = { clock, faults, cdn, closing: closing.signal }

  const styles = openStyles(settings.newId, store.loaded.styles)
  const pending = (work: Promise<void>) => background.add(work)
  const texts = createTexts({ ...settings, account, answers, closing: closing.signal, save, pending })

  const settle = (task: Task) => {
    if (task.ending === 'completed') account.charge(task.charge)
    background.add(save().then(() => announceEnd(callbackDeps, task)))
  }
  const start = (task: Task) => background.add(announceStart(callbackDeps, task))
  const tasks = openTasks({ clock, closing: closing.signal, start, settle }, store.loaded.tasks)

  const isVideo = (id: string) => {
    const task = tasks.find(id)
    return task?.modality === 'video' && statusAt(task, now().getTime()) === 'completed'
  }
  const createStyle: Operation = {
    name: 'styles',
    async answer({ body }) {
      const created = styles.create(body)
      await save()
      return json(200, created)
    },
  }
  const listConcepts: Operation = { name: 'concepts', answer: async () => json(200, conceptList()) }
  const fixed: Readonly<Record<string, Operation>> = {
    'POST /v1/styles': createStyle,
    'GET /v1/generations/concepts/list': listConcepts,
  }
  const operations: Operations = {
    at(method, path) {
      const name = method === 'POST' ? textPaths[path] : undefined
      return name ? { name, answer: (call) => texts.answer(name, call) } : fixed[`${method} ${path}`]
    },
    isEndpoint,
    async create(path, input, fault) {
      const { task, isSync, body, files } = createTask(taskDeps, path, input, fault)
      checkReferences({ isStyle: styles.has, isVideo }, body)
      await checkFiles(files, closing.signal)
      tasks.add(task)
      // Looking up a finished task settles it.
      if (isSync) tasks.find(task.id)
      await save()
      return isSync ? syncAnswer(task, body, cdn()) : json(202, createdView(task))
    },
    poll(id) {
      const task = tasks.find(id)
      if (!task) throw new GatewayRefusal(404, 'unknown_task', `no task "${id}"`)
      return polledView(task, now().getTime(), cdn())
    },
    cdn: (name, range, fault) => readFromCdn({ tasks, now }, { name, range, fault }),
  }
  return {
    api: createGatewayRoutes({ key, clock, faults, operations, requests }),
    inspection: createInspection({ account, tasks, answers, requests, now, save }),
    async close() {
      closing.abort()
      await background.done()
      await save()
    },
  }
}
