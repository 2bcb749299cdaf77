// Column types that all tables share. Amounts are kopecks (bigint); times are set by the app's clock.

import { bigint, snakeCase, timestamp } from 'drizzle-orm/pg-core'

export const table = snakeCase.table
export const id = () => bigint({ mode: 'bigint' })
export const kopecks = () => bigint({ mode: 'bigint' })
export const time = () => timestamp({ withTimezone: true, mode: 'date' })
export const telegramId = () => bigint({ mode: 'number' })
export const seed = () => bigint({ mode: 'number' })
