// Updates about simulated people in their private chats.

export interface Updates {
  /** @param person a number from 0 */
  says(person: number, text: string): string
  taps(person: number, data: string): string
}

/** The Telegram id of the first person; the others follow. */
export const firstPerson = 1_000_000

const personOf = (n: number) => ({
  id: firstPerson + n,
  is_bot: false,
  first_name: 'P',
  language_code: 'en',
})
const chatOf = (n: number) => ({ id: firstPerson + n, type: 'private', first_name: 'P' })

export function createUpdates(): Updates {
  let last = 0
  const messageOf = (n: number, text: string) => {
    const [command] = /^\/\w+/.exec(text) ?? []
    const entities = command ? [{ type: 'bot_command', offset: 0, length: command.length }] : []
    return { message_id: 10 + last, date: 1, chat: chatOf(n), from: personOf(n), text, entities }
  }
  const update = (content: object): string => {
    last += 1
    return JSON.stringify({ update_id: last, ...content })
  }
  return {
    says: (n, text) => update({ message: messageOf(n, text) }),
    taps(n, data) {
      const card = { message_id: 7, date: 1, chat: chatOf(n), text: 'card' }
      return update({
        callback_query: { id: String(last), from: personOf(n), chat_instance: '1', message: card, data },
      })
    },
  }
}
