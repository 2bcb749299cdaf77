// Telegram's limit for the text of a message.

/** UTF-16 units, after parsing. */
export const messageLimit = 4096
