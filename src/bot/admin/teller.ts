// What users are told of what operators did to their money and to them.

import type { Catalog } from '../../catalog/catalog.ts'
import { titleOf } from '../../delivery/status.ts'
import type { Teller } from '../../operator/teller.ts'
import { type TellDeps, tellAbout, tellUser } from './tell.ts'

export function createTeller(deps: TellDeps & { readonly catalog: Catalog }): Teller {
  return {
    corrected(userId, change, available, reason) {
      return tellUser(deps, userId, (say) =>
        say.html(change > 0n ? 'told-grant' : 'told-debit', {
          amount: say.roubles(change > 0n ? change : -change),
          available: say.roubles(available),
          reason,
        }),
      )
    },
    unbanned: (userId) => tellUser(deps, userId, (say) => say.html('told-unban')),
    refunded: (generation, amount, reason) =>
      tellAbout(deps, generation, (say) =>
        say.html('told-refund', {
          amount: say.roubles(amount),
          title: titleOf(say, generation, deps.catalog.find(generation.modelId)),
          reason,
        }),
      ),
  }
}
