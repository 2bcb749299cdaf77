// The address of the page, which names the open user and chat in its ending `#user/chat`, so a reload, a link and
// each tab keep their own chat. An address without that ending, such as the way back from a payment, opens the place that was open last.

const lastKey = 'sandbox.place'

// Before any module reads the address.
if (location.hash === '') {
  const last = localStorage.getItem(lastKey)
  if (last !== null) history.replaceState(null, '', `#${last}`)
}

export function addressed(): { userId: number; chatId: number } {
  const [userId = 0, chatId = 0] = location.hash.slice(1).split('/').map(Number)
  return { userId, chatId }
}

/** The part of the address after the #. */
export const placeOf = (userId: number, chatId: number) => `${userId}/${chatId}`

export const rememberPlace = (place: string): void => localStorage.setItem(lastKey, place)

export function showPlace(place: string): void {
  history.replaceState(null, '', `#${place}`)
  rememberPlace(place)
}
