// `npm run gateway-check`: checks the gateway at GATEWAY_URL with GATEWAY_KEY, and prints the path, the gateway's model id and the
// price of each model in CATALOG_FILE, and which settings were seen to work. It only reads, unless `--spend` is given: then it buys one
// cheap generation, or tries the named model and shows its requests and answers. Exit code 1 when a check failed.

import { type Catalog, createCatalog, type Price } from '../catalog/catalog.ts'
import { models } from '../catalog/index.ts'
import { offeredModels } from '../catalog/text-models.ts'
import { type Config, parseConfig } from '../config.ts'
import { readSeen, readSoldIds } from '../db/inspect.ts'
import { createGateway, type Gateway } from '../gateway/client.ts'
import { asGatewayError, GatewayError } from '../gateway/errors.ts'
import { formatRoubles } from '../money.ts'
import { systemClock } from '../runtime/clock.ts'
import { isUnknownTask } from '../sales/refusal-words.ts'
import { askGateway, withCause } from './doctor/gateway.ts'
import { askAll, cheapest, mostCost, type Offer, type Print, requestFor, spend } from './gateway/buying.ts'
import { askTerminal, readArguments } from './terminal.ts'

const print: Print = (verdict, what) => {
  if (verdict === 'FAILED') process.exitCode = 1
  process.stdout.write(`${verdict.padEnd(7)}${what}\n`)
}

const clock = systemClock

const longestShown = 300

/** A value of a request or an answer as JSON, with long texts cut, and links without their signatures. */
const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => {
    if (typeof one !== 'string') return one
    const text = one.replace(/^(https?:[^?#]*)[?#].*/s, '$1')
    return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length})` : text
  })

/** The gateway, with every request that generates something printed before it is sent. */
function telling(gateway: Gateway): Gateway {
  const tell = (what: string, body: object) => process.stdout.write(`       ${what} ${shown(body)}\n`)
  return {
    ...gateway,
    create(path, body) {
      tell(`POST ${path}`, body)
      return gateway.create(path, body)
    },
    chatStream(body, signal) {
      tell('chat', body)
      return gateway.chatStream(body, signal)
    },
    messagesStream(body, signal) {
      tell('messages', body)
      return gateway.messagesStream(body, signal)
    },
    responsesStream(body, signal) {
      tell('responses', body)
      return gateway.responsesStream(body, signal)
    },
    generateContent(vendor, body, signal) {
      tell(`native ${vendor}`, body)
      return gateway.generateContent(vendor, body, signal)
    },
  }
}

/** Prints the shape of every answer before the client interprets it, or the answer itself. */
const connect = ({ gatewayUrl: baseUrl, gatewayWords }: Config, key: string, isWhole = false): Gateway =>
  createGateway({
    baseUrl,
    key,
    stateWords: gatewayWords.states,
    requests: gatewayWords.requests,
    onAnswer: (operation, { status, type, bytes, json }) => {
      const body = json()
      const form = isWhole ? shown : shapeOf
      const shape = body === undefined ? `${bytes.length} bytes` : form(body)
      process.stdout.write(`       ${operation}: HTTP ${status}, ${type || 'no content type'}, ${shape}\n`)
    },
  })

function shapeOf(value: unknown, depth = 5): string {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  if (depth === 0) return '...'
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[${value.length} x ${shapeOf(value[0], depth - 1)}]`
  }
  const fields = Object.entries(value).map(([name, one]) => {
    const shown = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${shown}: ${shapeOf(one, depth - 1)}`
  })
  return `{${fields.join(', ')}}`
}

/** @returns whether a wrong key is refused as the settings say */
async function checkKey(config: Config): Promise<boolean> {
  const findings = await askGateway(config, (key) => connect(config, key))
  for (const { verdict, what } of findings) print(verdict === 'wrong' ? 'FAILED' : verdict, what)
  return findings.every(({ verdict }) => verdict === 'ok')
}

/** @returns whether the list could be read */
async function checkConcepts(gateway: Gateway): Promise<boolean> {
  const answer = await gateway.concepts().catch(asGatewayError)
  if (answer instanceof GatewayError) print('FAILED', withCause(answer))
  else print('ok', `${answer.length} concepts: ${answer.map(({ key }) => key).join(', ')}`)
  return !(answer instanceof GatewayError)
}

/** Whether the answer about a task that does not exist is one that the settings name. */
async function checkTask(gateway: Gateway, { gatewayWords }: Config): Promise<boolean> {
  const answer = await gateway.readTask(`unknown-${clock.now().getTime()}`).catch(asGatewayError)
  return answer instanceof GatewayError && isUnknownTask(gatewayWords.refusals, answer)
}

const openSettings = {
  key: 'the answer to a wrong key ("key")',
  task: 'the answer about an unknown task ("task")',
  concepts: 'the list of concepts ("requests.concepts")',
  styles: 'the creation of a style ("requests.styles")',
  speakers: 'the fields of a dialogue ("names")',
  resultId: 'the id of a result ("requests.results.id")',
  continued: 'the id that continues a video ("requests.results.continued")',
}

/**
 * Prints what gateway-api.md leaves open and a setting decides, and whether it was seen to work.
 * @param now what the answers of this run have shown; the orders of the database show the rest
 */
async function printSeen(now: Readonly<Record<string, boolean>>): Promise<void> {
  const before = await readSeen(process.env.DATABASE_URL ?? '')
  for (const [name, what] of Object.entries(openSettings)) {
    const at = before.get(name)
    if (now[name]) print('ok', `${what}: as set`)
    else if (at) print('ok', `${what}: as set, last on ${at.toISOString().slice(0, 10)}`)
    else print('note', `${what}: not seen`)
  }
  print('note', 'how modes and tools of a text model are asked for: --spend and its id try each mode')
}

/** @param sold the ids at the gateway that have sold, with the last time */
function checkCatalog(catalog: Catalog, sold: ReadonlyMap<string, Date>): readonly Offer[] {
  for (const { id } of catalog.models.filter((model) => catalog.lacksGatewayId(model)))
    print('note', `${id} is not offered: write its id at the gateway into CATALOG_FILE ("gatewayId")`)
  for (const { id } of catalog.models.filter((model) => catalog.lacksCallback(model))) {
    print('note', `${id} is not offered: it requires a callback address, so set PUBLIC_URL`)
  }
  return catalog.offered().flatMap((model) => {
    const body = requestFor(catalog, model)
    const price = body && catalog.price(model, body)
    const where = `${model.id} as ${body?.model ?? '?'}, POST ${catalog.path(model)}`
    const at = sold.get(catalog.gatewayId(model) ?? '')
    const proof = at ? `last sold on ${at.toISOString().slice(0, 10)}` : 'id and path not checked'
    if (body) print(at ? 'ok' : 'note', `${where}, ${priceOf(price)}; ${proof}`)
    else print('FAILED', `${where}, its settings make no valid request`)
    return body && price ? [{ model, body, price }] : []
  })
}

const priceOf = (price: Price | undefined) =>
  price
    ? `costs ${formatRoubles(price.gatewayCost)}, sold for ${formatRoubles(price.amount)}`
    : 'without a price, so it cannot be ordered'

/** The app's configuration; variables that only the app needs have dummy values. */
function readConfig() {
  const { GATEWAY_URL, GATEWAY_KEY, CATALOG_FILE, GATEWAY_WORDS_FILE, POLL_INTERVAL_MS, PUBLIC_URL } =
    process.env
  const own = { GATEWAY_URL, GATEWAY_KEY, CATALOG_FILE, GATEWAY_WORDS_FILE, POLL_INTERVAL_MS, PUBLIC_URL }
  return parseConfig({ ...own, BOT_TOKEN: '0:unused', DATABASE_URL: 'pglite:unused', PORT: '0' })
}

/** Asks before money is spent, unless `--yes` is given. */
async function mayCost(what: string, cost: bigint, url: string): Promise<boolean> {
  const isYes =
    flags.has('yes') ||
    (await askTerminal(`Order ${what} for ${formatRoubles(cost)} at ${url}? Type yes: `)) === 'yes'
  if (!isYes) print('note', `nothing was ordered: ${what} would have cost ${formatRoubles(cost)}`)
  return isYes
}

/** Tries one model: a media model with the least request, a text model in each of its modes. */
async function tryModel(
  config: Config,
  catalog: Catalog,
  offers: readonly Offer[],
  id: string,
): Promise<void> {
  const gateway = telling(connect(config, config.gatewayKey, true))
  const text = offeredModels(config.textModels).find((model) => model.id === id)
  const offer = offers.find(({ model }) => model.id === id)
  const cost = text ? mostCost(text) : offer?.price.gatewayCost
  if (cost === undefined) print('FAILED', `${id} is not offered at a known price`)
  else if (await mayCost(text ? `at most ${id}` : id, cost, config.gatewayUrl)) {
    if (text) await askAll(gateway, text, print)
    else if (offer)
      await spend(
        { config, gateway, catalog, clock, print },
        { ...offer, body: catalog.named(offer.model, offer.body) },
      )
  }
  await gateway.close()
}

async function check(config: Config, mayPay: boolean, wanted: string | undefined): Promise<void> {
  const catalog = createCatalog(models, config.catalog, { canCallBack: config.publicUrl !== undefined })
  const gateway = connect(config, config.gatewayKey)
  const seen = {
    key: await checkKey(config),
    concepts: await checkConcepts(gateway),
    task: await checkTask(gateway, config),
  }
  const offers = checkCatalog(catalog, await readSoldIds(process.env.DATABASE_URL ?? ''))
  const texts = offeredModels(config.textModels).map(({ id }) => id)
  if (texts.length > 0) print('note', `text models are not checked: ${texts.join(', ')}`)
  await printSeen(seen)
  const model = wanted ?? cheapest(offers)?.model.id
  if (mayPay && model !== undefined) await tryModel(config, catalog, offers, model)
  else if (mayPay) print('FAILED', 'no model is offered at a known price')
  await gateway.close()
}

// The reader of a pipe has closed it.
process.stdout.on('error', () => process.exit())
const help = `npm run gateway-check: checks the gateway with GATEWAY_KEY, and prints the price of each model. 1: a check failed.
  --spend [model]   also buys one cheap generation, or tries the model, and shows request and answer; asks before, unless there is --yes`
const { flags, words } = readArguments(help, {
  flags: ['spend', 'yes'],
  most: process.argv.includes('--spend') ? 1 : 0,
})
const parsed = readConfig()
if (parsed.ok) {
  await check(parsed.config, flags.has('spend'), words[0])
} else {
  process.stderr.write(`${parsed.problems.join('\n')}\n`)
  process.exitCode = 1
}
