// The content that this process has last written into each status message, so that no edit is sent that changes nothing.

export interface ShownStatuses {
  isShown(message: StatusMessage, content: string): boolean
  setShown(message: StatusMessage, content: string): void
}

interface StatusMessage {
  readonly chatId: number
  readonly messageId: number
}

const mostKept = 2000

export function createShownStatuses(): ShownStatuses {
  const shown = new Map<string, string>()
  const keyOf = ({ chatId, messageId }: StatusMessage) => `${chatId}:${messageId}`
  return {
    isShown: (message, content) => shown.get(keyOf(message)) === content,
    setShown(message, content) {
      const key = keyOf(message)
      // The newest key comes last.
      shown.delete(key)
      shown.set(key, content)
      const [oldest] = shown.keys()
      if (shown.size > mostKept && oldest !== undefined) shown.delete(oldest)
    },
  }
}
