// Starts the minimal programs of the baselines.

import type { BenchWorld } from '../bench.ts'
import { botToken, type TelegramStub } from '../outside/telegram.ts'
import type { Launched } from './launcher.ts'

/** Resolves when the program polls for updates. */
export async function startBot(
  { launcher }: BenchWorld,
  program: string,
  telegram: TelegramStub,
  env: Readonly<Record<string, string>> = {},
  isCold = false,
): Promise<Launched> {
  const bot = launcher.launch(
    `test/bench/programs/${program}.ts`,
    { BOT_TOKEN: botToken, TELEGRAM_API_ROOT: telegram.url, ...env },
    { isCold },
  )
  await telegram.asked()
  return bot
}
