// Orders of all media models through the chat: what the user gets, what it costs, and what the gateway was sent.

import { eq } from 'drizzle-orm'
import { balances, generations, users } from '../../src/db/schema.ts'
import type { SandboxMessage, SandboxUser } from '../support/users/user.ts'
import { type MediaModel, mediaModels } from './gateway/models.ts'
import { inWords, type Personality } from './gateway/personality.ts'
import type { Fault } from './gateway/script.ts'
import { failureWords } from './gateway/tasks.ts'
import { credit, type World } from './world.ts'

/** How a user orders each model: the command, and the sibling to switch to. */
const commands: Readonly<Record<string, { readonly command: string; readonly switchTo?: RegExp }>> = {
  'MODEL-3D-TEXT': { command: '/model3d a small cube' },
  'MODEL-IMAGE-DESIGN': { command: '/image a cat surfing' },
  'MODEL-IMAGE-PHOTO': { command: '/image a cat surfing', switchTo: /^Photo/ },
  'MODEL-SPEECH-TURBO': { command: '/speech Hello, sea' },
  'MODEL-TTS-DIALOGUE': { command: '/dialogue Anna: Hello!\nBoris: Hello, Anna.' },
  'MODEL-MUSIC': { command: '/music a song about waves' },
  'MODEL-VIDEO-REEL': { command: '/video a cat surfing' },
  'MODEL-VIDEO-WAN': { command: '/video a cat surfing', switchTo: /^Wan/ },
  'MODEL-VIDEO-DREAM': { command: '/video a cat surfing', switchTo: /^Dream/ },
}

export interface Failure {
  readonly what: string
  readonly personality: string
  readonly reason: string
}

export const mediaCases = ['complete', 'refuse', 'fail', 'lose'] as const
export type MediaCase = (typeof mediaCases)[number]

const faults: Readonly<Record<MediaCase, Fault | undefined>> = {
  complete: undefined,
  refuse: { kind: 'refuse', status: 422, words: 'no cats today' },
  fail: { kind: 'fail' },
  lose: { kind: 'lose' },
}

/**
 * One order of each model, at the same time.
 * @param personalityOf the personality of the n-th order
 * @returns what went wrong
 */
export async function orderAll(
  world: World,
  personalityOf: (order: number) => Personality,
  what: MediaCase,
  models: readonly MediaModel[] = mediaModels,
): Promise<Failure[]> {
  const all = models.map(async (model, index): Promise<Failure[]> => {
    const personality = personalityOf(index)
    const reason = await order(world, model, personality, what).catch(shortOf)
    return reason ? [{ what: `${what} ${model.label}`, personality: inWords(personality), reason }] : []
  })
  return (await Promise.all(all)).flat()
}

const shortOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function order(
  world: World,
  model: MediaModel,
  personality: Personality,
  what: MediaCase,
): Promise<string | undefined> {
  const { gateway } = world
  gateway.become(model.id, personality)
  const fault = faults[what]
  if (fault) gateway.next(model.id, fault)
  const before = gateway.seen.length
  const user = await world.user('Anna')
  await confirm(user, model)
  const isLost = what === 'lose'
  if (isLost && !reveals(model, personality)) {
    await user.sees((message) => isUnknown(message) || isEnded(message), patienceMs)
    world.hurry(500)
  }
  const isSeen = isLost ? isEnded : (message: SandboxMessage) => isEnded(message) || isUnknown(message)
  const status = await user.sees(isSeen, patienceMs).finally(() => world.hurry(1))
  const refused = gateway.seen.slice(before).find((one) => one.model === model.id && one.problem)
  if (refused) return `refused as not documented: ${refused.problem}`
  const succeeds = what === 'complete' || (isLost && reveals(model, personality))
  return succeeds ? completed(world, user, model, status) : failed(world, user, personality, what)
}

/** The machine may be busy with other things. */
const patienceMs = 20_000

/** Whether a callback tells the id of a task whose creation was not answered. */
const reveals = ({ callback }: MediaModel, { callbackForm }: Personality) =>
  callback !== undefined && callbackForm !== 'none'

async function confirm(user: SandboxUser, { label }: MediaModel): Promise<void> {
  const how = commands[label]
  if (!how) throw new Error(`nobody knows how to order ${label}`)
  await user.sends(how.command)
  if (how.switchTo) {
    await user.taps(/Model: /)
    await user.taps(how.switchTo)
  }
  await user.taps(/^Generate · /)
}

const isEnded = ({ from, text = '' }: SandboxMessage) =>
  from?.is_bot === true && /(✅ |❌ |⚠️ (Done|The file|\d))/.test(text)

const isUnknown = ({ text = '' }: SandboxMessage) => text.includes('did not confirm the order')

const fileKinds = ['photo', 'video', 'animation', 'audio', 'voice', 'document'] as const
const hasFile = (message: SandboxMessage) => fileKinds.some((kind) => message[kind] !== undefined)

async function completed(
  world: World,
  user: SandboxUser,
  model: MediaModel,
  { text = '' }: SandboxMessage,
): Promise<string | undefined> {
  const row = await orderOf(world, user)
  if (row?.state !== 'succeeded') return `the order ended as ${row?.state} (${row?.reason}): ${text}`
  if (row.delivery !== 'delivered') return `delivery is ${row.delivery}: ${text}`
  if (row.captured !== row.amount) return `charged ${row.captured} of ${row.amount}`
  if (row.refunded) return `refunded ${row.refunded}: ${text}`
  const task = world.gateway.tasks.findLast((one) => String(one.id) === row.taskId || one.model === model)
  const made = task?.urls.length ?? 1
  const files = (await user.chat()).filter(hasFile).length
  if (files < made) return `${files} of ${made} files came`
  return balanceProblem(world, user, BigInt(credit * 100) - row.amount)
}

async function failed(
  world: World,
  user: SandboxUser,
  personality: Personality,
  what: MediaCase,
): Promise<string | undefined> {
  const row = await orderOf(world, user)
  if (row?.state !== 'failed') return `the order ended as ${row?.state}`
  const told = await user.transcript()
  const words = { refuse: 'no cats today', fail: failureWords, lose: '', complete: '' }[what]
  const isSaid = what === 'refuse' ? personality.errors !== 'html' : personality.taskError !== 'none'
  if (isSaid && !told.includes(words)) return `the words of the error are lost: ${told}`
  if (/<h1>|\[object/.test(told)) return `the user reads code: ${told}`
  return balanceProblem(world, user, BigInt(credit * 100))
}

const isOf = ({ id }: SandboxUser) => eq(users.telegramId, id)

async function orderOf({ app }: World, user: SandboxUser) {
  const orders = app.db.select().from(generations).innerJoin(users, eq(users.id, generations.userId))
  const [row] = await orders.where(isOf(user))
  return row?.generations
}

async function balanceProblem({ app }: World, user: SandboxUser, wanted: bigint) {
  const all = app.db.select().from(balances).innerJoin(users, eq(users.id, balances.userId))
  const [row] = await all.where(isOf(user))
  const { available, held } = row?.balances ?? {}
  const isRight = available === wanted && held === 0n
  return isRight ? undefined : `the balance is ${available} + ${held} held, not ${wanted}`
}
