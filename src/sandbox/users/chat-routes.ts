// Routes of one chat: messages, edits, deletions, taps, drafts, payments, topics, blocking, events.

import { pay } from '../telegram/checkout.ts'
import { clientView } from '../telegram/post.ts'
import type { TelegramServer } from '../telegram/server.ts'
import type { ChatState } from '../telegram/state.ts'
import { streamEvents } from './event-stream.ts'
import { askInline, chooseInline } from './inline.ts'
import { chatState, createTopic, member, setBlocked, setMember } from './people.ts'
import { react } from './reacting.ts'
import { complain, type Route, type RouteRequest, rawRoute, route } from './route.ts'
import {
  anything,
  block,
  deletion,
  draftsQuery,
  edit,
  inlineChoice,
  inlineQuery,
  type NewMessage,
  newMember,
  newMessage,
  newTopic,
  payment,
  stop,
  tap,
  userReaction,
} from './schemas.ts'
import { stopDraft, tapData, tapLabel } from './tapping.ts'
import { deleteMessage, editMessage, type SentFile, send, sendFile, sendText } from './writing.ts'

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

export function chatRoutes(server: TelegramServer): Route[] {
  const chatOf = ({ path }: { path: Readonly<Record<string, string>> }) =>
    chatState(server, path.chatId ?? '')
  const at = <P extends string>(path: P) => `/api/chats/:chatId/${path}` as const

  return [
    route('GET', at('messages'), anything, (request) => {
      const chat = chatOf(request)
      return chat.messages.map((message) => clientView(chat, message))
    }),
    route('POST', at('messages'), newMessage, (request) => sendNew(server, chatOf(request), request)),
    route('POST', at('edits'), edit, (request) => {
      const { from, message_id, ...changed } = request.body
      const chat = chatOf(request)
      return editMessage(server, chat, member(server, chat, from), message_id, changed)
    }),
    route('POST', at('deletions'), deletion, (request) => {
      const chat = chatOf(request)
      deleteMessage(server, chat, member(server, chat, request.body.from), request.body.message_id)
      return { ok: true }
    }),
    route('POST', at('taps'), tap, (request) => {
      const { body } = request
      const chat = chatOf(request)
      const user = member(server, chat, body.from)
      if ('data' in body) return tapData(server, chat, user, body.message_id, body.data)
      return tapLabel(server, chat, user, body.message_id, body.text)
    }),
    route('POST', at('inline'), inlineQuery, (request) => {
      const { from, ...query } = request.body
      const chat = chatOf(request)
      return askInline(server, chat, member(server, chat, from), query)
    }),
    route('POST', at('choices'), inlineChoice, (request) => {
      const { from, reply_to, thread_id, ...choice } = request.body
      const chat = chatOf(request)
      return chooseInline(server, chat, member(server, chat, from), { reply_to, thread_id }, choice)
    }),
    route('POST', at('reactions'), userReaction, (request) => {
      const chat = chatOf(request)
      react(server, chat, member(server, chat, request.body.from), request.body)
      return { ok: true }
    }),
    route('GET', at('drafts'), draftsQuery, (request) => {
      const { id } = chatOf(request).chat
      return request.body.gone ? server.drafts.history(id) : server.drafts.now(id)
    }),
    route('POST', at('stop'), stop, (request) => {
      const chat = chatOf(request)
      member(server, chat, request.body.from)
      return stopDraft(server, chat, request.body.draft_id)
    }),
    route('GET', at('answers'), anything, (request) => chatOf(request).answers),
    route('POST', at('payments'), payment, (request) => {
      const chat = chatOf(request)
      const { from, message_id } = request.body
      const invoice = chat.invoices[message_id] ?? complain(`message ${message_id} is not an invoice`, 404)
      return pay(server, chat, member(server, chat, from), invoice, request.body)
    }),
    route('POST', at('topics'), newTopic, (request) => {
      const chat = chatOf(request)
      const user = member(server, chat, request.body.from)
      return { message_thread_id: createTopic(server, chat, user, request.body.name) }
    }),
    route('POST', at('members'), newMember, (request) => {
      const chat = chatOf(request)
      const { from, user_id, member: wanted } = request.body
      setMember(server, chat, member(server, chat, from), user_id, wanted)
      return { ok: true }
    }),
    route('POST', at('block'), block, (request) => {
      const chat = chatOf(request)
      setBlocked(server, chat, member(server, chat, request.body.from), request.body.blocked)
      return { ok: true }
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
