// What Telegram answers when it refuses: a code, a text, sometimes parameters. It is thrown, because a method can be
// refused at any depth (a button inside a keyboard inside an album) and is always answered in one place.

export interface RefusalParameters {
  retry_after?: number
  migrate_to_chat_id?: number
}

const prefixes: Readonly<Record<number, string>> = {
  400: 'Bad Request: ',
  403: 'Forbidden: ',
  404: 'Not Found: ',
  409: 'Conflict: ',
}

export class Refusal extends Error {
  readonly code: number
  readonly parameters: RefusalParameters | undefined

  constructor(code: number, description: string, parameters?: RefusalParameters) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

/** Refuses with Telegram's text, without its prefix: `refuse('chat not found')` says `Bad Request: chat not found`. */
export function refuse(text: string, code = 400): never {
  throw new Refusal(code, (prefixes[code] ?? '') + text)
}
