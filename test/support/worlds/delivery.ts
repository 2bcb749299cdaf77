// A world for tests of delivery: real rows and money, the local Telegram with scripted faults, a file server, and a clock that tests
// advance. One call makes an order whose results wait for delivery.

import type { RequestListener } from 'node:http'
import { Api } from 'grammy'
import type { Model } from '../../../src/catalog/model.ts'
import type { Database } from '../../../src/db/client.ts'
import { deliver } from '../../../src/orders/deliver/deliver.ts'
import { createDownloads } from '../../../src/orders/deliver/download.ts'
import { updateStatus } from '../../../src/orders/deliver/messages.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import { createTimes } from '../../../src/orders/times.ts'
import type { ChatSteps } from '../../../src/orders/worker.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import type { ChatLocation } from '../../../src/telegram/send.ts'
import { loadTexts } from '../../../src/texts.ts'
import type { User } from '../../../src/users/user.ts'
import { startServer } from '../runtime/server.ts'
import { startTelegram, token } from '../telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../users/user.ts'
import { confirm } from './confirm.ts'
import { createWorld, json, quoteFor, reread, step, stepTwiceRead, taskIs, userWith } from './generations.ts'

export type Serve = RequestListener

export type Delivery = Awaited<ReturnType<typeof createDelivery>>

export interface Made {
  readonly user: User
  readonly anna: SandboxUser
  readonly generation: Generation
  /** The files of the order, as the gateway names them. */
  readonly data: readonly { readonly url: string }[]
  /** The number of requests for one of its files. */
  asked(position: number): number
}

export interface Order {
  readonly model: Model
  readonly answers: object
  /** The answers of the file server at the links. */
  readonly files: readonly Serve[]
  /** The last parts of the links, such as `chair.obj`. */
  readonly names?: readonly string[]
  /** The gateway's error if the task failed. */
  readonly error?: string
  readonly chat?: ChatLocation
  /** Whether the order is settled soon enough for its result to take the place of the status message; by default it is not. */
  readonly quick?: boolean
  /** An existing user who orders. */
  readonly of?: Pick<Made, 'user' | 'anna'>
}

/** Answers with a file. @param type the content type; no header is sent if it is empty */
export const file =
  (bytes: Buffer | string, type: string): Serve =>
  (_, res) =>
    res.writeHead(200, type ? { 'content-type': type } : {}).end(bytes)
export const status =
  (code: number): Serve =>
  (_, res) =>
    res.writeHead(code, { 'content-type': 'text/html' }).end('<html>')

export async function createDelivery() {
  const world = await createWorld()
  const telegram = await startTelegram()
  const served: Serve[] = []
  const visits: number[] = []
  const cdn = await startServer((req, res) => {
    const at = Number.parseInt(req.url?.slice(1) ?? '', 10)
    visits[at] = (visits[at] ?? 0) + 1
    served[at]?.(req, res)
  })
  const downloads = createDownloads({ gatewayUrl: cdn.url, deadlineMs: 60_000 })
  const api = new Api(token, { apiRoot: telegram.url, timeoutSeconds: 10 })
  const { db, catalog } = world.deps
  const { clock } = world
  const texts = loadTexts()
  /** Dependencies of the status messages. */
  const statuses = { times: createTimes({ db, clock, catalog }) }
  const settings = {
    ...statuses,
    api,
    catalog,
    clock,
    downloads,
    texts,
    log: silentLog,
    // Long enough for a machine under load.
    previewMs: 60_000,
  }
  /** @param chatDb the database that the chat steps use */
  const worldWith = (chatDb: Database) => {
    const delivery = { ...world.deps, ...settings, db: chatDb }
    const chat: ChatSteps = {
      deliver: (generation) => deliver(delivery, generation),
      updateStatus: (generation, news) => updateStatus(delivery, generation, news),
    }
    return { ...world, chat }
  }
  let tasks = 0

  async function newUser() {
    const user = await userWith(world, 2000_00n)
    const anna = await createUser(telegram.url, { id: user.telegramId ?? 0, first_name: 'Anna' })
    await anna.sends('/start')
    return { user, anna }
  }

  /** Makes an order that is settled, as succeeded or failed, and whose delivery is due. */
  async function made({
    model,
    answers,
    files,
    names = [],
    error,
    chat,
    quick = false,
    of,
  }: Order): Promise<Made> {
    const { user, anna } = of ?? (await newUser())
    const place = chat ?? { chatId: anna.id, topicId: null }
    const { quote } = await quoteFor(world, user, answers, { model, ...place })
    const status = await api.sendMessage(place.chatId, 'status', {
      ...(place.topicId ? { message_thread_id: place.topicId } : {}),
    })
    const ordered = await confirm(world.deps, {
      quoteId: quote.id,
      userId: user.id,
      statusMessageId: status.message_id,
    })
    if (!ordered.ok) throw new Error(`not ordered: ${ordered.reason}`)
    tasks += 1
    const task = { id: `task-${tasks}`, object: 'video.task', status: 'queued', model: 'm', created: 1 }
    const first = served.length
    served.push(...files)
    const data = files.map((_, at) => ({ url: [cdn.url, first + at, ...names.slice(at, at + 1)].join('/') }))
    const ended = error
      ? taskIs('failed', { id: task.id, error })
      : taskIs('completed', { id: task.id, data })
    world.gatewayAnswers(json(202, task), ended)
    await step(world)
    clock.advance(quick ? 10_000 : 70_000)
    await stepTwiceRead(world, ended)
    const generation = await reread(world, ordered.generation)
    if (generation.delivery !== 'pending') throw new Error(`is ${generation.state}: ${generation.said}`)
    return { user, anna, generation, data, asked: (position) => visits[first + position] ?? 0 }
  }

  return {
    world,
    deps: { ...world.deps, ...settings },
    statuses,
    telegram,
    db,
    clock,
    api,
    downloads,
    made,
    newUser,
    fault: (operation: string, fault: Fault, times = 1) =>
      telegram.faults.add({ target: 'telegram', operation, fault, times }),
    /** Makes one delivery attempt if it is due. @returns the row after it */
    async attempt({ generation }: Made, chatDb = db) {
      await step(worldWith(chatDb))
      return reread(world, generation)
    },
    /** Makes one attempt, then advances the clock until the next attempt is due. */
    async attemptNext(one: Made): Promise<Generation> {
      const now = await this.attempt(one)
      if (now.nextCheckAt) clock.advance(Math.max(0, now.nextCheckAt.getTime() - clock.now().getTime()))
      return now
    },
    /** Makes all attempts, each when it is due. */
    async deliver(one: Made): Promise<Generation> {
      for (;;) {
        const now = await this.attemptNext(one)
        if (!now.nextCheckAt) return now
      }
    },
    async close() {
      await downloads.close()
      await cdn.close()
      await telegram.discard()
      await world.close()
    },
  }
}
