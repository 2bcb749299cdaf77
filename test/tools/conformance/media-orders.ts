// Orders all media models through the chat, and checks the delivered files, the price, and the request to the gateway.

import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { generations, users } from '../../../src/db/schema.ts'
import { colored } from '../../support/media/media-files.ts'
import type { SandboxMessage, SandboxUser } from '../../support/users/user.ts'
import { type MediaModel, mediaModels } from './gateway/models.ts'
import { inWords, type Personality } from './gateway/personality.ts'
import type { Fault } from './gateway/script.ts'
import { failureWords } from './gateway/tasks.ts'
import { type ConformanceWorld, credit } from './world.ts'

interface Way {
  readonly command: string
  /** The kind of message in which its results are shown. */
  readonly shown: 'photo' | 'video' | 'audio' | 'voice' | 'document'
  /** The button that switches to a sibling model. */
  readonly switchTo?: RegExp
}

const picture = { command: '/image a cat surfing', shown: 'photo' } as const
const video = { command: '/video a cat surfing', shown: 'video' } as const

/** How a user orders each model. */
const ways: Readonly<Record<string, Way>> = {
  'MODEL-3D-TEXT': { command: '/model3d a small cube', shown: 'document' },
  'MODEL-IMAGE-DESIGN': picture,
  'MODEL-IMAGE-PHOTO': { ...picture, switchTo: /^Photo/ },
  'MODEL-SPEECH-TURBO': { command: '/speech Hello, sea', shown: 'voice' },
  'MODEL-TTS-DIALOGUE': { command: '/dialogue Anna: Hello!\nBoris: Hello, Anna.', shown: 'voice' },
  'MODEL-MUSIC': { command: '/music a song about waves', shown: 'audio' },
  'MODEL-VIDEO-REEL': video,
  'MODEL-VIDEO-WAN': { ...video, switchTo: /^Wan/ },
  'MODEL-VIDEO-DREAM': { ...video, switchTo: /^Dream/ },
}

const wayTo = ({ label }: MediaModel): Way => {
  const way = ways[label]
  if (!way) throw new Error(`nobody knows how to order ${label}`)
  return way
}

export interface Failure {
  readonly what: string
  readonly personality: string
  readonly reason: string
}

/** `picture` is an order that completes, with a picture of the user in the request. */
export const mediaCases = ['complete', 'picture', 'refuse', 'fail', 'lose'] as const
export type MediaCase = (typeof mediaCases)[number]

const refusal = { kind: 'refuse', status: 422, words: 'no cats today' } as const

const faults: Readonly<Record<MediaCase, Fault | undefined>> = {
  complete: undefined,
  picture: undefined,
  refuse: refusal,
  fail: { kind: 'fail' },
  lose: { kind: 'lose' },
}

/**
 * Orders each model once, all at the same time.
 * @param personalityOf the personality of the n-th order
 * @returns the failures
 */
export async function orderAll(
  world: ConformanceWorld,
  personalityOf: (order: number) => Personality,
  what: MediaCase,
  models: readonly MediaModel[] = mediaModels,
): Promise<Failure[]> {
  const ordered = models.filter((model) => isIn(what, model))
  const orders = ordered.map((model) => {
    const personality = personalityOf(mediaModels.indexOf(model))
    return { model, personality, what }
  })
  const placed = await Promise.all(orders.map((order) => place(world, order).catch(shortOf)))
  if (what === 'lose') world.skip(graceMs)
  const reasons = orders.map((order, index) => {
    const user = placed[index]
    return typeof user === 'object' ? judge(world, order, user).catch(shortOf) : user
  })
  const found = await Promise.all(reasons)
  return orders.flatMap(({ model, personality }, index) => {
    const reason = found[index]
    return reason ? [{ what: `${what} ${model.label}`, personality: inWords(personality), reason }] : []
  })
}

/** Longer than the app waits for a callback of a task whose creation was not answered. */
const graceMs = 11 * 60_000

/** Whether a case is tried with a model. Pictures are for videos and 3D models; eight lost answers in a row would stop all sales. */
function isIn(what: MediaCase, { kind, callback, isBare }: MediaModel): boolean {
  if (what === 'picture') return kind === 'video' || kind === 'object3d'
  return what !== 'lose' || callback !== undefined || isBare === true
}

interface Order {
  readonly model: MediaModel
  readonly personality: Personality
  readonly what: MediaCase
}

const shortOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Orders, and waits until the order has ended or, if the answer to its creation was lost, until the chat says so. */
async function place(world: ConformanceWorld, { model, personality, what }: Order): Promise<SandboxUser> {
  const { gateway } = world
  gateway.become(model.id, personality)
  const fault = faults[what]
  if (fault) gateway.next(model.id, fault)
  const user = await world.user('Anna')
  await confirm(user, model, what === 'picture')
  const mayWait = what === 'lose' && !reveals(model, personality)
  await user.sees((message) => isEnded(message) || (mayWait && isUnknown(message)), patienceMs)
  return user
}

async function judge(world: ConformanceWorld, order: Order, user: SandboxUser): Promise<string | undefined> {
  const { model, personality, what } = order
  const status = await user.sees(isEnded, patienceMs)
  const refused = world.gateway.seen.find((one) => one.model === model.id && one.problem)
  if (refused) return `refused as not documented: ${refused.problem}`
  const sent = world.gateway.seen.findLast((one) => one.model === model.id)
  if (what === 'picture' && !/data:image|\/files\//.test(JSON.stringify(sent?.body)))
    return 'the picture was not sent'
  const succeeds =
    what === 'complete' || what === 'picture' || (what === 'lose' && reveals(model, personality))
  return succeeds ? completed(world, user, order, status) : failed(world, user, personality, what)
}

/** The wait for a message, which is long because the machine may be busy. */
const patienceMs = 60_000

/** Whether a callback reveals the id of a task whose creation was not answered. */
const reveals = ({ callback }: MediaModel, { callbackForm }: Personality) =>
  callback !== undefined && callbackForm !== 'none'

async function confirm(user: SandboxUser, model: MediaModel, withPicture: boolean): Promise<void> {
  const { command, switchTo } = wayTo(model)
  const bytes = await colored(640, 480, [0, 90, 200]).jpeg().toBuffer()
  await (withPicture
    ? user.sendsFile({ kind: 'photo', name: 'sea.jpg', bytes }, command)
    : user.sends(command))
  if (switchTo) {
    await user.taps('🎛 Model')
    await user.taps(switchTo)
  }
  await user.taps(/^Generate · /)
}

/** Whether a message is the end of an order: the status message, which becomes the result where Telegram allows that. */
const isEnded = ({ from, text, caption = '' }: SandboxMessage) =>
  from?.is_bot === true && /(✅ |❌ |⚠️ (Done|The file|\d))/.test(text ?? caption)

const isUnknown = ({ text = '' }: SandboxMessage) => text.includes('hasn’t confirmed the order')

/** Whether a message explains the failure of an order. */
const isExplanation = ({ from, text = '' }: SandboxMessage) =>
  from?.is_bot === true && /[Tt]ry again|Send it again/.test(text)

const fileKinds = ['photo', 'video', 'animation', 'audio', 'voice', 'document'] as const
const hasFile = (message: SandboxMessage) => fileKinds.some((kind) => message[kind] !== undefined)

async function completed(
  world: ConformanceWorld,
  user: SandboxUser,
  { model, personality }: Order,
  { text = '' }: SandboxMessage,
): Promise<string | undefined> {
  const row = await deliveredOrderOf(world, user)
  if (row?.state !== 'succeeded') return `the order ended as ${row?.state} (${row?.reason}): ${text}`
  if (row.delivery !== 'delivered') return `delivery is ${row.delivery}: ${text}`
  // An archive with several results is delivered, and charged as one result: the operator loses the price of the others.
  const mayCostLess = personality.files === 'archive'
  const { amount } = row
  const captured = row.captured ?? 0n
  if (captured !== amount && !(mayCostLess && captured < amount)) {
    return `charged ${captured} of ${amount}`
  }
  if (row.refunded) return `refunded ${row.refunded}: ${text}`
  // An order that was answered with its result has no task.
  const made = world.gateway.tasks.find(({ id }) => String(id) === row.taskId)?.urls.length ?? 1
  const files = (await user.chat()).filter(hasFile)
  if (files.length < made) return `${files.length} of ${made} files came`
  const { shown } = wayTo(model)
  const isOther = ['archive', 'other'].includes(personality.files)
  if (!isOther && !files.some((message) => message[shown])) return `no ${shown} came`
  return balanceProblem(world, user, BigInt(credit * 100) - captured)
}

async function failed(
  world: ConformanceWorld,
  user: SandboxUser,
  { errors, taskError }: Personality,
  what: MediaCase,
): Promise<string | undefined> {
  const row = await orderOf(world, user)
  if (row?.state !== 'failed') return `the order ended as ${row?.state}`
  // The explanation comes after the status.
  const explanation = await user.sees(isExplanation, patienceMs)
  const told = explanation.text ?? ''
  if (what === 'refuse' && errors !== 'html' && !told.includes(refusal.words))
    return `the words are lost: ${told}`
  if (what === 'fail' && taskError !== 'none' && !told.includes(failureWords))
    return `the words are lost: ${told}`
  if (/<h1>|\[object/.test(told)) return `the user reads code: ${told}`
  return balanceProblem(world, user, BigInt(credit * 100))
}

async function orderOf({ app }: ConformanceWorld, { id }: SandboxUser) {
  const orders = app.db.select().from(generations).innerJoin(users, eq(users.id, generations.userId))
  const [row] = await orders.where(eq(users.telegramId, id))
  return row?.generations
}

/** Waits until the order has recorded its delivery, which is after the chat shows the result. */
async function deliveredOrderOf(world: ConformanceWorld, user: SandboxUser) {
  const patience = AbortSignal.timeout(patienceMs)
  for (;;) {
    const row = await orderOf(world, user)
    if (row?.delivery !== 'pending' || patience.aborted) return row
    await setTimeout(50)
  }
}

async function balanceProblem(world: ConformanceWorld, user: SandboxUser, wanted: bigint) {
  const { available, held } = await world.fundsOf(user)
  const isRight = available === wanted && held === 0n
  return isRight ? undefined : `the balance is ${available} + ${held} held, not ${wanted}`
}
