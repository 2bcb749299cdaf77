// The interface of payment providers: how the environment configures one, what a top-up costs, how a user is asked to pay, and how money
// is refunded. Each provider has a folder and an entry in providers.ts.

import { z } from 'zod'
import { decimal, type Fraction, type Kopecks } from '../money.ts'
import { whenValid } from '../runtime/env-values.ts'

export interface ProviderMethods {
  /** The amount that the user pays for this credit. */
  charge(credit: Kopecks): Charge
  readonly way: InvoiceWay | LinkWay
  /** Absent if money can be refunded only in the provider's own cabinet. */
  readonly refund?: (order: RefundOrder) => Promise<RefundOutcome>
  /** Absent if a part of a payment can be refunded only in the provider's own cabinet. */
  readonly refundPart?: (order: PartOrder) => Promise<RefundOutcome>
  /** Reads the provider's list of payments and refunds from this entry on; absent if the provider keeps no list. */
  readonly history?: (offset: number) => Promise<HistoryPage>
  readonly close?: () => Promise<void>
}

export interface Charge {
  readonly currency: string
  /** The amount in the currency's smallest unit. */
  readonly amount: bigint
}

export const inRoubles = (amount: Kopecks): Charge => ({ currency: 'RUB', amount })

/** Payment by an invoice in Telegram, which reports the payment in an update. */
export interface InvoiceWay {
  readonly by: 'invoice'
  /** Telegram's token for the provider; empty for Stars. */
  readonly token: string
  /** Parameters of `sendInvoice` for a fiscal receipt. */
  extras(charge: Charge, item: string): InvoiceExtras
}

export interface InvoiceExtras {
  readonly provider_data?: string
  readonly need_email?: boolean
  readonly send_email_to_provider?: boolean
}

/** Payment on a page of the provider. The provider's API tells whether the user has paid. */
export interface LinkWay {
  readonly by: 'link'
  /** A fiscal receipt is sent to an e-mail address. */
  readonly needsEmail?: boolean
  /**
   * Opens a payment. Repeated for one top-up while there is no answer: the same payment is opened, or another one, if nobody can have
   * learned the address of the page of the first.
   */
  open(order: LinkOrder): Promise<LinkOpened>
  read(externalId: string): Promise<LinkState>
  /** Asks whether the credentials are right; absent if reading an unknown payment tells that. */
  readonly check?: () => Promise<Answer<unknown>>
  /**
   * Reads a page of the refunds that were made since then, in the provider's cabinet too; absent if the provider keeps no list.
   * @param cursor `next` of the page before
   */
  readonly listRefunds?: (since: Date, cursor?: string) => Promise<RefundPage>
  /** The payment that a notification is about. Nothing else in a notification is trusted. */
  paymentIn(notice: Notice): NamedPayment | undefined
}

/** A notification as it arrived: from anybody. */
export interface Notice {
  /** The body, which a signature covers byte by byte. */
  readonly text: string
  /** @returns the value of the header; empty without it */
  readonly header: (name: string) => string
}

export interface NamedPayment {
  readonly externalId: string
  /** Whether the notification shows that its sender knows what only the provider was told. */
  readonly isProven: boolean
  /** The top-up to which the proof is limited; absent if it covers the whole notification. */
  readonly topUpId?: string
}

export interface LinkOrder {
  readonly topUpId: string
  readonly userId: bigint
  readonly charge: Charge
  /** Shown to the user on the page. */
  readonly description: string
  /** The item of the fiscal receipt. */
  readonly item: string
  readonly email: string | null
}

export interface Failure {
  /** `unavailable`: there was no usable answer, so the provider may have done what was asked. */
  readonly is: 'unavailable' | 'refused'
  /** The provider's text, for the log. */
  readonly said: string
}

/** What an API answers. */
export type Answer<T> = { readonly is: 'answer'; readonly value: T } | Failure

export type LinkOpened =
  | {
      readonly is: 'open'
      readonly externalId: string
      readonly url: string
      /** How long the payment can be made. */
      readonly lifetimeMs: number
    }
  | Failure

export type LinkState =
  | { readonly is: 'pending' }
  | { readonly is: 'canceled' }
  | {
      readonly is: 'paid'
      readonly charge: Charge
      /** The top-up that the payment names; undefined if the provider repeats none, so that only the id of the payment tells it. */
      readonly topUpId: string | undefined
      /** How much of the charge was given back in all. */
      readonly refunded: bigint
    }
  | Failure

export type RefundPage =
  | {
      readonly is: 'page'
      /** The refunded payments. */
      readonly chargeIds: readonly string[]
      /** Undefined on the last page. */
      readonly next: string | undefined
    }
  | Failure

export interface RefundOrder {
  readonly chargeId: string
  readonly topUpId: string
  readonly charge: Charge
  /** The user's Telegram id; null when the user's data was deleted. */
  readonly telegramId: number | null
  /** The refund is idempotent within one attempt; after a refusal a new attempt begins. */
  readonly attempt: number
}

export interface PartOrder extends Pick<RefundOrder, 'chargeId' | 'topUpId'> {
  readonly part: Charge
  /** What was refunded of the charge before: of parts that name the same sum only one is refunded. */
  readonly before: bigint
}

export type RefundOutcome = { readonly is: 'done' } | Failure

interface HistoryPage {
  /** Entries of this page, ours or not; fewer than `pageSize` means that it is the last page. */
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

/** The dependencies that a provider gets when it is created. */
export interface ProviderContext {
  /** The VAT code of fiscal receipts (54-FZ); undefined sends no receipts. */
  readonly vatCode: number | undefined
  /** The address to which a page of the provider sends the user after paying. */
  readonly returnUrl: () => string
  readonly starAccount: StarAccount
}

/** The bot's account of Telegram Stars. It is passed in, since this room does not know the Bot API. */
export interface StarAccount {
  refund(telegramId: number, chargeId: string): Promise<RefundOutcome>
  /** A page of the transactions, in chronological order; entries never change their places. */
  transactions(offset: number): Promise<HistoryPage>
}

/** What the smallest unit of the charge is worth, in kopecks. */
interface Worth {
  /** What it credits to the user. */
  readonly credit: Fraction
  /** What the operator gets of it after commissions; undefined when the settings do not say. */
  readonly income: Fraction | undefined
}

const percent = 'write a commission in percent, from 0 to 99.99, like 3.5'

export const commission = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, percent)
  .optional()

/** The worth of kopecks that are credited as they are. @param taken the commission in percent */
export function worthOfKopecks(taken: string | undefined): Worth {
  const credit = decimal(1)
  if (taken === undefined) return { credit, income: undefined }
  const { num, den } = decimal(taken)
  return { credit, income: { num: 100n * den - num, den: 100n * den } }
}

/** A check that both of two credentials are given, or neither. */
export function bothOrNeither(credentials: z.ZodObject) {
  const [first = '', second = ''] = Object.keys(credentials.shape)
  const isWhole = (value: Readonly<Record<string, unknown>>) =>
    (value[first] === undefined) === (value[second] === undefined)
  const error = `write both ${first} and ${second}, or neither`
  return z.refine<Readonly<Record<string, unknown>>>(isWhole, {
    path: [second],
    error,
    when: whenValid(first, second),
  })
}

/** A provider whose settings are complete. */
export interface Configured {
  readonly worth: Worth
  /** These values must not appear in any log or text. */
  readonly secrets: readonly string[]
  create(context: ProviderContext): ProviderMethods
}

export interface ProviderKind {
  /** The currency of its invoices in Telegram, whose reports name no provider; absent without invoices. */
  readonly invoiceCurrency?: string
  /** The smallest credit for which the provider can be paid; absent if it takes every amount. */
  readonly minCredit?: Kopecks
  /** Reads the provider's own variables; undefined when they do not switch it on. */
  readonly environment: z.ZodType<Configured | undefined> & { readonly in: z.ZodObject }
}
