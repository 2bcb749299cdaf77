// Decides which failures a retry of the update can solve; for all others the user gets an apology.

import { HttpError } from 'grammy'
import type { Update } from 'grammy/types'
import { isOutage } from '../db/outage.ts'
import { LeaseLost } from '../runtime/lease-lost.ts'
import { isAboutMoney } from '../updates/lanes.ts'

export const isRetried = (update: Update, error: unknown): boolean =>
  isAboutMoney(update) || isOutage(error) || isLeaseLost(error)

/** A lost lease means that another process may be handling the same update. */
const isLeaseLost = (error: unknown): boolean =>
  error instanceof HttpError && error.error instanceof LeaseLost
