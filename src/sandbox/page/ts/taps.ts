// Presses that wait for the bot's answer. The answer may arrive before the press's own response does.

const patienceMs = 30_000

/** @param {() => void} onSilence the bot has not answered in time */
export function createTaps(onSilence) {
  const waiting = new Map()
  const early = new Set()

  const free = (id) => {
    const tap = waiting.get(id)
    if (!tap) return false
    clearTimeout(tap.timer)
    waiting.delete(id)
    tap.element.removeAttribute('aria-busy')
    return true
  }

  return {
    /** @param {() => Promise<string>} send gives the id of the callback query */
    async press(element, send) {
      element.setAttribute('aria-busy', 'true')
      try {
        const id = await send()
        if (early.delete(id)) return element.removeAttribute('aria-busy')
        const timer = setTimeout(() => free(id) && onSilence(), patienceMs)
        waiting.set(id, { element, timer })
      } catch (error) {
        element.removeAttribute('aria-busy')
        throw error
      }
    },
    answered(id) {
      if (!free(id)) early.add(id)
    },
    clear() {
      for (const id of [...waiting.keys()]) free(id)
    },
  }
}
