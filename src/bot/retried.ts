// Decides which failures a retry of the update can solve; for all others the user gets an apology.

import { HttpError } from 'grammy'
import type { Update } from 'grammy/types'
import { isOutage } from '../db/outage.ts'
import { LeaseLost } from '../runtime/queue-worker.ts'
import { maySucceedLater } from '../telegram/errors.ts'
import { isAboutMoney } from '../updates/inbox.ts'

/** An update whose lease was lost is retried as well: another process may be handling it. */
export const isRetried = (update: Update, error: unknown): boolean =>
  isAboutMoney(update) || isOutage(error) || maySucceedLater(error)

/** Telegram does not answer, while this process may go on with the update. */
export const isTelegramAway = (error: unknown): boolean =>
  maySucceedLater(error) && !(error instanceof HttpError && error.error instanceof LeaseLost)
