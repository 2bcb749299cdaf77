// Orders the cheapest model on offer: only an order verifies the key and the id of a model. The check asks before it spends money.

import type { Config } from '../../config.ts'
import { createGateway } from '../../gateway/client.ts'
import { formatRoubles } from '../../money.ts'
import type { Clock } from '../../runtime/clock.ts'
import { cheapest, requestFor, spend } from '../gateway/buying.ts'
import { askTerminal } from '../terminal.ts'
import { type Finding, note, ok, wrong } from './finding.ts'
import { catalogOf } from './shop.ts'

export async function spendCheck(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const catalog = catalogOf(config)
  const offers = catalog.offered().flatMap((model) => {
    const body = requestFor(catalog, model)
    const price = body && catalog.price(model, body)
    return body && price ? [{ model, body, price }] : []
  })
  const offer = cheapest(offers)
  if (!offer) return [wrong('no model is offered at a known price: write CATALOG_FILE')]
  const cost = formatRoubles(offer.price.gatewayCost)
  const answer = await askTerminal(`Order ${offer.model.id} for ${cost} at ${config.gatewayUrl}? Type yes: `)
  if (answer !== 'yes') {
    return [note(`nothing was ordered: ${offer.model.id} would have cost ${cost}`)]
  }
  const findings: Finding[] = []
  const gateway = createGateway({ baseUrl: config.gatewayUrl, key: config.gatewayKey })
  const print = (verdict: 'ok' | 'note' | 'FAILED', what: string) => {
    findings.push({ ok, note, FAILED: wrong }[verdict](what))
  }
  await spend({ config, gateway, catalog, clock, print }, offer)
  await gateway.close()
  return findings
}
