// The content that this process has last written into each status message, so that no edit is sent that changes nothing.

export interface ShownStatuses {
  /** Whether the message surely has this content, as far as this process has edited it. */
  isShown(message: StatusMessage, content: string): boolean
  /**
   * Edits the message into this content.
   * @param send rejects when the message may not have been edited
   */
  edit(message: StatusMessage, content: string, send: () => Promise<unknown>): Promise<void>
}

interface StatusMessage {
  readonly chatId: number
  readonly messageId: number
}

interface Edit {
  /** Another edit of the same message was under way meanwhile, and it is unknown which of them came last. */
  overlaps: boolean
}

const mostKept = 2000

export function createShownStatuses(): ShownStatuses {
  const shown = new Map<string, string>()
  const edits = createEdits()
  const keyOf = ({ chatId, messageId }: StatusMessage) => `${chatId}:${messageId}`
  return {
    isShown: (message, content) => shown.get(keyOf(message)) === content,
    async edit(message, content, send) {
      const key = keyOf(message)
      const edit = edits.begin(key)
      // Deleted first, since an edit without an answer may have changed the message; and so that the newest key is the last one.
      shown.delete(key)
      try {
        await send()
        if (!edit.overlaps) shown.set(key, content)
      } finally {
        edits.end(key, edit)
      }
      const [oldest] = shown.keys()
      if (shown.size > mostKept && oldest !== undefined) shown.delete(oldest)
    },
  }
}

/** The edits that are under way, by message. */
function createEdits() {
  const underWay = new Map<string, readonly Edit[]>()
  return {
    begin(key: string): Edit {
      const others = underWay.get(key) ?? []
      for (const other of others) other.overlaps = true
      const edit = { overlaps: others.length > 0 }
      underWay.set(key, [...others, edit])
      return edit
    },
    end(key: string, edit: Edit): void {
      const others = (underWay.get(key) ?? []).filter((other) => other !== edit)
      if (others.length > 0) underWay.set(key, others)
      else underWay.delete(key)
    },
  }
}
