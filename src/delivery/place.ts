// Sending into the chat and topic an order came from, hours later too: a topic that is gone is no reason to lose a result.

import { GrammyError } from 'grammy'
import type { DeliveryOutcome } from '../generations/generation.ts'

interface Place {
  readonly chatId: number
  readonly threadId: number | null
}

interface Into {
  readonly message_thread_id?: number
}

/** Calls `send` with the topic, and once more without it when the topic is gone. */
export async function sendInto<T>(place: Place, send: (into: Into) => Promise<T>): Promise<T> {
  if (place.threadId === null) return send({})
  try {
    return await send({ message_thread_id: place.threadId })
  } catch (error) {
    if (error instanceof GrammyError && /message thread not found/.test(error.description)) return send({})
    throw error
  }
}

/** What a failed send means for the next one. */
export function outcomeOf(error: unknown): DeliveryOutcome {
  if (!(error instanceof GrammyError)) return { ok: false, retry: true }
  const { error_code: code, parameters } = error
  if (code === 429) return { ok: false, retry: true, afterMs: (parameters.retry_after ?? 1) * 1000 }
  return { ok: false, retry: code >= 500 }
}
