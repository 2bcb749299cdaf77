// Telegram no longer accepts the token: it was replaced at @BotFather, or the bot was deleted. Waiting does not help.

import { GrammyError } from 'grammy'

/** The process must shut down; a new start says the same until the setting is corrected. */
export class TokenWithdrawn extends Error {
  override name = 'TokenWithdrawn'
  constructor(options: { readonly cause: unknown }) {
    super(
      'Telegram no longer accepts BOT_TOKEN: it was replaced at @BotFather, or the bot was deleted; write the present token and restart all processes',
      options,
    )
  }
}

export const isWithdrawn = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 401
