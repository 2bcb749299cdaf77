// `npm run admin -- …`: the operator's commands from a terminal, on DATABASE_URL or, without it, on the sandbox's own database.
// Exit code 1 when the command was refused, 2 when it was not understood.

import { createCatalog } from '../catalog/catalog.ts'
import { models } from '../catalog/index.ts'
import { environment } from '../config/variables.ts'
import { staffOf } from '../config.ts'
import { configureProviders } from '../payments/providers.ts'
import { defaultTimeZone, isTimeZone, systemClock } from '../runtime/clock.ts'
import type { Environment } from '../runtime/env-values.ts'
import { randomIds } from '../runtime/ids.ts'
import { helpOf, runCommand, understand } from './admin/commands.ts'
import { type Deps, texts } from './admin/common.ts'
import { openLocalDatabase } from './local-database.ts'
import { asksForHelp, askTerminal } from './terminal.ts'

const clock = systemClock

function end(code: number, lines: readonly string[]): never {
  const stream = code === 0 ? process.stdout : process.stderr
  stream.write(`${lines.join('\n')}\n`)
  process.exit(code)
}

const ask = async (question: string) => ['y', 'yes'].includes(await askTerminal(question))
const canAsk = process.stdin.isTTY && process.stdout.isTTY

function botIn({ BOT_TOKEN, ADMIN_IDS, SUPPORT_IDS }: Environment): Deps['bot'] {
  const token = environment.shape.BOT_TOKEN.safeParse(BOT_TOKEN)
  const ids = environment.shape.ADMIN_IDS.safeParse(ADMIN_IDS || undefined)
  const supportIds = environment.shape.SUPPORT_IDS.safeParse(SUPPORT_IDS || undefined)
  if (!token.success || !ids.success || !supportIds.success) return undefined
  return { token: token.data, operators: staffOf({ ids: ids.data, supportIds: supportIds.data }) }
}

const words = process.argv.slice(2)
if (asksForHelp(words)) end(0, helpOf(words))
const understood = understand(words)
if (typeof understood !== 'function') end(understood.code, understood.lines)

const timeZone = process.env.OPERATOR_TIME_ZONE || defaultTimeZone
if (!isTimeZone(timeZone)) end(1, ['OPERATOR_TIME_ZONE: write the name of a time zone, like Europe/Moscow'])

const opened = await openLocalDatabase(process.env, 'write /admin in its chat')
if (!opened.ok) end(1, [opened.problem])
const { db, close } = opened.database
const { data: sold } = environment.shape.CATALOG_FILE.safeParse(process.env.CATALOG_FILE || undefined)
const deps = {
  db,
  clock,
  ids: randomIds,
  texts,
  catalog: createCatalog(models, sold?.models ?? {}),
  textModels: sold?.textModels ?? [],
  operator: { timeZone },
  providers: configureProviders(process.env).configured,
  bot: botIn(process.env),
  ask: canAsk ? ask : undefined,
}
const { code, lines } = await runCommand(deps, words)
await close()
end(code, lines)
