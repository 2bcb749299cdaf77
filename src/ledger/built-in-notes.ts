// Reasons that the app itself writes into transfers and into the log of operators' actions. They are stored as codes: whoever reads one
// reads it in their own language. What an operator has typed is stored and shown as it is.

const keys = ['refund-lost', 'refund-unsent', 'refund-by-report', 'refund-refused'] as const
/** The key of its text. */
export type BuiltIn = (typeof keys)[number]

/** As it is stored. */
export const builtIn = (key: BuiltIn): string => `#${key}`

/** @param isText whether these words are the text of the reason in some language: earlier versions stored the text */
export const builtInOf = (
  stored: string,
  isText: (key: BuiltIn, stored: string) => boolean,
): BuiltIn | undefined => keys.find((key) => stored === builtIn(key) || isText(key, stored))
