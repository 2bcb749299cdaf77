// The local gateway: a double of the real one at `/gateway`, as strict as gateway-api.md, whose artifacts are playable files.
// It shares the catalog with the app and nothing else.

import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import { createBackground } from '../background.ts'
import type { Faults } from '../faults.ts'
import type { Handler } from '../http.ts'
import { openStore } from '../json-store.ts'
import { accountState, openAccount } from './account.ts'
import { GatewayRefusal, json } from './answer.ts'
import { createArtifacts } from './artifacts.ts'
import { announceEnd, announceStart } from './callbacks.ts'
import { readFromCdn } from './cdn.ts'
import { createTask, isEndpoint } from './create-task.ts'
import { checkFiles, checkReferences, type Known } from './inputs.ts'
import { createInspection, createRequestLog } from './inspection.ts'
import { createOperations } from './operations.ts'
import { createGatewayRoutes, type Operations } from './routes.ts'
import { openStyles, styleState } from './styles.ts'
import { syncAnswer } from './sync.ts'
import { createdView, polledView, statusAt, type Task, taskState } from './task.ts'
import { openTasks } from './tasks.ts'
import { createAnswerLog } from './text/answer-log.ts'
import { createTexts } from './text/index.ts'

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
  const store = openStore(join(folder, 'gateway.json'), savedState, empty, () => ({
    version: 1 as const,
    account: account.state(),
    tasks: [...tasks.list()],
    styles: [...styles.list()],
  }))
  const save = async () => (keepsState ? store.save() : undefined)
  const account = openAccount(store.loaded.account)
  const artifacts = createArtifacts(join(folder, 'artifacts'))
  const requests = createRequestLog()
  const answers = createAnswerLog()
  const closing = new AbortController()
  const background = createBackground('gateway')
  const cdn = () => `${settings.baseUrl()}/gateway/cdn`
  const now = () => clock.now()
  const callbackDeps = { clock, faults, artifacts, cdn, closing: closing.signal }

  const styles = openStyles({ ...settings, now }, store.loaded.styles)
  const pending = (work: Promise<void>) => background.add(work)
  const texts = createTexts({ ...settings, account, answers, closing: closing.signal, save, pending })

  const settle = (task: Task) => {
    if (task.ending === 'completed') account.charge(task.charge)
    background.add(save().then(() => announceEnd(callbackDeps, task)))
  }
  const start = (task: Task) => background.add(announceStart(callbackDeps, task))
  const tasks = openTasks({ clock, closing: closing.signal, start, settle }, store.loaded.tasks)

  const known: Known = {
    isStyle: (id) => styles.has(id),
    isVideo(id) {
      const task = tasks.find(id)
      return task?.modality === 'video' && statusAt(task, now().getTime()) === 'completed'
    },
  }
  const operations: Operations = {
    at: createOperations({ texts, styles, save }),
    isEndpoint,
    async create(path, input, fault) {
      const { task, isSync, body, files } = createTask(
        { dates: now, ...settings, account, now },
        path,
        input,
        fault,
      )
      checkReferences(known, body)
      await checkFiles(files, closing.signal)
      tasks.add(task)
      // Looking up a finished task settles it.
      if (isSync) tasks.find(task.id)
      await save()
      return isSync ? syncAnswer(artifacts, task, body, cdn()) : json(202, createdView(task))
    },
    poll(id) {
      const task = tasks.find(id)
      if (!task) throw new GatewayRefusal(404, 'unknown_task', `no task "${id}"`)
      return polledView(task, now().getTime(), cdn())
    },
    cdn: (name, range, fault) => readFromCdn({ tasks, artifacts, now }, { name, range, fault }),
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
