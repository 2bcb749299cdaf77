// Mistakes in promo codes and invitations.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const giftMutants: readonly Mutant[] = [
  {
    name: 'promo-never-expires',
    mistake: 'a promo code is credited although it has expired',
    faults: calm,
    changes: [
      {
        file: 'src/ledger/promo.ts',
        find: `p.expires_at is null or p.expires_at > \${timestamp(now)}`,
        put: `p.expires_at is null or p.expires_at > \${timestamp(now)} - interval '1 hour'`,
      },
    ],
  },
  {
    name: 'bonus-forgotten',
    mistake: 'a friend who paid brings no bonus',
    faults: calm,
    changes: [
      {
        file: 'src/ledger/referral.ts',
        find: 'if (!invited || invited.referrerId === null) return { ok: false }',
        put: 'if (!invited || invited.referrerId === null || invited.referrerId > 0n) return { ok: false }',
      },
    ],
  },
  {
    name: 'promo-by-spelling',
    mistake: 'a promo code is credited once for each of its spellings',
    faults: calm,
    changes: [
      {
        file: 'src/ledger/promo.ts',
        find: 'const move = promotion(userId, code, amount)',
        put: 'const move = promotion(userId, typed.trim(), amount)',
      },
    ],
  },
]
