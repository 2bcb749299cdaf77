// Says why the wallet of a group does not pay for an order. The text is shown only to the user who taps.

import type { Say } from '../../texts.ts'
import type { GroupRefusal } from './card-funds.ts'

export function groupRefusal(say: Say, refused: GroupRefusal): string {
  switch (refused.reason) {
    case 'wallet-off':
    case 'wallet-short':
    case 'not-member':
    case 'member-unknown':
      return say.plain(`order-${refused.reason}`)
    case 'wallet-cap': {
      const { most, spent } = refused
      const left = say.roubles(most > spent ? most - spent : 0n)
      return say.plain('order-wallet-cap', { most: say.roubles(most), left })
    }
  }
}
