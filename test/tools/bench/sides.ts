// The measured programs, each with its own doubles of Telegram and the gateway and its own database, and the people who use them.

import { join } from 'node:path'
import { z } from 'zod'
import { freePorts } from '../chaos/machine/network.ts'
import { startGateway } from './gateway.ts'
import type { Databases, Launched, Launcher } from './machine.ts'
import { type Call, inTime, startTelegram, type TelegramStub } from './telegram.ts'

export interface BenchWorld {
  /** Whether the run only checks that the benchmark works; its figures are too small to be meaningful. */
  readonly isQuick: boolean
  readonly databases: Databases
  readonly launcher: Launcher
}

export type Outside = Awaited<ReturnType<typeof openOutside>>
export type Side = Awaited<ReturnType<typeof openSide>>

export const programs = {
  app: 'src/main.ts',
  echo: 'test/tools/bench/echo.ts',
}

/** The methods that bring the song of an order. */
export const deliveries = ['editMessageMedia', 'sendAudio']

export async function openOutside({ databases }: Pick<BenchWorld, 'databases'>) {
  const telegram = await startTelegram()
  const gateway = await startGateway()
  const close = async () => void (await Promise.all([telegram.close(), gateway.close()]))
  return { telegram, gateway, people: createPeople(telegram), database: await databases.create(), close }
}

/** Settings of the app that the bare bot does not read. */
const appSettings = {
  GATEWAY_KEY: 'bench-key',
  CATALOG_FILE: join(import.meta.dirname, 'catalog.json'),
  CONCURRENT_GENERATIONS: '100',
  WELCOME_CREDIT: '100000',
  LOG_LEVEL: 'error',
}

/** More than there are launches in a run; a port is used once. */
const ports = await freePorts(60)

/** Starts a program. Resolves when it polls for updates. @param isCold whether it starts without the compile cache */
export async function launch(
  launcher: Launcher,
  { telegram, gateway, database }: Outside,
  program: string,
  settings: object = {},
  isCold = false,
): Promise<Launched> {
  const port = String(ports.shift())
  const env = {
    BOT_TOKEN: '1:bench-token',
    TELEGRAM_API_ROOT: telegram.url,
    GATEWAY_URL: gateway.url,
    DATABASE_URL: database,
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...appSettings,
    ...settings,
  }
  const launched = launcher.launch(program, env, isCold)
  await telegram.asked()
  return launched
}

export async function openSide(world: BenchWorld, program: string, settings?: object) {
  const outside = await openOutside(world)
  const { usage, stop } = await launch(world.launcher, outside, program, settings)
  const close = async () => {
    await stop()
    await outside.close()
  }
  return { ...outside, usage, close }
}

/** The Telegram id of the first person; the others follow. */
const firstId = 1_000_000
const personOf = (n: number) => ({ id: firstId + n, is_bot: false, first_name: 'P', language_code: 'en' })
const chatOf = (n: number) => ({ id: firstId + n, type: 'private', first_name: 'P' })

/** People in their private chats, by their numbers from 0: their updates, and what they do before a measurement begins. */
function createPeople(telegram: TelegramStub) {
  let last = 0
  const update = (content: object): string => {
    last += 1
    return JSON.stringify({ update_id: last, ...content })
  }
  const numberOf = ({ chat }: Call) => chat - firstId
  const says = (n: number, text: string) => {
    const [command] = /^\/\w+/.exec(text) ?? []
    const entities = command ? [{ type: 'bot_command', offset: 0, length: command.length }] : []
    const message = { message_id: 10_000_000 + last, date: 1, chat: chatOf(n), from: personOf(n), text }
    return update({ message: { ...message, entities } })
  }
  const taps = (n: number, message_id: number, data: string) => {
    const message = { message_id, date: 1, chat: chatOf(n), text: 'card' }
    return update({
      callback_query: { id: String(last), from: personOf(n), chat_instance: '1', message, data },
    })
  }
  /** The first `count` people prepare an order each. @returns the taps that confirm them */
  const prepareOrders = (count: number) =>
    inTime<readonly string[]>(`${count} cards`, (resolve) => {
      const cards = new Map<number, string>()
      const stop = telegram.listen((call) => {
        const data = call.method === 'sendMessage' ? dataIn(call.body, 'Generate') : undefined
        if (data !== undefined) cards.set(numberOf(call), taps(numberOf(call), call.message, data))
        if (cards.size < count) return
        stop()
        resolve([...cards.values()])
      })
      telegram.give(Array.from({ length: count }, (_, n) => says(n, `/music a song-${n} about the sea`)))
    })
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
