// The course of `npm run setup`. Nothing is written before the last answer.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { models } from '../../catalog/index.ts'
import { modelSettings } from '../../catalog/settings.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { inspectBot, lastSender } from '../../telegram/inspect.ts'
import { databaseCheck } from '../doctor/database.ts'
import { ok, wrong } from '../doctor/finding.ts'
import { askGateway } from '../doctor/gateway.ts'
import { readSettings, writeCatalog, writeSettings } from './files.ts'
import { askValid, confirm, createForm, type Dialogue, type Form, masked } from './form.ts'

/** @returns where the bot will run; undefined when nothing was written */
export async function setUp(
  dialogue: Dialogue,
  folder: string,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<'docker' | 'host' | undefined> {
  const path = join(folder, '.env')
  const present = readSettings(path)
  const form = createForm(dialogue, present)
  const isDocker = await confirm(dialogue, 'Will the bot run in Docker?', 'POSTGRES_PASSWORD' in present)
  await askTelegram(form, clock)
  await askOperator(form, clock)
  await askAboutGateway(form)
  if (isDocker) await askForDocker(form, ids)
  else await askForHost(form, clock)
  for (const name of ['SUPPORT_CONTACT', 'STAR_INCOME', 'TOPUP_ROUBLES_PER_STAR'] as const)
    await form.fill(name)
  const writeSold = await askCatalog(form, folder, isDocker ? '/settings' : 'settings')
  const changes = form.changes()
  for (const [name, value] of changes) {
    const before = present[name]
    dialogue.print(`  ${name}=${masked(name, value)}${before ? ` in place of ${masked(name, before)}` : ''}`)
  }
  if (!(await confirm(dialogue, `Write this into ${path}? Other lines stay.`))) return undefined
  writeSold()
  writeSettings(path, Object.fromEntries(changes))
  return isDocker ? 'docker' : 'host'
}

const serverOf = ({ value }: Form) => ({
  apiRoot: value('TELEGRAM_API_ROOT') || 'https://api.telegram.org',
  proxy: value('TELEGRAM_PROXY') || undefined,
})

async function askTelegram(form: Form, clock: Clock): Promise<void> {
  await form.fill('BOT_TOKEN')
  await form.settle(async () => {
    const found = await inspectBot(form.value('BOT_TOKEN'), serverOf(form), clock, [])
    return [found.ok ? ok(`@${found.me.username} answers`) : wrong(found.trouble)]
  })
}

/** Telegram's own apps do not show the id. */
async function askOperator(form: Form, clock: Clock): Promise<void> {
  const before = form.value('ADMIN_IDS')
  const question = `Your Telegram id [${before || 'Enter: found by a message that you write to the bot'}]: `
  let id = ''
  while (id === '')
    id =
      (await askValid(form.dialogue, question, (answer) => form.problemOf('ADMIN_IDS', answer), before)) ||
      (await findOperator(form, clock))
  form.set('ADMIN_IDS', id)
}

async function findOperator(form: Form, clock: Clock): Promise<string> {
  await form.dialogue.ask('Write any message to the bot in Telegram, then press Enter here. ')
  const found = await lastSender(form.value('BOT_TOKEN'), serverOf(form), clock)
  if (!found.ok) form.dialogue.print(found.trouble)
  else if (await confirm(form.dialogue, `Are you ${found.name}, id ${found.id}?`)) return String(found.id)
  return ''
}

async function askAboutGateway(form: Form): Promise<void> {
  await form.fill('GATEWAY_URL')
  await form.fill('GATEWAY_KEY')
  await form.settle(() =>
    askGateway({ gatewayUrl: form.value('GATEWAY_URL'), gatewayKey: form.value('GATEWAY_KEY') }),
  )
}

async function askForHost(form: Form, clock: Clock): Promise<void> {
  await form.fill('DATABASE_URL')
  await form.settle(() =>
    databaseCheck(
      { databaseUrl: form.value('DATABASE_URL'), botToken: form.value('BOT_TOKEN') },
      clock,
    ).run(),
  )
}

/** The database of compose.yaml keeps the password of its first start. */
async function askForDocker(form: Form, ids: Ids): Promise<void> {
  if (!form.value('POSTGRES_PASSWORD')) form.set('POSTGRES_PASSWORD', ids.secret())
  await form.fill('PUBLIC_HOST')
  if (!form.value('PUBLIC_HOST')) form.set('UPDATES', 'polling')
}

/** Asks for the models, unless there is a catalog already, which is never replaced. @returns a function that writes the new catalog */
async function askCatalog(form: Form, folder: string, mounted: string): Promise<() => void> {
  const { print } = form.dialogue
  const path = join(folder, 'settings/catalog.json')
  const ours = `${mounted}/catalog.json`
  if (!form.value('CATALOG_FILE')) form.set('CATALOG_FILE', ours)
  if (form.value('CATALOG_FILE') !== ours || existsSync(path)) {
    print(`The catalog stays as it is: ${form.value('CATALOG_FILE')}`)
    return () => undefined
  }
  const problemOf = (entry: object) => modelSettings.safeParse(entry).error?.issues[0]?.message
  const priceQuestion = "Roubles that a user pays for each rouble of the gateway's price [1.30]: "
  const priceProblem = (multiplier: string) => problemOf({ multiplier })
  const multiplier = await askValid(form.dialogue, priceQuestion, priceProblem, '1.30')
  print('The id of each model at your gateway (Enter: the model is not sold):')
  const entries = new Map<string, object>()
  for (const { id, commands, gatewayId: usual } of models) {
    const question = `  ${id}, /${commands.join(', /')}${usual ? `, usually ${usual}` : ''}: `
    const idProblem = (gatewayId: string) => (gatewayId ? problemOf({ gatewayId }) : undefined)
    const gatewayId = await askValid(form.dialogue, question, idProblem)
    if (gatewayId) entries.set(id, { gatewayId, multiplier })
    // It would be sold by its usual id.
    else if (usual) entries.set(id, { enabled: false })
  }
  return () => writeCatalog(path, entries)
}
