// A user of the sandbox for scenarios: `await anna.sends('/video a cat')`, `await anna.taps(/Generate/)`, `await anna.sees(/Done/)`. The
// user reads the chat and waits for its events instead of sleeping.

import type { Message, MessageEntity } from 'grammy/types'
import { request } from 'undici'

export interface SandboxMessage extends Omit<Message, 'reply_markup'> {
  reply_markup?: {
    inline_keyboard?: { text: string; callback_data?: string; url?: string }[][]
    keyboard?: (string | { text: string })[][]
  }
}
type Label = string | RegExp
export type Wanted = string | RegExp | ((message: SandboxMessage) => boolean)
/** A draft: a text that the bot is still writing, which is not a message yet. */
interface SandboxDraft {
  draft_id: number
  /** Empty while the bot is thinking. */
  text: string
  entities: MessageEntity[]
  message_thread_id?: number
  can_stop?: true
}
type WantedDraft = string | RegExp | ((draft: SandboxDraft) => boolean)
export type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }
interface TapResult {
  callback_query_id?: string
  url?: string
}
interface CallbackAnswer {
  callback_query_id: string
  text?: string
  show_alert?: boolean
}
interface InlineAnswer {
  query_id: string
  results: { id: string; type: string; title: string; description?: string }[]
  next_offset: string
  button?: { text: string; start_parameter: string }
}
export interface FileToSend {
  kind?: string
  name: string
  /** The MIME type stated by the sender's client; by default the type of the bytes and the name. */
  mime?: string
  bytes: Uint8Array
}

/** Where a text is sent: fields of the users' API (src/sandbox/users). */
interface PlaceToWrite {
  reply_to?: number
  reply_chat?: number
  quote?: string
  thread_id?: number
  forwarded_from?: number
  via_bot?: string
  album?: string
}

/** How long a user waits for a message: longer than a loaded machine needs for a result, shorter than the time limit of a test. */
const usualTimeoutMs = Number(process.env.TEST_WAIT_MS ?? 60_000)

class CallRefused extends Error {
  readonly status: number
  constructor(address: string, status: number, text: string) {
    super(`${address}: ${status} ${text}`)
    this.status = status
  }
}

/**
 * Calls the users' API by undici's `request`: `fetch` takes four times the processor time, and a test run makes tens of thousands of
 * calls.
 */
async function call<T>(address: string, given?: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(given) } as const
  const { statusCode, body } = await request(address, given === undefined ? {} : init)
  const text = await body.text()
  if (statusCode < 200 || statusCode > 299) throw new CallRefused(address, statusCode, text)
  // Amounts contain no-break spaces, which tests write as ordinary spaces.
  const answer: T = JSON.parse(text.replaceAll('\u00a0', ' '))
  return answer
}

// A number at the end of the wanted words is a whole one: `₽500` does not fit `₽500.28`.

const endsInNumber = (source: string) => /(?<!\\)\d$/.test(source)

function fits(text: string, wanted: string | RegExp): boolean {
  if (typeof wanted === 'string')
    return text
      .split(wanted)
      .slice(1)
      .some((rest) => !endsInNumber(wanted) || !/^[.,]?\d/.test(rest))
  const { source, flags } = wanted
  return (endsInNumber(source) ? new RegExp(`(?:${source})(?![.,]?\\d)`, flags) : wanted).test(text)
}

const isLabel = (label: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? label === wanted : fits(label, wanted)

export const textOf = (message: SandboxMessage): string => message.text ?? message.caption ?? ''

export const labelsOf = ({ reply_markup }: SandboxMessage): string[] => [
  ...(reply_markup?.inline_keyboard?.flat() ?? []).map((button) => button.text),
  ...(reply_markup?.keyboard?.flat() ?? []).map((button) =>
    typeof button === 'string' ? button : button.text,
  ),
]

const mediaOf = (message: SandboxMessage): string => {
  const kinds = [
    'photo',
    'video',
    'animation',
    'audio',
    'voice',
    'document',
    'invoice',
    'successful_payment',
  ] as const
  const kind = kinds.find((one) => message[one])
  return kind ? `<${kind}> ` : ''
}

/** The messages of a chat as text. */
export function transcript(messages: readonly SandboxMessage[]): string {
  return messages
    .map((message) => {
      const buttons = labelsOf(message).map((label) => ` [${label}]`)
      return `${message.from?.first_name}: ${mediaOf(message)}${textOf(message)}${buttons.join('')}`
    })
    .join('\n')
}

function matches(message: SandboxMessage, wanted: Wanted): boolean {
  if (typeof wanted === 'function') return wanted(message)
  // A pattern matches only messages of the bot, not the user's own.
  return message.from?.is_bot === true && fits(textOf(message), wanted)
}

/** The callback data of the button with this label, for a tap that comes late or twice. */
export const dataOf = ({ reply_markup }: SandboxMessage, label: string | RegExp): string =>
  reply_markup?.inline_keyboard?.flat().find(({ text }) => isLabel(text, label))?.callback_data ?? ''

/** An empty draft is shown as "Thinking…". */
const showsDraft = (draft: SandboxDraft, wanted: WantedDraft): boolean =>
  typeof wanted === 'function' ? wanted(draft) : fits(draft.text || 'Thinking…', wanted)

/** @param api the address of the users' API */
function actor(api: string, id: number, chatId: number) {
  const at = (path: string) => `${api}/chats/${chatId}/${path}`
  const chat = () => call<SandboxMessage[]>(at('messages'))
  const drafts = () => call<SandboxDraft[]>(at('drafts'))
  const allDrafts = () => call<SandboxDraft[]>(at('drafts?gone=true'))
  const answers = () => call<CallbackAnswer[]>(at('answers'))

  /** Calls `look` now and after each event of the chat until it returns a value. */
  async function until<T>(look: () => Promise<T | undefined>, what: string, timeoutMs: number): Promise<T> {
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const events = await request(at('events'), { signal })
      // All events that came during a call of `look` are read together.
      for await (const _ of events.body) {
        const found = await look()
        if (found !== undefined) return found
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      ended.abort('seen')
    }
    throw new Error(`${what} was not seen in ${timeoutMs} ms. The chat shows:\n${transcript(await chat())}`)
  }

  async function newestWith(label: string | RegExp) {
    for (const message of (await chat()).reverse()) {
      const text = labelsOf(message).find((one) => isLabel(one, label))
      if (text !== undefined) return { message_id: message.message_id, text }
    }
    return undefined
  }

  /** Undefined if no message has the button, or if the bot removes the message or the button before the tap. */
  async function tapNewest(label: string | RegExp): Promise<TapResult | undefined> {
    const button = await newestWith(label)
    if (!button) return undefined
    return call<TapResult>(at('taps'), { from: id, ...button }).catch((error: unknown) => {
      if (error instanceof CallRefused && error.status === 404) return undefined
      throw error
    })
  }

  const send = (text: string, place: PlaceToWrite = {}) =>
    call<SandboxMessage>(at('messages'), { from: id, text, ...place })
  function sendFile({ bytes, ...file }: FileToSend, caption = '', place: PlaceToWrite = {}) {
    const base64 = Buffer.from(bytes).toString('base64')
    return call<SandboxMessage>(at('messages'), { from: id, file: { ...file, base64 }, caption, ...place })
  }

  const tap = (label: Label, timeoutMs = usualTimeoutMs): Promise<TapResult> =>
    until(() => tapNewest(label), `a button ${label}`, timeoutMs)

  async function tapsAll(...labels: Label[]): Promise<void> {
    for (const label of labels) await tap(label)
  }

  const sees = (wanted: Wanted, timeoutMs = usualTimeoutMs): Promise<SandboxMessage> =>
    until(
      async () => (await chat()).findLast((message) => matches(message, wanted)),
      String(wanted),
      timeoutMs,
    )

  const isTold = (wanted: string | RegExp, timeoutMs = usualTimeoutMs) =>
    until(
      async () => (await answers()).findLast((answer) => fits(answer.text ?? '', wanted)),
      `an answer ${wanted}`,
      timeoutMs,
    )

  /** Waits for a message of the bot below this one. */
  const seesBelow = ({ message_id: above }: { message_id: number }, wanted: Wanted) =>
    until(
      async () =>
        (await chat()).findLast(
          (one) => one.message_id > above && one.from?.is_bot === true && matches(one, wanted),
        ),
      `${wanted} below message ${above}`,
      usualTimeoutMs,
    )

  return {
    id,
    chatId,
    chat,
    seesBelow,
    /** Sends a text, and waits for what the bot says below it. */
    asks: async (text: string, wanted: Wanted, place: PlaceToWrite = {}) =>
      seesBelow(await send(text, place), wanted),
    /** Sends a file with this caption, and waits for what the bot says below it. */
    attaches: async (file: FileToSend, caption: string, wanted: Wanted, place: PlaceToWrite = {}) =>
      seesBelow(await sendFile(file, caption, place), wanted),
    /** The first line of the answer to /balance. */
    async balance(): Promise<string> {
      const { text = '' } = await seesBelow(await send('/balance'), /^(Balance|Баланс): /)
      return text.replace(/^\S+ /, '').split('\n', 1).join()
    },
    /** Taps buttons one after the other, each on the newest message that has it. */
    tapsAll,
    /** Sends a text, and taps buttons one after the other. */
    async opens(text: string, ...labels: Label[]): Promise<void> {
      await send(text)
      await tapsAll(...labels)
    },
    /** Taps a button, or several, and waits for a message with this text. */
    async tapsFor(labels: Label | readonly Label[], wanted: Wanted): Promise<SandboxMessage> {
      await tapsAll(...[labels].flat())
      return sees(wanted)
    },
    /** The same user in another chat. */
    in: (otherChatId: number) => actor(api, id, otherChatId),
    sends: send,
    sendsFile: sendFile,
    /** Sends a message with other content, such as `{ rich_message }` or `{ contact }`, in the fields of the Bot API. */
    sendsContent: (content: object, place: PlaceToWrite = {}) =>
      call<SandboxMessage>(at('messages'), { from: id, content, ...place }),
    /** Replaces the text or the caption of a message, or its whole content. */
    edits: (message: { message_id: number }, changed: string | object) =>
      call<SandboxMessage>(at('edits'), {
        from: id,
        message_id: message.message_id,
        ...(typeof changed === 'string' ? { text: changed } : { content: changed }),
      }),
    /** Taps the button with this label on the newest message that has it, waiting for one to appear. */
    taps: tap,
    /** Taps with any callback data, for outdated buttons and forged data. */
    tapsData: (messageId: number, data: string) =>
      call<TapResult>(at('taps'), { from: id, message_id: messageId, data }),
    pays: ({ message_id }: { message_id: number }) =>
      call<PaymentResult>(at('payments'), { from: id, message_id }),
    /** Changes the status of the bot or of a user in a group, in the fields of the Bot API. */
    setsMember: (user_id: number, member: object) =>
      call<unknown>(at('members'), { from: id, user_id, member }),
    /** Removes the bot from the group. */
    async removesBot() {
      const bot = await call<{ id: number }>(`${api}/bot`)
      return call<unknown>(at('members'), { from: id, user_id: bot.id, member: { status: 'left' } })
    },
    /** Types `@bot query` in the chat. */
    asksInline: (query: string, offset = '') =>
      call<InlineAnswer>(at('inline'), { from: id, query, ...(offset ? { offset } : {}) }),
    /** Sends one result of an inline query into the chat. */
    chooses: ({ query_id }: InlineAnswer, result_id: string) =>
      call<SandboxMessage>(at('choices'), { from: id, query_id, result_id }),
    blocks: (blocked = true) => call<unknown>(at('block'), { from: id, blocked }),
    /** Waits for a matching message and returns the newest: by text or caption of the bot's messages, or by a function for any message. */
    sees,
    /** Waits for a message with this button and returns the newest. */
    seesButton: (label: string | RegExp, timeoutMs = usualTimeoutMs) =>
      until(
        async () =>
          (await chat()).findLast((message) => labelsOf(message).some((one) => isLabel(one, label))),
        `a button ${label}`,
        timeoutMs,
      ),
    /** The drafts that the chat shows now. */
    drafts,
    /** Waits for a matching draft and returns its newest state; the chat may have removed it since. */
    seesDraft: (wanted: WantedDraft, timeoutMs = usualTimeoutMs) =>
      until(
        async () => (await allDrafts()).findLast((draft) => showsDraft(draft, wanted)),
        `a draft ${wanted}`,
        timeoutMs,
      ),
    /** Waits for this draft, or any draft, to have the button Stop, and presses it. */
    async stops(wanted?: { draft_id: number }, timeoutMs = usualTimeoutMs): Promise<SandboxDraft> {
      const isWanted = (draft: SandboxDraft) => !wanted || draft.draft_id === wanted.draft_id
      // The draft that was found may be gone when the button is pressed: a long answer goes on in another one.
      const press = async () => {
        const found = (await drafts()).findLast((draft) => draft.can_stop && isWanted(draft))
        if (!found) return undefined
        const pressed = call<SandboxDraft>(at('stop'), { from: id, draft_id: found.draft_id })
        return pressed.catch((error) => (error instanceof CallRefused ? undefined : Promise.reject(error)))
      }
      return until(press, 'a draft with a Stop button', timeoutMs)
    },
    /** The answers and alerts that answered taps so far. */
    answers,
    /** Waits for a tap to be answered with this answer or alert. */
    isTold,
    /** Taps a button, and waits for this answer or alert. */
    async hears(label: Label, told: string | RegExp): Promise<void> {
      await tap(label)
      await isTold(told)
    },
    transcript: async () => transcript(await chat()),
  }
}

export type SandboxUser = ReturnType<typeof actor>

export async function createUser(
  baseUrl: string,
  facts: { first_name: string; language_code?: string; username?: string; id?: number },
): Promise<SandboxUser> {
  const { id } = await call<{ id: number }>(`${baseUrl}/api/users`, facts)
  return actor(`${baseUrl}/api`, id, id)
}
