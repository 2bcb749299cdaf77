// The measured programs, each with doubles of Telegram and the gateway and a database of its own, and the people who use them.

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { z } from 'zod'
import { freePorts } from '../../support/runtime/server.ts'
import { startGateway, startTelegram, type TelegramStub } from './doubles.ts'

export interface BenchWorld {
  /** Whether the run only checks that the benchmark works; its figures are too small to be meaningful. */
  readonly isQuick: boolean
  /** The maintenance database of a cluster. */
  readonly cluster: string
  /** The app, which starts from its bundle, and the bare bot. */
  readonly programs: { readonly app: string; readonly echo: string }
}

export type Outside = Awaited<ReturnType<typeof openOutside>>
export type Side = Awaited<ReturnType<typeof openSide>>

/** What one measured program needs: doubles of Telegram and the gateway, an empty database (the program creates its tables), a free port. */
export async function openOutside({ cluster }: BenchWorld) {
  const telegram = await startTelegram()
  const gateway = await startGateway()
  const name = `bench_${randomBytes(6).toString('hex')}`
  const sql = postgres(cluster, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`create database ${name}`)
  const [port = 0] = await freePorts(1)
  const env = {
    BOT_TOKEN: '1:bench-token',
    TELEGRAM_API_ROOT: telegram.url,
    GATEWAY_URL: gateway.url,
    DATABASE_URL: cluster.replace(/\/[^/]*$/, `/${name}`),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    GATEWAY_KEY: 'bench-key',
    CATALOG_FILE: join(import.meta.dirname, 'catalog.json'),
    CONCURRENT_GENERATIONS: '100',
    GATEWAY_POLLS_PER_SECOND: '10000',
    WELCOME_CREDIT: '100000',
    LOG_LEVEL: 'error',
  }
  const close = async () => {
    await Promise.all([telegram.close(), gateway.close()])
    await sql.unsafe(`drop database ${name} with (force)`)
    await sql.end({ timeout: 5 })
  }
  return { telegram, env, people: createPeople(telegram), close }
}

const canPin = spawnSync('taskset', ['-V']).status === 0 && availableParallelism() > 1
const onLastCore = ['taskset', '-c', String(availableParallelism() - 1)]

/** Starts a program, on the last core if possible. Resolves when it polls for updates. */
export async function launch({ telegram, env }: Outside, program: string) {
  const [command = '', ...args] = [...(canPin ? onLastCore : []), process.execPath, program]
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    // Its messages go to stderr, so that they are not mixed with the figures on stdout.
    stdio: ['ignore', process.stderr, process.stderr],
  })
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`${program} ended by itself`)))
  await Promise.race([telegram.asked(), failed])
  failed.catch(() => undefined)
  return {
    usage: () => usageOf(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export async function openSide(world: BenchWorld, program: string) {
  const outside = await openOutside(world)
  const { usage, stop } = await launch(outside, program)
  const close = async () => {
    await stop()
    await outside.close()
  }
  return { ...outside, usage, close }
}

/** The processor time is the sum of all threads: the kernel counts the nanoseconds of each. */
function usageOf(pid: number) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0])
  const cpuMs = times.reduce((sum, nanoseconds) => sum + Number(nanoseconds), 0) / 1e6
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuMs, rssMb: Number(kilobytes) / 1024 }
}

/** The Telegram id of the first person; the others follow. */
const firstId = 1_000_000
const personOf = (id: number) => ({ id, is_bot: false, first_name: 'P', language_code: 'en' })
const chatOf = (id: number) => ({ id, type: 'private', first_name: 'P' })

/** People in their private chats, by their numbers from 0: their updates, and what they do before a measurement begins. */
function createPeople(telegram: TelegramStub) {
  let last = 0
  const update = (content: object): string => {
    last += 1
    return JSON.stringify({ update_id: last, ...content })
  }
  const says = (n: number, text: string) => {
    const [id, [command]] = [firstId + n, /^\/\w+/.exec(text) ?? []]
    const entities = command ? [{ type: 'bot_command', offset: 0, length: command.length }] : []
    const message = { message_id: 10_000_000 + last, date: 1, chat: chatOf(id), from: personOf(id), text }
    return update({ message: { ...message, entities } })
  }
  const taps = (id: number, message_id: number, data: string) => {
    const message = { message_id, date: 1, chat: chatOf(id), text: 'card' }
    return update({
      callback_query: { id: `${last}`, from: personOf(id), chat_instance: '1', message, data },
    })
  }
  /** The first `count` people prepare an order each. @returns the taps that confirm them */
  const prepareOrders = async (count: number): Promise<readonly string[]> => {
    const confirming: string[] = []
    const prepared = telegram.counts(count, ({ method, body, chat, message }) => {
      const data = method === 'sendMessage' ? dataIn(body, 'Generate') : undefined
      if (data !== undefined) confirming.push(taps(chat, message, data))
      return data !== undefined
    })
    telegram.give(Array.from({ length: count }, (_, n) => says(n, `/music a song-${n} about the sea`)))
    await prepared
    return confirming
  }
  return { says, prepareOrders }
}

const button = z.object({ text: z.string(), callback_data: z.string().optional() })
const withButtons = z.object({
  reply_markup: z.object({ inline_keyboard: z.array(z.array(button)) }).optional(),
})

/** The callback data of a button, found by the beginning of its label. */
function dataIn(body: Buffer, label: string): string | undefined {
  const { reply_markup } = withButtons.parse(JSON.parse(body.toString()))
  return reply_markup?.inline_keyboard.flat().find(({ text }) => text.startsWith(label))?.callback_data
}
