// Taps that wait for the bot's answer. The answer may arrive before the response to the request that sent the tap.

const patienceMs = 30_000

export interface Taps {
  /** @param send resolves to the id of the callback query */
  press(element: HTMLElement, send: () => Promise<string>): Promise<void>
  answered(queryId: string): void
  clear(): void
}

/** @param onSilence called when the bot has not answered in time */
export function createTaps(onSilence: () => void): Taps {
  const waiting = new Map<string, { element: HTMLElement; timer: number }>()
  const early = new Set<string>()

  const release = (id: string): boolean => {
    const tap = waiting.get(id)
    if (!tap) return false
    clearTimeout(tap.timer)
    waiting.delete(id)
    tap.element.removeAttribute('aria-busy')
    return true
  }

  return {
    async press(element, send) {
      element.setAttribute('aria-busy', 'true')
      try {
        const id = await send()
        if (early.delete(id)) return element.removeAttribute('aria-busy')
        const timer = setTimeout(() => release(id) && onSilence(), patienceMs)
        waiting.set(id, { element, timer })
      } catch (error) {
        element.removeAttribute('aria-busy')
        throw error
      }
    },
    answered(id) {
      if (!release(id)) early.add(id)
    },
    clear() {
      for (const id of [...waiting.keys()]) release(id)
    },
  }
}
