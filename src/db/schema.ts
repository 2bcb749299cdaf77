// All tables, by subject.

export type * from './schema/answer-parts.ts'
export * from './schema/artifacts.ts'
export * from './schema/conversations.ts'
export * from './schema/money.ts'
export * from './schema/notices.ts'
export * from './schema/operators.ts'
export * from './schema/orders.ts'
export * from './schema/people.ts'
export * from './schema/presets.ts'
export * from './schema/updates.ts'
