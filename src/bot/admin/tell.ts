// Telling a user what an operator did for them, in their language; and every operator in theirs.

import type { Api } from 'grammy'
import type { Database } from '../../db/client.ts'
import type { Generation } from '../../generations/generation.ts'
import type { Log } from '../../runtime/log.ts'
import { sendInto } from '../../telegram/send-into.ts'
import { homeLocale, type Say, type Texts } from '../../texts.ts'
import { findByTelegram, findUser } from '../../users/user.ts'

export interface TellDeps {
  readonly api: Api
  readonly db: Database
  readonly texts: Texts
  readonly log: Log
}

type Words = (say: Say) => string

/** @returns false when they can not be reached */
export async function tellUser(deps: TellDeps, userId: bigint, words: Words): Promise<boolean> {
  const user = await findUser(deps.db, userId)
  const to = user?.telegramId
  if (!to) return false
  const text = words(deps.texts(user.locale))
  return isSent(deps, () => deps.api.sendMessage(to, text, { parse_mode: 'HTML' }))
}

/** In the chat and topic where it was ordered. */
export async function tellAbout(deps: TellDeps, generation: Generation, words: Words): Promise<boolean> {
  const user = await findUser(deps.db, generation.userId)
  if (!user?.telegramId) return false
  const text = words(deps.texts(user.locale))
  return isSent(deps, () =>
    sendInto(generation, (into) =>
      deps.api.sendMessage(generation.chatId, text, { ...into, parse_mode: 'HTML' }),
    ),
  )
}

/** @returns false when none of them could be told */
export async function tellOperators(deps: TellDeps, ids: readonly number[], words: Words): Promise<boolean> {
  const told = ids.map(async (id) => {
    const locale = (await findByTelegram(deps.db, id))?.locale ?? homeLocale
    const text = words(deps.texts(locale))
    return isSent(deps, () => deps.api.sendMessage(id, text, { parse_mode: 'HTML' }))
  })
  return (await Promise.all(told)).some(Boolean)
}

async function isSent({ log }: TellDeps, send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    log.warn({ error }, 'somebody could not be told')
    return false
  }
}
