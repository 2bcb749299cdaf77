// The scrolling of the messages: it follows the newest one while the end is visible, and jumps to a message.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from './i18n.ts'
import { isOwn, shownMessages, state, toast } from './state.ts'

const nearEndPx = 80

/** @param waiting the number of messages that wait for a connection, which are shown at the end */
export function useFollowing(waiting: number) {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const seen = useRef({ isAtEnd: true, newest: 0, sizes: '' })
  const [isAtEnd, setAtEnd] = useState(true)
  const sizes = () => `${box.current?.clientHeight} ${box.current?.scrollHeight}`
  const look = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {}
    seen.current.isAtEnd = scrollHeight - scrollTop - clientHeight < nearEndPx
    if (seen.current.isAtEnd) seen.current.newest = shownMessages().at(-1)?.message_id ?? 0
    setAtEnd(seen.current.isAtEnd)
  }
  const toEnd = () => {
    box.current?.scrollTo(0, box.current.scrollHeight)
    look()
  }
  // The end moves when pictures load, a keyboard opens or the window is resized.
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => {
      seen.current.sizes = sizes()
      if (seen.current.isAtEnd) toEnd()
    })
    for (const one of [box.current, content.current]) if (one) watcher.observe(one)
    return () => watcher.disconnect()
  }, [])
  const fresh = shownMessages().filter((one) => one.message_id > seen.current.newest)
  // The user's own new message is always scrolled into view.
  useLayoutEffect(() => {
    if (seen.current.isAtEnd || fresh.some(isOwn) || waiting > 0) toEnd()
  }, [state.messages, waiting])
  // When the sizes have changed before a scroll event, the distance to the end does not show what the user did.
  const onScroll = () => sizes() === seen.current.sizes && look()
  return { box, content, isAtEnd, missed: fresh.length, onScroll, toEnd }
}

/** Shows a message of the open topic, and marks it for a moment. */
export function jumpTo(id: number): void {
  const row = document.querySelector(`[data-ids~="${id}"]`)
  if (!row) toast(t('messageGone'))
  row?.scrollIntoView({ block: 'center' })
  const boxShadow = ['none', '0 0 0 4px var(--accent)', 'none']
  row?.querySelector('.bubble')?.animate({ boxShadow }, { duration: 700, iterations: 2 })
}
