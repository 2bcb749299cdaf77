// Checks the gateway: its address, our key, and the ids of the offered models, which only an order can verify.

import type { Config } from '../../config.ts'
import { createGateway } from '../../gateway/client.ts'
import { asGatewayError, type GatewayError, GatewayRefused } from '../../gateway/errors.ts'
import { isKeyRefused, withCause } from '../gateway/key-check.ts'
import { type Check, type Finding, note, ok, wrong } from './finding.ts'
import { catalogOf } from './shop.ts'

const timeoutMs = 8000
const unknownTask = 'doctor'

export const gatewayCheck = (config: Config): Check => ({
  subject: 'gateway',
  run: async () => [...(await askAll(config)), ...idsOf(config)],
})

async function askAll(config: Config): Promise<Finding[]> {
  const ours = await ask(config, config.gatewayKey)
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
  const answerToWrongKey = await ask(config, 'doctor-wrong-key')
  return [
    ok(`${config.gatewayUrl} answers`),
    isKeyRefused(answerToWrongKey)
      ? ok('the key is accepted')
      : note('a wrong key gets the same answer, so ours is proved by an order only (--spend)'),
  ]
}

async function ask({ gatewayUrl: baseUrl }: Config, key: string): Promise<GatewayError | undefined> {
  const gateway = createGateway({ baseUrl, key, timeoutMs })
  try {
    await gateway.readTask(unknownTask)
    return undefined
  } catch (error) {
    return asGatewayError(error)
  } finally {
    await gateway.close()
  }
}

function idsOf(config: Config): Finding[] {
  const catalog = catalogOf(config)
  const ids = catalog.offered().map((model) => `${model.id} as ${catalog.gatewayId(model)}`)
  if (ids.length === 0) return []
  return [
    note(`an id of a model is proved by an order only (--spend orders the cheapest): ${ids.join(', ')}`),
  ]
}
