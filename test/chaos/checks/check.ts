// The input and the output of a check.

import type { Books } from '../books/index.ts'
import type { Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
import type { Question, Stop } from '../model/answers.ts'
import type { PromoCode } from '../model/gifts.ts'
import type { Preset, PresetUse } from '../model/presets.ts'
import type { TextModel } from '../model/rates.ts'
import type { Rewriting } from '../model/rewriting.ts'
import type { Chats } from '../users/chats.ts'
import type { Desk } from '../users/desk.ts'
import type { Invitation } from '../users/gifts.ts'
import type { Group } from '../users/groups.ts'
import type { SentAgain } from '../users/history.ts'
import type { OrderBook } from '../users/orders.ts'
import type { OriginalsAsked } from '../users/originals.ts'
import type { Payment } from '../users/payments.ts'
import type { Withdrawal } from '../users/withdrawing.ts'
import type { Ordered } from './ordered.ts'
import type { Accounts, Task } from './tasks.ts'

export interface Violation {
  readonly check: string
  /** The subject of the history to print: an order's mark, a person, a charge. */
  readonly about: string
  readonly fact: string
}

/** The final state of everything that checks compare. */
export interface Evidence {
  readonly database: RunDatabase
  readonly chats: Chats
  readonly book: OrderBook
  readonly questions: readonly Question[]
  /** Prompts that a text model had to translate. */
  readonly translations: readonly Rewriting[]
  readonly payments: readonly Payment[]
  /** Payments that were declined at YooKassa; the amounts are in kopecks. */
  readonly declined: readonly { readonly person: number; readonly credit: number }[]
  /** The books of the payment providers. */
  readonly books: Books
  readonly desk: Desk
  /** Everybody but operators. */
  readonly people: ReadonlySet<number>
  readonly groups: readonly Group[]
  readonly sentAgain: readonly SentAgain[]
  readonly originalsAsked: readonly OriginalsAsked[]
  readonly stops: readonly Stop[]
  readonly withdrawals: readonly Withdrawal[]
  readonly presetBook: { readonly presets: readonly Preset[]; readonly uses: readonly PresetUse[] }
  readonly promoCodes: readonly (PromoCode & { readonly redeemers: ReadonlySet<number> })[]
  /** By the friend who came. */
  readonly invitations: ReadonlyMap<number, Invitation>
  /** What the bot said to `/balance` at the end, and to owners of wallets to `/wallet` under the id of the group, in kopecks. */
  readonly balances: ReadonlyMap<number, number>
  /** Kopecks. */
  readonly welcomeCredit: number
  /** What a person may spend in a day, in kopecks. */
  readonly cap: number
  /** The reasons in the log of what operators did. */
  readonly operatorReasons: readonly string[]
  /** The generations of the database. */
  readonly ordered: readonly Ordered[]
  /** The books of the gateway. */
  readonly accounts: Accounts
  /** Its tasks. */
  readonly tasks: readonly Task[]
  /** As the operator has described them. */
  readonly textModels: readonly TextModel[]
  /** The folder of the log files. */
  readonly logs: string
  readonly journal: Journal
  /** Marks of the commands whose updates were set aside and retried at the end. */
  readonly retried: ReadonlySet<string>
  /** Whose updates these are. */
  readonly retriedOf: ReadonlySet<number>
}

export interface Check {
  readonly name: string
  find(evidence: Evidence): Promise<readonly Omit<Violation, 'check'>[]> | readonly Omit<Violation, 'check'>[]
}

/** What may let a lease expire while its process works on, as counters of the journal. */
export const leasesMayExpire = /^process( ended)?: |^fault: database|^machine: was too slow/
