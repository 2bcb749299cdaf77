// Database addresses as operators write them.

/** Encodes percent signs that begin no escape sequence, so that a password like `50%` is valid. */
export const withLiteralPercents = (url: string): string => url.replaceAll(/%(?![\da-f]{2})/gi, '%25')
