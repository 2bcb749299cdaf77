// Telegram's error answer: a code, a description, sometimes parameters. It is thrown, because the checks are at any depth (a
// button in a keyboard in an album) and the answer is sent in one place.

interface RefusalParameters {
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

/** @param text the description without its prefix: `refuse('chat not found')` answers `Bad Request: chat not found` */
export function refuse(text: string, code = 400): never {
  throw new Refusal(code, (prefixes[code] ?? '') + text)
}
