// Mistakes in the wallets of groups.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const walletMutants: readonly Mutant[] = [
  {
    name: 'wallet-filled-twice',
    mistake: 'a second tap on a button that fills the wallet of a group moves the money again',
    faults: calm,
    changes: [
      {
        file: 'src/bot/groups/wallet.ts',
        find: `fundWallet(db, { key: \`\${own.id}:\${key}\`, wallet: own, amount }`,
        put: `fundWallet(db, { key: \`\${own.id}:\${key}:\${Math.random()}\`, wallet: own, amount }`,
      },
    ],
  },
  {
    name: 'wallet-pays-unasked',
    mistake: 'the wallet of the group pays although the member wants to pay',
    faults: calm,
    changes: [
      {
        file: 'src/bot/balance.ts',
        find: 'return { ...group, room, refused: closed',
        put: "return { ...group, payer: 'own', room, refused: closed",
      },
    ],
  },
  {
    name: 'wallet-limit-is-late',
    mistake: 'a member is only stopped when the limit of the wallet is already passed',
    faults: calm,
    changes: [
      {
        file: 'src/orders/confirm.ts',
        find: 'where excluded.spent + case when m.spent_on = excluded.spent_on then m.spent else 0 end\n',
        put: 'where case when m.spent_on = excluded.spent_on then m.spent else 0 end\n',
      },
      {
        file: 'src/sales/limits.ts',
        find: 'if (cap && cap.spent + amount > cap.most)',
        put: 'if (cap && cap.spent > cap.most)',
      },
    ],
  },
  {
    name: 'wallet-limit-is-early',
    mistake: 'what a member has spent counts twice against the limit of the wallet',
    faults: calm,
    settings: { seconds: 40, capASecond: 3 },
    changes: [
      {
        file: 'src/orders/confirm.ts',
        find: 'where excluded.spent + case when m.spent_on = excluded.spent_on then m.spent else 0 end\n',
        put: 'where excluded.spent + case when m.spent_on = excluded.spent_on then 2 * m.spent else 0 end\n',
      },
    ],
  },
]
