// Says why the wallet of a group does not pay for an order. The text is shown only to the user who taps.

import type { OverGroupCap } from '../../sales/group-cap.ts'
import type { Say } from '../../texts.ts'

export function groupRefusal(say: Say, refused: OverGroupCap): string {
  switch (refused.reason) {
    case 'wallet-off':
      return say.plain('order-wallet-off')
    case 'wallet-short':
      return say.plain('order-wallet-short')
    case 'wallet-cap': {
      const { most, spent } = refused
      const left = say.roubles(most > spent ? most - spent : 0n)
      return say.plain('order-wallet-cap', { most: say.roubles(most), left })
    }
  }
}
