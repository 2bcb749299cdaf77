// The users' API of the local Telegram: what a person does with a client, as JSON over HTTP (./api.ts).

import type { ServerResponse } from 'node:http'
import { type Handler, serveFile } from '../http.ts'
import type { LocalBot } from '../telegram/bot.ts'
import { defined } from '../telegram/defined.ts'
import type { ChatEvent, StreamEvent } from '../telegram/events.ts'
import { commandMenu } from '../telegram/methods/chats.ts'
import { pay } from '../telegram/payments.ts'
import { clientView } from '../telegram/post.ts'
import { filePath, getMe, type TelegramServer } from '../telegram/server.ts'
import type { ChatState } from '../telegram/state.ts'
import {
  chatState,
  createGroup,
  createTopic,
  createUser,
  member,
  react,
  setBlocked,
  setMember,
} from './people.ts'
import { complain, type Route, type RouteRequest, rawRoute, route, router } from './route.ts'
import {
  anything,
  block,
  deletion,
  draftsQuery,
  edit,
  inlineChoice,
  inlineQuery,
  menuQuery,
  type NewMessage,
  newGroup,
  newMember,
  newMessage,
  newTopic,
  newUser,
  payment,
  redelivery,
  stop,
  tap,
  userReaction,
} from './schemas.ts'
import { stopDraft, tapData, tapLabel } from './tapping.ts'
import {
  askInline,
  chooseInline,
  deleteMessage,
  editMessage,
  type SentFile,
  send,
  sendFile,
  sendText,
} from './writing.ts'

const keepAliveMs = 20_000

async function keepAlive(server: TelegramServer, res: ServerResponse, ended: AbortSignal): Promise<void> {
  for (;;) {
    await server.clock.wait(keepAliveMs, ended)
    if (ended.aborted) return
    res.write(':\n\n')
  }
}

interface Wanted {
  readonly chatId: number
  /** Leaves out the answers to taps of other users. */
  readonly userId: number | undefined
  readonly others: boolean
}

/** What the stream sends for an event; undefined when it sends nothing. */
function told(event: ChatEvent, { chatId, userId, others }: Wanted): StreamEvent | undefined {
  const { type, chat_id } = event
  if (type === 'answer' && userId !== undefined && event.user_id !== userId) return undefined
  if (chat_id === undefined || chat_id === chatId) return event
  const changesList = others && ['message', 'edited', 'deleted'].includes(type)
  return changesList ? { type: 'elsewhere', data: { chat_id } } : undefined
}

function streamEvents(server: TelegramServer, res: ServerResponse, wanted: Wanted): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(':\n\n')
  const gone = new AbortController()
  const ended = AbortSignal.any([gone.signal, server.closing])
  const stop = server.events.on((event) => {
    const sent = told(event, wanted)
    if (sent) res.write(`event: ${sent.type}\ndata: ${JSON.stringify(sent.data)}\n\n`)
  })
  res.once('close', () => gone.abort())
  ended.addEventListener('abort', () => {
    stop()
    res.end()
  })
  void keepAlive(server, res, ended)
}

function chatList(server: TelegramServer) {
  return Object.values(server.state.chats).map((state) => {
    const { chat, members, started, blocked, topics, messages } = state
    const last = messages.at(-1)
    const last_message = last && clientView(state, last)
    return { ...chat, members, started, blocked, topics, ...defined({ last_message }) }
  })
}

function peopleRoutes(server: TelegramServer): Route[] {
  const { state } = server
  return [
    route('GET', '/api/bot', anything, () => ({
      ...getMe(server),
      profile: state.profile,
      menu_button: state.menuButton,
    })),
    route('GET', '/api/users', anything, () => Object.values(state.users)),
    route('POST', '/api/users', newUser, ({ body }) => createUser(server, body)),
    route('GET', '/api/chats', anything, () => chatList(server)),
    route('POST', '/api/chats', newGroup, ({ body }) => {
      return createGroup(server, body.title, body.members, body).chat
    }),
    route('GET', '/api/commands', menuQuery, ({ body }) =>
      commandMenu(state, { chatId: body.chat_id, language: body.language_code }),
    ),
    rawRoute('GET', '/api/files/:fileId', ({ path, req, res }) => {
      const file = state.files[path.fileId ?? ''] ?? complain('there is no such file', 404)
      return serveFile(req, res, filePath(server, file.path), { 'content-type': file.mime })
    }),
  ]
}

function sentFile({ body, uploads }: RouteRequest<NewMessage>): SentFile | undefined {
  const { file, kind } = body
  if (file === undefined) return undefined
  if (typeof file !== 'string') return { ...file, bytes: Buffer.from(file.base64, 'base64') }
  const upload = uploads.get('file') ?? complain('the form has no file')
  return { kind, name: upload.name, bytes: upload.bytes }
}

function sendNew(server: TelegramServer, chat: ChatState, request: RouteRequest<NewMessage>) {
  const { from, text, caption, content, ...place } = request.body
  const user = member(server, chat, from)
  const file = sentFile(request)
  if (file) return sendFile(server, chat, user, place, { file, caption })
  if (content) return send(server, chat, user, place, content)
  return sendText(
    server,
    chat,
    user,
    place,
    text ?? complain('a message needs a text, a file or other content'),
  )
}

function chatRoutes(server: TelegramServer): Route[] {
  interface InChat {
    readonly path: Readonly<Record<string, string>>
  }
  const chatOf = ({ path }: InChat) => chatState(server, path.chatId ?? '')
  /** The chat, and the user who acts in it. */
  const actIn = (request: InChat & { readonly body: { readonly from: number } }) => {
    const chat = chatOf(request)
    return [chat, member(server, chat, request.body.from)] as const
  }
  const at = <P extends string>(path: P) => `/api/chats/:chatId/${path}` as const
  const done = { ok: true }

  return [
    route('GET', at('messages'), anything, (request) => {
      const chat = chatOf(request)
      return chat.messages.map((message) => clientView(chat, message))
    }),
    route('POST', at('messages'), newMessage, (request) => sendNew(server, chatOf(request), request)),
    route('POST', at('edits'), edit, (request) => {
      const { from: _, message_id, ...changed } = request.body
      return editMessage(server, ...actIn(request), message_id, changed)
    }),
    route('POST', at('deletions'), deletion, (request) => {
      deleteMessage(server, ...actIn(request), request.body.message_id)
      return done
    }),
    route('POST', at('taps'), tap, (request) => {
      const { body } = request
      return 'data' in body
        ? tapData(server, ...actIn(request), body.message_id, body.data)
        : tapLabel(server, ...actIn(request), body.message_id, body.text)
    }),
    route('POST', at('inline'), inlineQuery, (request) => {
      const { query, offset } = request.body
      return askInline(server, ...actIn(request), { query, offset })
    }),
    route('POST', at('choices'), inlineChoice, (request) => {
      const { from: _, reply_to, thread_id, ...choice } = request.body
      return chooseInline(server, ...actIn(request), { reply_to, thread_id }, choice)
    }),
    route('POST', at('reactions'), userReaction, (request) => {
      react(server, ...actIn(request), request.body)
      return done
    }),
    route('GET', at('drafts'), draftsQuery, (request) => {
      const { id } = chatOf(request).chat
      return request.body.gone ? server.drafts.history(id) : server.drafts.now(id)
    }),
    route('POST', at('stop'), stop, (request) => {
      const [chat] = actIn(request)
      return stopDraft(server, chat, request.body.draft_id)
    }),
    route('GET', at('answers'), anything, (request) => chatOf(request).answers),
    route('POST', at('payments'), payment, (request) => {
      const [chat, user] = actIn(request)
      const { message_id } = request.body
      const invoice = chat.invoices[message_id] ?? complain(`message ${message_id} is not an invoice`, 404)
      return pay(server, chat, user, invoice, request.body)
    }),
    route('POST', at('topics'), newTopic, (request) => ({
      message_thread_id: createTopic(server, ...actIn(request), request.body.name),
    })),
    route('POST', at('members'), newMember, (request) => {
      setMember(server, ...actIn(request), request.body.user_id, request.body.member)
      return done
    }),
    route('POST', at('block'), block, (request) => {
      setBlocked(server, ...actIn(request), request.body.blocked)
      return done
    }),
    rawRoute('GET', at('events'), (request) => {
      const { searchParams } = request.url
      const user = searchParams.get('user')
      return streamEvents(server, request.res, {
        chatId: chatOf(request).chat.id,
        userId: user === null ? undefined : Number(user),
        others: searchParams.get('others') === 'true',
      })
    }),
  ]
}

export const createUsersApi = ({ server, changed }: LocalBot): Handler =>
  router([...peopleRoutes(server), ...chatRoutes(server), ...updateRoutes(server)], changed)

function updateRoutes(server: TelegramServer): Route[] {
  return [
    route('GET', '/api/updates', anything, () => {
      const waiting = new Set(server.updates.pending().map((one) => one.update.update_id))
      return server.state.recent.map((update) => ({ update, pending: waiting.has(update.update_id) }))
    }),
    route('POST', '/api/updates/redeliver', redelivery, ({ body }) =>
      server.updates.redeliver(body.update_id)
        ? { ok: true }
        : complain(`update ${body.update_id} is not among the kept updates`, 404),
    ),
  ]
}
