// `npm run gateway-check`: checks the gateway at GATEWAY_URL with GATEWAY_KEY, and prints the path, the gateway's model id and the
// price of each model in CATALOG_FILE. It only reads, unless `--spend` is given: then it buys one cheap generation. Exit code 1 when a
// check failed.

import { type Catalog, createCatalog, type Price } from '../catalog/catalog.ts'
import { models } from '../catalog/index.ts'
import { offeredModels } from '../catalog/text-models.ts'
import { type Config, parseConfig } from '../config.ts'
import { readSoldIds } from '../db/inspect.ts'
import { createGateway, type Gateway } from '../gateway/client.ts'
import { asGatewayError, GatewayError } from '../gateway/errors.ts'
import { formatRoubles } from '../money.ts'
import { systemClock } from '../runtime/clock.ts'
import { askGateway } from './doctor/gateway.ts'
import { cheapest, type Offer, type Print, requestFor, spend, withCause } from './gateway/buying.ts'
import { readArguments } from './terminal.ts'

const print: Print = (verdict, what) => {
  if (verdict === 'FAILED') process.exitCode = 1
  process.stdout.write(`${verdict.padEnd(7)}${what}\n`)
}

const clock = systemClock

/** Prints the shape of every answer before the client interprets it. */
const connect = ({ gatewayUrl: baseUrl, gatewayWords }: Config, key: string): Gateway =>
  createGateway({
    baseUrl,
    key,
    stateWords: gatewayWords.states,
    requests: gatewayWords.requests,
    onAnswer: (operation, { status, type, bytes, json }) => {
      const body = json()
      const shape = body === undefined ? `${bytes.length} bytes` : shapeOf(body)
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

async function checkKey(config: Config): Promise<void> {
  const findings = await askGateway(config, (key) => connect(config, key))
  for (const { verdict, what } of findings) print(verdict === 'wrong' ? 'FAILED' : verdict, what)
}

async function checkConcepts(gateway: Gateway): Promise<void> {
  const answer = await gateway.concepts().catch(asGatewayError)
  if (answer instanceof GatewayError) return print('FAILED', withCause(answer))
  print('ok', `${answer.length} concepts: ${answer.map(({ key }) => key).join(', ')}`)
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
  const { GATEWAY_URL, GATEWAY_KEY, CATALOG_FILE, POLL_INTERVAL_MS, PUBLIC_URL } = process.env
  const unused = { BOT_TOKEN: '0:unused', DATABASE_URL: 'pglite:unused', PORT: '0' }
  return parseConfig({ GATEWAY_URL, GATEWAY_KEY, CATALOG_FILE, POLL_INTERVAL_MS, PUBLIC_URL, ...unused })
}

async function check(config: Config, mayPay: boolean): Promise<void> {
  const catalog = createCatalog(models, config.catalog, { canCallBack: config.publicUrl !== undefined })
  const gateway = connect(config, config.gatewayKey)
  await checkKey(config)
  await checkConcepts(gateway)
  const offers = checkCatalog(catalog, await readSoldIds(process.env.DATABASE_URL ?? ''))
  const texts = offeredModels(config.textModels).map(({ id }) => id)
  if (texts.length > 0) print('note', `text models are not checked: ${texts.join(', ')}`)
  const offer = cheapest(offers)
  if (mayPay && offer) await spend({ config, gateway, catalog, clock, print }, offer)
  else if (mayPay) print('FAILED', 'no model is offered at a known price')
  await gateway.close()
}

// The reader of a pipe has closed it.
process.stdout.on('error', () => process.exit())
const help = `npm run gateway-check: checks the gateway with GATEWAY_KEY, and prints the price of each model. 1: a check failed.
  --spend   also buys one cheap generation`
const { flags } = readArguments(help, { flags: ['spend'] })
const parsed = readConfig()
if (parsed.ok) {
  await check(parsed.config, flags.has('spend'))
} else {
  process.stderr.write(`${parsed.problems.join('\n')}\n`)
  process.exitCode = 1
}
