// The money that owners moved between their balances and the wallets of their groups.

import type { Entry } from '../model/balances.ts'
import { movesOf, type WalletFacts } from '../model/wallets.ts'
import type { Evidence } from './check.ts'

export const walletsOf = ({ groups, chats, desk }: Evidence): readonly WalletFacts[] =>
  groups.map(({ id, owner, moves }) => ({
    id,
    owner,
    moves,
    mayBeEmptied: desk.refundedPayers.has(owner),
    answerTo: (tap) => chats.of(owner).answers.get(tap),
  }))

export const movesBetween = (evidence: Evidence): readonly Entry[] => walletsOf(evidence).flatMap(movesOf)
