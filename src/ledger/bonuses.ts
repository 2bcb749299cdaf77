// The amounts of bonuses in the settings. They are stored at each start, before any is given, so that the audit finds a bonus of another
// amount; those of earlier settings stay.

import type { Database } from '../db/client.ts'
import { bonuses } from '../db/schema.ts'
import type { Kopecks } from '../money.ts'

interface Settings {
  readonly welcomeCredit: Kopecks
  readonly referralBonus: Kopecks
}

export async function storeBonuses(db: Database, { welcomeCredit, referralBonus }: Settings): Promise<void> {
  await db
    .insert(bonuses)
    .values([
      { kind: 'welcome', amount: welcomeCredit },
      { kind: 'referral', amount: referralBonus },
    ])
    .onConflictDoNothing()
}
