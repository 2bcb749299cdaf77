// The first message of somebody: the welcome credit, and who invited them. Whoever had their data deleted and comes back is
// a new user, but no new person: neither is given again.

import { post } from '../../ledger/ledger.ts'
import { welcome } from '../../ledger/moves.ts'
import { setReferrer } from '../../ledger/referral.ts'
import { personOf, wasForgotten } from '../../users/person.ts'
import { setGreeted, type User } from '../../users/user.ts'
import type { BotDeps, Ctx } from '../context.ts'

const invitation = /^\/start(?:@\w+)? ref_([0-9a-z]{1,10})$/

export async function greetNewcomer(deps: BotDeps, ctx: Ctx, user: User): Promise<void> {
  await give(deps, ctx, user)
  await setGreeted(deps.db, user.id, deps.clock.now())
}

async function give(deps: BotDeps, ctx: Ctx, { id, telegramId }: User): Promise<void> {
  const { db, clock, welcomeCredit } = deps
  if (telegramId === null || (await wasForgotten(db, personOf(ctx.api.token, telegramId)))) return
  if (welcomeCredit > 0n) await post(db, [welcome(id, welcomeCredit)], clock.now())
  const [, code] = invitation.exec(ctx.message?.text ?? '') ?? []
  if (code) await setReferrer(db, id, code)
}
