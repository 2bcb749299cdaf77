// The address of a PostgreSQL server as people write it.

/** Encodes percent signs that stand for themselves: a password like `50%` is no error. */
export const withLiteralPercents = (url: string): string => url.replaceAll(/%(?![\da-f]{2})/gi, '%25')
