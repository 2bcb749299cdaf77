// The course of `npm run setup`. Nothing is written before the last answer.

import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { models } from '../../catalog/index.ts'
import { modelSettings } from '../../catalog/settings.ts'
import { parseConfig } from '../../config.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import { inspectBot, lastSender } from '../../telegram/identify.ts'
import { databaseCheck } from '../doctor/database.ts'
import { type Finding, findingsOf, ok, wrong } from '../doctor/finding.ts'
import { askGateway } from '../doctor/gateway.ts'

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
  await form.settle(() => {
    const settings = { databaseUrl: form.value('DATABASE_URL'), botToken: form.value('BOT_TOKEN') }
    return findingsOf(databaseCheck(settings, clock), clock)
  })
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

// The settings that `npm run setup` asks for: their questions, the check of each answer, and the answers so far.

interface Dialogue {
  /** @returns the answer without spaces around it */
  ask(question: string): Promise<string>
  print(line: string): void
}

const questions = {
  BOT_TOKEN: 'Token of the bot (@BotFather, /newbot)',
  TELEGRAM_PROXY: 'Proxy for Telegram, http://… or socks5://… (Enter: go on without an answer of Telegram)',
  GATEWAY_URL: 'Address of the gateway, without /v1',
  GATEWAY_KEY: 'API key of the gateway',
  DATABASE_URL: 'Database: postgres://user:password@host/name, or for a trial pglite:./data/trial',
  PUBLIC_HOST: 'Public name of this machine, like bot.example.com (Enter: none)',
  SUPPORT_CONTACT: 'Where users get help: @name, a link or an address (Enter: nowhere)',
  STAR_INCOME: 'Roubles that you get for one Telegram Star, like 1.00 (Enter: unknown)',
  TOPUP_ROUBLES_PER_STAR: 'Roubles that one Star credits to a user, like 1.00 (Enter: no payments in Stars)',
}
type Name = keyof typeof questions
const isName = (name: string): name is Name => Object.hasOwn(questions, name)

async function confirm({ ask }: Dialogue, question: string, usual = true): Promise<boolean> {
  const answer = await ask(`${question} [${usual ? 'Y/n' : 'y/N'}] `)
  return answer === '' ? usual : /^y/i.test(answer)
}

/** Asks until the answer is valid. @param usual what an empty answer means */
async function askValid(
  { ask, print }: Dialogue,
  question: string,
  problemOf: (answer: string) => string | undefined,
  usual = '',
): Promise<string> {
  for (;;) {
    const answer = (await ask(question)) || usual
    const problem = problemOf(answer)
    if (problem === undefined) return answer
    print(problem)
  }
}

/** A value without its secret part. */
const masked = (name: string, value: string): string =>
  /TOKEN|KEY|PASSWORD/.test(name) ? `${value.slice(0, 3)}…` : value.replace(/(\/\/[^/]*:)[^/]*@/, '$1…@')

type Form = ReturnType<typeof createForm>

/** @param present the settings of `.env` */
function createForm(dialogue: Dialogue, present: Settings) {
  const values = new Map(Object.entries(present))

  /** What the app would say about this value. */
  function problemOf(name: string, value: string): string | undefined {
    if (value.includes("'")) return `${name}: write it without '`
    if (name === 'PUBLIC_HOST' && !/^([\w-]+(\.[\w-]+)+)?$/.test(value))
      return `${name}: write a name like bot.example.com`
    const parsed = parseConfig({ ...Object.fromEntries(values), CATALOG_FILE: '', [name]: value })
    return parsed.ok ? undefined : parsed.problems.find((line) => line.startsWith(`${name}:`))
  }

  /** Asks for a setting; Enter keeps its value. @returns whether the value has changed */
  async function fill(name: Name): Promise<boolean> {
    const before = values.get(name) ?? ''
    const question = `${questions[name]}${before && ` [${masked(name, before)}]`}: `
    const value = await askValid(dialogue, question, (answer) => problemOf(name, answer), before)
    if (value !== '') values.set(name, value)
    return value !== before
  }

  /** Repeats a check until nothing is wrong, or the operator keeps the value that is wrong. */
  async function settle(check: () => Promise<readonly Finding[]>): Promise<void> {
    for (;;) {
      const findings = await check()
      const shown = findings.find(({ verdict }) => verdict === 'wrong') ?? findings[0]
      dialogue.print(`${shown?.verdict}: ${shown?.what}`)
      const named = /^\w+/.exec(shown?.what ?? '')?.[0].replace('TELEGRAM_API_ROOT', 'TELEGRAM_PROXY') ?? ''
      if (shown?.verdict !== 'wrong' || !isName(named) || !(await fill(named))) return
    }
  }

  return {
    dialogue,
    fill,
    settle,
    problemOf,
    value: (name: string): string => values.get(name) ?? '',
    set: (name: string, value: string) => void values.set(name, value),
    changes: () => new Map([...values].filter(([name, value]) => present[name] !== value)),
  }
}

// The files that `npm run setup` writes. Each appears whole: it is written under another name, then renamed.

type Settings = Readonly<Record<string, string>>

function readSettings(path: string): Settings {
  if (!existsSync(path)) return {}
  const entries = Object.entries(parseEnv(readFileSync(path, 'utf8')))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Replaces the lines of these settings and adds the missing ones; other lines stay. */
function writeSettings(path: string, settings: Settings): void {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const nameOf = (line: string) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''
  const kept = lines.map((line) => {
    const value = settings[nameOf(line)]
    return value === undefined ? line : lineOf(nameOf(line), value)
  })
  const there = lines.map(nameOf)
  const added = Object.entries(settings).filter(([name]) => !there.includes(name))
  write(path, `${[...kept, ...added.map(([name, value]) => lineOf(name, value))].join('\n')}\n`, 0o600)
}

/** In single quotes Node.js and Compose take every character as it is. */
const lineOf = (name: string, value: string): string =>
  `${name}=${/^[\w@:/.,%+*=?&-]*$/.test(value) ? value : `'${value}'`}`

function writeCatalog(path: string, entries: ReadonlyMap<string, object>): void {
  mkdirSync(dirname(path), { recursive: true })
  write(path, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`, 0o644)
}

/** @param mode of a new file; a file that is there already keeps its owner, and is not for others any more */
function write(path: string, text: string, mode: number): void {
  const former = statSync(path, { throwIfNoEntry: false })
  const part = `${path}.part`
  rmSync(part, { force: true })
  writeFileSync(part, text, { mode: former ? former.mode & 0o640 : mode, flag: 'wx' })
  if (former) chownSync(part, former.uid, former.gid)
  renameSync(part, path)
}
