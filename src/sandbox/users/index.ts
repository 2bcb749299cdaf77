// The users' API of the local Telegram: what a person does with a client, as JSON over HTTP (./api.ts).

import type { ServerResponse } from 'node:http'
import { type Handler, serveFile } from '../http.ts'
import { defined } from '../telegram/defined.ts'
import type { ChatEvent, StreamEvent } from '../telegram/events.ts'
import { commandMenu } from '../telegram/methods/chats.ts'
import { pay } from '../telegram/payments.ts'
import { clientView } from '../telegram/post.ts'
import type { LocalBot } from '../telegram/server.ts'
import { filePath, getMe, type TelegramServer } from '../telegram/server.ts'
import {
  type Act,
  chatState,
  createGroup,
  createTopic,
  createUser,
  member,
  react,
  setBlocked,
  setMember,
  stopDraft,
  tapData,
  tapLabel,
} from './people.ts'
import { complain, type Route, type RouteRequest, route, router } from './route.ts'
import { askInline, chooseInline, deleteMessage, editMessage, sendNew } from './writing.ts'

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

function peopleRoutes(server: TelegramServer): Route[] {
  const { state } = server
  return [
    route('GET /api/bot', () => ({
      ...getMe(server),
      profile: state.profile,
      menu_button: state.menuButton,
    })),
    route('GET /api/users', () => Object.values(state.users)),
    route('POST /api/users', ({ body }) => createUser(server, body)),
    route('GET /api/chats', () => chatList(server)),
    route('POST /api/chats', ({ body }) => createGroup(server, body).chat),
    route('GET /api/commands', ({ body }) =>
      commandMenu(state, { chatId: body.chat_id, language: body.language_code }),
    ),
    {
      call: 'GET /api/files/:fileId',
      run({ path, req, res }) {
        const file = state.files[path.fileId ?? ''] ?? complain('there is no such file', 404)
        return serveFile(req, res, filePath(server, file.path), { 'content-type': file.mime })
      },
    },
    route('GET /api/updates', () => {
      const waiting = new Set(server.updates.pending().map((one) => one.update.update_id))
      return state.recent.map((update) => ({ update, pending: waiting.has(update.update_id) }))
    }),
    route('POST /api/updates/redeliver', ({ body }) =>
      server.updates.redeliver(body.update_id)
        ? { ok: true }
        : complain(`update ${body.update_id} is not among the kept updates`, 404),
    ),
  ]
}

function chatRoutes(server: TelegramServer): Route[] {
  const chatOf = ({ path }: RouteRequest<unknown>) => chatState(server, path.chatId ?? '')
  const actOf = (request: RouteRequest<{ readonly from: number }>): Act => {
    const chat = chatOf(request)
    return { server, chat, user: member(server, chat, request.body.from) }
  }

  return [
    route('GET /api/chats/:chatId/messages', (request) => {
      const chat = chatOf(request)
      return chat.messages.map((message) => clientView(chat, message))
    }),
    route('POST /api/chats/:chatId/messages', (request) =>
      sendNew(actOf(request), request.body, request.uploads.get('file')),
    ),
    route('POST /api/chats/:chatId/edits', (request) => editMessage(actOf(request), request.body)),
    route('POST /api/chats/:chatId/deletions', (request) =>
      deleteMessage(actOf(request), request.body.message_id),
    ),
    route('POST /api/chats/:chatId/taps', (request) => {
      const { body } = request
      return 'data' in body ? tapData(actOf(request), body) : tapLabel(actOf(request), body)
    }),
    route('POST /api/chats/:chatId/inline', (request) => askInline(actOf(request), request.body)),
    route('POST /api/chats/:chatId/choices', (request) => chooseInline(actOf(request), request.body)),
    route('POST /api/chats/:chatId/reactions', (request) => react(actOf(request), request.body)),
    route('GET /api/chats/:chatId/drafts', (request) => {
      const { id } = chatOf(request).chat
      return request.body.gone ? server.drafts.history(id) : server.drafts.now(id)
    }),
    route('POST /api/chats/:chatId/stop', (request) => stopDraft(actOf(request), request.body.draft_id)),
    route('GET /api/chats/:chatId/answers', (request) => chatOf(request).answers),
    route('POST /api/chats/:chatId/payments', (request) => {
      const { chat, user } = actOf(request)
      const { message_id } = request.body
      const invoice = chat.invoices[message_id] ?? complain(`message ${message_id} is not an invoice`, 404)
      return pay(server, chat, user, invoice, request.body)
    }),
    route('POST /api/chats/:chatId/topics', (request) => ({
      message_thread_id: createTopic(actOf(request), request.body.name),
    })),
    route('POST /api/chats/:chatId/members', (request) => setMember(actOf(request), request.body)),
    route('POST /api/chats/:chatId/block', (request) => setBlocked(actOf(request), request.body.blocked)),
    {
      call: 'GET /api/chats/:chatId/events',
      run(request) {
        const { searchParams } = request.url
        const user = searchParams.get('user')
        return streamEvents(server, request.res, {
          chatId: chatOf(request).chat.id,
          userId: user === null ? undefined : Number(user),
          others: searchParams.get('others') === 'true',
        })
      },
    },
  ]
}

export const createUsersApi = ({ server, changed }: LocalBot): Handler =>
  router([...peopleRoutes(server), ...chatRoutes(server)], changed)
