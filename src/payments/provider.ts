// A way to pay: what a top-up costs through it, how a person is asked to pay, and how the money goes back. One file a
// provider, same shape; a provider whose settings are missing is not made at all.

import type { Kopecks } from '../money.ts'

export type ProviderId = 'stars' | 'telegram-rub' | 'yookassa'

export interface Charge {
  readonly currency: string
  /** In the currency's smallest unit. */
  readonly amount: bigint
}

export interface Provider {
  readonly id: ProviderId
  /** What must be paid for this credit. */
  charge(credit: Kopecks): Charge
  readonly way: InvoiceWay | LinkWay
  /** Absent where money is given back only in the provider's own cabinet. */
  readonly refund?: (order: RefundOrder) => Promise<RefundOutcome>
  /** Everything that was ever paid and refunded, where the provider keeps a list of it. */
  readonly history?: (offset: number) => Promise<HistoryPage>
  readonly close?: () => Promise<void>
}

/** Paid by an invoice inside of Telegram, which tells of the payment by itself. */
export interface InvoiceWay {
  readonly by: 'invoice'
  /** Telegram's token for the provider; empty for Stars. */
  readonly token: string
  /** What the invoice says besides, for a fiscal receipt: parameters of `sendInvoice`. */
  extras(charge: Charge, item: string): InvoiceExtras
}

export interface InvoiceExtras {
  readonly provider_data?: string
  readonly need_email?: boolean
  readonly send_email_to_provider?: boolean
}

/** Paid on a page of the provider's, and read from its API. */
export interface LinkWay {
  readonly by: 'link'
  /** A fiscal receipt needs an address to go to. */
  readonly needsEmail: boolean
  /** May be repeated: the same top-up is the same payment. */
  open(order: LinkOrder): Promise<LinkOpened>
  read(externalId: string): Promise<LinkState>
  /** Which payment a notice is about; nothing else in it is believed. */
  noticed(body: unknown): string | undefined
}

export interface LinkOrder {
  readonly topUpId: string
  readonly charge: Charge
  /** What the person reads on the page. */
  readonly description: string
  /** What the fiscal receipt names. */
  readonly item: string
  readonly email: string | null
}

/** `said` is foreign text, for the log. */
export type Failure =
  /** No answer, or none that counts: it may have been done. */
  { readonly is: 'unavailable'; readonly said: string } | { readonly is: 'refused'; readonly said: string }

export type LinkOpened =
  | { readonly is: 'open'; readonly externalId: string; readonly url: string; readonly expiresAt: Date }
  | Failure

export type LinkState =
  | { readonly is: 'pending' }
  | { readonly is: 'canceled'; readonly reason: string }
  | {
      readonly is: 'paid'
      readonly charge: Charge
      /** The top-up the payment says it is for. */
      readonly topUpId: string
      readonly refunded: bigint
    }
  | Failure

export interface RefundOrder {
  readonly chargeId: string
  readonly topUpId: string
  readonly charge: Charge
  /** Null for a person who asked to be forgotten. */
  readonly telegramId: number | null
  /** Repeating an attempt is doing it once; a new one follows a refusal. */
  readonly attempt: number
}

export type RefundOutcome = { readonly is: 'done' } | Failure

export interface HistoryPage {
  /** How many entries this page has, ours or not; fewer than `pageSize` is the last. */
  readonly count: number
  readonly movements: readonly Movement[]
}

export const pageSize = 100

export interface Movement {
  readonly is: 'paid' | 'refunded'
  readonly chargeId: string
  readonly topUpId: string
  readonly telegramId: number
  readonly charge: Charge
}
