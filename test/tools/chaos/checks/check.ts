// The input and the output of a check.

import type { Books } from '../books/index.ts'
import type { Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'
import type { Question, Rewriting, Stop, TextModel } from '../model/answers.ts'
import type { PromoCode } from '../model/balances.ts'
import type { Preset, PresetUse } from '../model/presets.ts'
import type { Chats } from '../users/chats.ts'
import type { Invitation } from '../users/gifts.ts'
import type { OriginalsAsked, SentAgain, Withdrawal } from '../users/history.ts'
import type { Desk } from '../users/operating.ts'
import type { OrderBook } from '../users/ordering.ts'
import type { Payment } from '../users/paying.ts'
import type { Group } from '../users/wallets.ts'
import type { Accounts, Ordered, Task } from './tasks.ts'

export interface Violation {
  readonly check: string
  /** The subject whose history is printed: the mark of an order, a person, a charge. */
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
  /** All people except operators. */
  readonly people: ReadonlySet<number>
  readonly groups: readonly Group[]
  readonly sentAgain: readonly SentAgain[]
  readonly originalsAsked: readonly OriginalsAsked[]
  readonly stops: readonly Stop[]
  readonly withdrawals: readonly Withdrawal[]
  readonly presetBook: { readonly presets: readonly Preset[]; readonly uses: readonly PresetUse[] }
  readonly promoCodes: readonly (PromoCode & { readonly redeemers: ReadonlySet<number> })[]
  /** Invitations by the invited friend. */
  readonly invitations: ReadonlyMap<number, Invitation>
  /** The amounts of the bot's answers at the end, in kopecks: to `/balance` by person, and to a wallet owner's `/wallet` by group id. */
  readonly balances: ReadonlyMap<number, number>
  /** In kopecks. */
  readonly welcomeCredit: number
  /** The most that a person may spend in a day, in kopecks. */
  readonly cap: number
  /** The reasons in the app's log of operator actions. */
  readonly operatorReasons: readonly string[]
  /** The generations of the database. */
  readonly ordered: readonly Ordered[]
  /** The books of the gateway. */
  readonly accounts: Accounts
  /** The tasks in the books of the gateway. */
  readonly tasks: readonly Task[]
  /** The text models as the operator's catalog describes them. */
  readonly textModels: readonly TextModel[]
  /** The folder of the log files. */
  readonly logs: string
  readonly journal: Journal
  /** Marks of the commands whose updates were set aside and retried at the end. */
  readonly retried: ReadonlySet<string>
  /** The people who sent the updates that were set aside and retried. */
  readonly retriedOf: ReadonlySet<number>
}

export interface Check {
  readonly name: string
  find(evidence: Evidence): Promise<readonly Omit<Violation, 'check'>[]> | readonly Omit<Violation, 'check'>[]
}

/** Journal counters of events that may let a lease expire while its process continues to work. */
export const leasesMayExpire = /^process( ended)?: |^fault: database|^machine: was too slow/
