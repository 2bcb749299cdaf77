// Reasons that the app itself writes into transfers and into the log of operators' actions. They are stored as codes, so that each reader
// sees them in their own language. A reason that an operator has typed is stored and shown unchanged.

const keys = ['refund-lost', 'refund-unsent', 'refund-by-report', 'refund-refused'] as const
/** A built-in reason, named by the key of its text. */
export type BuiltIn = (typeof keys)[number]

/** The stored form of a built-in reason. */
export const builtIn = (key: BuiltIn): string => `#${key}`

/** @param isText whether these words are the text of the reason in some language: earlier versions stored the text */
export const builtInOf = (
  stored: string,
  isText: (key: BuiltIn, stored: string) => boolean,
): BuiltIn | undefined => keys.find((key) => stored === builtIn(key) || isText(key, stored))
