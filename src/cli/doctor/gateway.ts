// Checks the gateway: its address, our key, and the ids of the offered models, which only an order that was delivered proves.

import { offeredModels } from '../../catalog/text-models.ts'
import type { Config } from '../../config.ts'
import { readSoldIds } from '../../db/inspect.ts'
import { createGateway, type Gateway } from '../../gateway/client.ts'
import {
  asGatewayError,
  type GatewayError,
  GatewayRefused,
  GatewayUnauthorised,
} from '../../gateway/errors.ts'
import { type Check, type Finding, type Maybe, note, ok, wrong } from './finding.ts'
import { catalogOf } from './shop.ts'

const timeoutMs = 8000
const unknownTask = 'doctor'

export const gatewayCheck = (config: Config): Check => ({
  subject: 'gateway',
  run: async () => [...(await askGateway(config)), ...(await idsOf(config))],
})

type Access = Pick<Config, 'gatewayUrl' | 'gatewayKey'>

/** @param open a client of the gateway with this key */
export async function askGateway(
  config: Access,
  open = (key: string) => createGateway({ baseUrl: config.gatewayUrl, key, timeoutMs }),
): Promise<Finding[]> {
  const ours = await ask(open(config.gatewayKey))
  if (isKeyRefused(ours))
    return [
      wrong(
        `GATEWAY_KEY: ${config.gatewayUrl} refuses the key (${ours?.message}): write the key from its cabinet`,
      ),
    ]
  if (ours && !(ours instanceof GatewayRefused))
    return [
      wrong(
        `GATEWAY_URL: ${config.gatewayUrl} does not answer as a gateway (${withCause(ours)}): check the address and the account`,
      ),
    ]
  const answerToWrongKey = await ask(open('doctor-wrong-key'))
  if (isKeyRefused(answerToWrongKey)) return [ok(`${config.gatewayUrl} answers`), ok('the key is accepted')]
  return [
    note(
      `not checked: ${config.gatewayUrl} gives a wrong key the same answer (${ours ? withCause(ours) : 'a task'}), as any server might; only an order proves the address and the key: npm run gateway-check -- --spend`,
    ),
  ]
}

async function ask(gateway: Gateway): Promise<GatewayError | undefined> {
  try {
    await gateway.readTask(unknownTask)
    return undefined
  } catch (error) {
    return asGatewayError(error)
  } finally {
    await gateway.close()
  }
}

async function idsOf(config: Config): Promise<Maybe[]> {
  const catalog = catalogOf(config)
  const sold = await readSoldIds(config.databaseUrl)
  const offered = [
    ...catalog.offered().map((model) => ({ name: `${model.id} as `, id: catalog.gatewayId(model) ?? '' })),
    ...offeredModels(config.textModels).map(({ id }) => ({ name: '', id })),
  ]
  const proved = offered.flatMap(({ name, id }) => {
    const at = sold.get(id)
    return at ? [`${name}${id} (${at.toISOString().slice(0, 10)})`] : []
  })
  const others = offered.filter(({ id }) => !sold.has(id)).map(({ name, id }) => name + id)
  return [
    proved.length > 0 && ok(`ids that have sold, with the last day: ${proved.join(', ')}`),
    others.length > 0 &&
      note(
        `not checked: ids and paths are proved by an order only, like that of npm run gateway-check -- --spend: ${others.join(', ')}`,
      ),
  ]
}

export const withCause = ({ message, cause }: GatewayError): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message

const isKeyRefused = (answer: GatewayError | undefined): boolean =>
  answer instanceof GatewayUnauthorised || (answer instanceof GatewayRefused && answer.status === 403)
