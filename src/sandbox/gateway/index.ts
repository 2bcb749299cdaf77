// The local gateway: stands in for the real one at `/gateway`, strict where the document is, with files that really play.
// It shares the catalog with the app and nothing else.

import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Room } from '../http.ts'
import { accountState, openAccount } from './account.ts'
import { createAccountRoom } from './account-room.ts'
import { announceEnd, announceStart } from './announce.ts'
import { GatewayRefusal, json } from './answer.ts'
import { createArtifacts } from './artifacts.ts'
import { createBackground } from './background.ts'
import { readFromCdn } from './cdn.ts'
import { draftTask, isEndpoint } from './create.ts'
import { checkFiles, checkPointers, type Known } from './inputs.ts'
import { createOperations } from './operations.ts'
import { createRequests } from './requests.ts'
import { createGatewayRoom, type Operations } from './room.ts'
import { openStore } from './store.ts'
import { openStyles, styleState } from './styles.ts'
import { syncAnswer } from './sync.ts'
import { createdView, polledView, statusAt, type Task, taskState } from './task.ts'
import { openTasks } from './tasks.ts'
import { createTexts } from './text/index.ts'

export interface GatewaySettings {
  readonly key: string
  /** Where its state and its files are kept. */
  readonly folder: string
  readonly clock: Clock
  /** Tasks take this many times less than they would. */
  readonly speed: number
  readonly faults: Faults
  /** Where the sandbox is reached, without a path: `http://127.0.0.1:8080`. */
  readonly baseUrl: () => string
  readonly newId: () => string
  readonly random: () => number
  /** Kopecks, the first time only. */
  readonly startBalance?: number
}

export interface LocalGateway {
  readonly room: Room
  readonly account: Room
  close(): Promise<void>
}

const savedState = z.object({
  version: z.literal(1),
  account: accountState,
  tasks: z.array(taskState),
  // Not there in files of an older sandbox.
  styles: z.array(styleState).default([]),
})

export function createGateway(settings: GatewaySettings): LocalGateway {
  const { key, folder, clock, faults, startBalance = 10_000_000 } = settings
  const empty = { version: 1 as const, account: { balance: startBalance, charged: 0 }, tasks: [], styles: [] }
  const store = openStore(join(folder, 'gateway.json'), savedState, empty, () => ({
    version: 1 as const,
    account: account.state(),
    tasks: [...tasks.list()],
    styles: [...styles.list()],
  }))
  const account = openAccount(store.loaded.account)
  const artifacts = createArtifacts(join(folder, 'artifacts'))
  const requests = createRequests()
  const closing = new AbortController()
  const background = createBackground()
  const cdn = () => `${settings.baseUrl()}/gateway/cdn`
  const now = () => clock.now()
  const outside = { clock, faults, artifacts, cdn, closing: closing.signal }

  const styles = openStyles({ ...settings, now }, store.loaded.styles)
  const texts = createTexts({
    ...{ ...settings, account, closing: closing.signal },
    save: () => store.save(),
    pending: (work) => background.add(work),
  })

  const settle = (task: Task) => {
    if (task.ending === 'completed') account.charge(task.charge)
    background.add(store.save().then(() => announceEnd(outside, task)))
  }
  const start = (task: Task) => background.add(announceStart(outside, task))
  const tasks = openTasks({ clock, closing: closing.signal, start, settle }, store.loaded.tasks)

  const known: Known = {
    isStyle: (id) => styles.has(id),
    isVideo(id) {
      const task = tasks.find(id)
      return task?.modality === 'video' && statusAt(task, now().getTime()) === 'completed'
    },
  }
  const operations: Operations = {
    at: createOperations({ texts, styles, save: () => store.save() }),
    isEndpoint,
    async create(path, body, fault) {
      const { task, isSync, body: order, files } = draftTask({ ...settings, account, now }, path, body, fault)
      checkPointers(known, order)
      await checkFiles(files, closing.signal)
      tasks.add(task)
      if (isSync) tasks.find(task.id)
      await store.save()
      return isSync ? syncAnswer(artifacts, task, order, cdn()) : json(202, createdView(task))
    },
    poll(id) {
      const task = tasks.find(id)
      if (!task) throw new GatewayRefusal(404, 'unknown_task', `no task "${id}"`)
      return polledView(task, now().getTime(), cdn())
    },
    cdn: (name, range, fault) => readFromCdn({ tasks, artifacts, now }, { name, range, fault }),
  }
  return {
    room: createGatewayRoom({ key, clock, faults, operations, requests }),
    account: createAccountRoom({ account, tasks, requests, now, save: () => store.save() }),
    async close() {
      closing.abort()
      await background.done()
      await store.save()
    },
  }
}
