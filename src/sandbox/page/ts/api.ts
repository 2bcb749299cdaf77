// The sandbox's HTTP, one function for each thing a user can do. The only file that knows the addresses.

export class ApiError extends Error {}

async function request(method, path, body) {
  const response = await fetch(`/api${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new ApiError(cause.message, { cause })
  })
  const answer = await response.json().catch(() => undefined)
  if (response.ok) return answer
  throw new ApiError(answer?.description ?? answer?.error ?? `${response.status} ${response.statusText}`)
}

const chatPath = (chatId, rest) => `/chats/${encodeURIComponent(chatId)}/${rest}`
const inChat = (rest) => (chatId, body) => request('POST', chatPath(chatId, rest), body)

export const api = {
  bot: () => request('GET', '/bot'),
  users: () => request('GET', '/users'),
  createUser: (user) => request('POST', '/users', user),
  chats: () => request('GET', '/chats'),
  createGroup: (group) => request('POST', '/chats', group),
  messages: (chatId) => request('GET', chatPath(chatId, 'messages')),
  drafts: (chatId) => request('GET', chatPath(chatId, 'drafts')),
  commands: (query) => request('GET', `/commands?${new URLSearchParams(query)}`),
  createTopic: (chatId, topic) => request('POST', chatPath(chatId, 'topics'), topic),
  send: inChat('messages'),
  tap: inChat('taps'),
  pay: inChat('payments'),
  edit: inChat('edits'),
  block: inChat('block'),
  stop: inChat('stop'),
  account: () => request('GET', '/gateway/account'),
  faults: () => request('GET', '/faults'),
  addFault: (fault) => request('POST', '/faults', fault),
  clearFaults: () => request('DELETE', '/faults'),
}

export const fileUrl = (fileId) => `/api/files/${encodeURIComponent(fileId)}`
export const eventsUrl = (chatId) => `/api${chatPath(chatId, 'events')}`
