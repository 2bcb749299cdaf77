// A text too long for one message (Telegram splits at 4096) comes as a file. The file's address carries the bot token, so
// neither it nor an error about it leaves this function.

import { request } from 'undici'

/** A long prompt in any script; what is longer is not a prompt. */
export const textFileLimit = 64 * 1024

interface Source {
  readonly apiRoot: string
  readonly token: string
  readonly filePath: string
}

/** Undefined when it can not be read or is not UTF-8 text. */
export async function readTextFile({ apiRoot, token, filePath }: Source): Promise<string | undefined> {
  try {
    const answer = await request(`${apiRoot}/file/bot${token}/${filePath}`, {
      signal: AbortSignal.timeout(20_000),
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (answer.statusCode !== 200 || bytes.length > textFileLimit) return undefined
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
