// All tables, by subject.

export * from './schema/conversations.ts'
export * from './schema/money.ts'
export * from './schema/operators.ts'
export * from './schema/orders.ts'
export * from './schema/updates.ts'
