// The users' API of the local Telegram: what a person does with a client, as JSON over HTTP (./api.ts).

import type { ServerResponse } from 'node:http'
import { type Handler, serveFile } from '../http.ts'
import { defined } from '../telegram/defined.ts'
import type { ChatEvent, StreamEvent } from '../telegram/events.ts'
import { commandMenu } from '../telegram/methods/chats.ts'
import { pay } from '../telegram/payments.ts'
import { clientView } from '../telegram/post.ts'
import { filePath, getMe, type TelegramServer } from '../telegram/server.ts'
import {
  type Act,
  askInline,
  chatState,
  chooseInline,
  createGroup,
  createTopic,
  createUser,
  done,
  editMessage,
  member,
  sendNew,
  setBlocked,
  setMember,
  stopDraft,
  tap,
} from './acts.ts'
import { complain, jsonRoutes, type Route, type RouteRequest, type Routes, router } from './route.ts'

const keepAliveMs = 20_000

async function keepAlive(server: TelegramServer, res: ServerResponse, ended: AbortSignal): Promise<void> {
  for (;;) {
    await server.clock.wait(keepAliveMs, ended)
    if (ended.aborted) return
    res.write(':\n\n')
  }
}

/** With `userId`, the answers to taps of other users are left out. */
type Wanted = { readonly chatId: number; readonly userId: number | undefined; readonly others: boolean }

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
  res.once('close', () => gone.abort('closed'))
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

export function createUsersApi(server: TelegramServer): Handler {
  const { state, updates, drafts } = server
  const chatOf = ({ path }: RouteRequest<unknown>) => chatState(server, path.chatId ?? '')
  const actOf = (request: RouteRequest<{ readonly from: number }>): Act => {
    const chat = chatOf(request)
    return { server, chat, user: member(server, chat, request.body.from) }
  }
  const routes: Routes = {
    'GET /api/bot': () => ({ ...getMe(server), profile: state.profile, menu_button: state.menuButton }),
    'GET /api/users': () => Object.values(state.users),
    'POST /api/users': ({ body }) => createUser(server, body),
    'GET /api/chats': () => chatList(server),
    'POST /api/chats': ({ body }) => createGroup(server, body).chat,
    'GET /api/commands': ({ body }) =>
      commandMenu(state, { chatId: body.chat_id, language: body.language_code }),
    'GET /api/updates'() {
      const waiting = new Set(updates.pending().map((one) => one.update.update_id))
      return state.recent.map((update) => ({ update, pending: waiting.has(update.update_id) }))
    },
    'POST /api/updates/redeliver': ({ body: { update_id: id } }) =>
      updates.redeliver(id) ? done : complain(`update ${id} is not among the kept updates`, 404),
    'GET /api/chats/:chatId/messages'(request) {
      const chat = chatOf(request)
      return chat.messages.map((message) => clientView(chat, message))
    },
    'POST /api/chats/:chatId/messages': (request) => sendNew(actOf(request), request.body),
    'POST /api/chats/:chatId/edits': (request) => editMessage(actOf(request), request.body),
    'POST /api/chats/:chatId/taps': (request) => tap(actOf(request), request.body),
    'POST /api/chats/:chatId/inline': (request) => askInline(actOf(request), request.body),
    'POST /api/chats/:chatId/choices': (request) => chooseInline(actOf(request), request.body),
    'GET /api/chats/:chatId/drafts': (request) =>
      drafts[request.body.gone ? 'history' : 'now'](chatOf(request).chat.id),
    'POST /api/chats/:chatId/stop': (request) => stopDraft(actOf(request), request.body.draft_id),
    'GET /api/chats/:chatId/answers': (request) => chatOf(request).answers,
    'POST /api/chats/:chatId/payments'(request) {
      const { chat, user } = actOf(request)
      const { message_id } = request.body
      const invoice = chat.invoices[message_id] ?? complain(`message ${message_id} is not an invoice`, 404)
      return pay(server, chat, user, invoice, request.body)
    },
    'POST /api/chats/:chatId/topics': (request) => ({
      message_thread_id: createTopic(actOf(request), request.body.name),
    }),
    'POST /api/chats/:chatId/members': (request) => setMember(actOf(request), request.body),
    'POST /api/chats/:chatId/block': (request) => setBlocked(actOf(request), request.body.blocked),
  }
  const files: Route = {
    call: 'GET /api/files/:fileId',
    run({ path, req, res }) {
      const file = state.files[path.fileId ?? ''] ?? complain('there is no such file', 404)
      return serveFile(req, res, filePath(server, file.path), file.mime)
    },
  }
  const events: Route = {
    call: 'GET /api/chats/:chatId/events',
    run(request) {
      const query = request.url.searchParams
      const userId = query.has('user') ? Number(query.get('user')) : undefined
      const others = query.get('others') === 'true'
      streamEvents(server, request.res, { chatId: chatOf(request).chat.id, userId, others })
    },
  }
  return router([...jsonRoutes(routes), files, events], server.changed)
}
