// Routes of one chat: writing, editing, tapping, paying, blocking, and looking on.

import { pay } from '../telegram/checkout.ts'
import { seen } from '../telegram/post.ts'
import type { ChatState, InvoiceTerms } from '../telegram/state.ts'
import type { World } from '../telegram/world.ts'
import { chatState, createTopic, member, setBlocked } from './people.ts'
import { complain, type Route, route, stream, type Visit } from './route.ts'
import {
  anything,
  block,
  draftsQuery,
  edit,
  type NewMessage,
  newMessage,
  newTopic,
  payment,
  stop,
  tap,
} from './schemas.ts'
import { stopDraft } from './stopping.ts'
import { streamEvents } from './stream.ts'
import { tapData, tapLabel } from './tapping.ts'
import { editText, type SentFile, sayFile, sayText } from './writing.ts'

function sentFile({ body, uploads }: Visit<NewMessage>): SentFile | undefined {
  const { file, kind } = body
  if (file === undefined) return undefined
  if (typeof file !== 'string') return { ...file, bytes: Buffer.from(file.base64, 'base64') }
  const upload = uploads.get('file') ?? complain('file is missing in the form')
  return { kind, name: upload.name, bytes: upload.bytes }
}

function write(world: World, chat: ChatState, visit: Visit<NewMessage>) {
  const { from, text, caption, ...place } = visit.body
  const user = member(world, chat, from)
  const file = sentFile(visit)
  if (file) return sayFile(world, chat, user, place, { file, caption })
  return sayText(world, chat, user, place, text ?? complain('a message has text or a file'))
}

function termsOf(
  world: World,
  chat: ChatState,
  what: { message_id: number } | { link: string },
): InvoiceTerms {
  if ('link' in what)
    return world.state.invoiceLinks[what.link] ?? complain('there is no such invoice link', 404)
  return chat.invoices[what.message_id] ?? complain(`message ${what.message_id} is not an invoice`, 404)
}

export function chatRoutes(world: World): Route[] {
  const chatOf = ({ path }: { path: Readonly<Record<string, string>> }) => chatState(world, path.chatId ?? '')
  const at = <P extends string>(path: P) => `/api/chats/:chatId/${path}` as const

  return [
    route('GET', at('messages'), anything, (visit) => {
      const chat = chatOf(visit)
      return chat.messages.map((message) => seen(chat, message))
    }),
    route('POST', at('messages'), newMessage, (visit) => write(world, chatOf(visit), visit)),
    route('POST', at('edits'), edit, (visit) => {
      const { from, message_id, text } = visit.body
      const chat = chatOf(visit)
      return editText(world, chat, member(world, chat, from), message_id, text)
    }),
    route('POST', at('taps'), tap, (visit) => {
      const { body } = visit
      const chat = chatOf(visit)
      const user = member(world, chat, body.from)
      if ('data' in body) return tapData(world, chat, user, body.message_id, body.data)
      return tapLabel(world, chat, user, body.message_id, body.text)
    }),
    route('GET', at('drafts'), draftsQuery, (visit) => {
      const { id } = chatOf(visit).chat
      return visit.body.gone ? world.drafts.seen(id) : world.drafts.now(id)
    }),
    route('POST', at('stop'), stop, (visit) => {
      const chat = chatOf(visit)
      member(world, chat, visit.body.from)
      return stopDraft(world, chat, visit.body.draft_id)
    }),
    route('GET', at('answers'), anything, (visit) => chatOf(visit).answers),
    route('POST', at('payments'), payment, (visit) => {
      const chat = chatOf(visit)
      const user = member(world, chat, visit.body.from)
      return pay(world, chat, user, termsOf(world, chat, visit.body))
    }),
    route('POST', at('topics'), newTopic, (visit) => {
      const chat = chatOf(visit)
      const user = member(world, chat, visit.body.from)
      return { message_thread_id: createTopic(world, chat, user, visit.body.name) }
    }),
    route('POST', at('block'), block, (visit) => {
      const chat = chatOf(visit)
      setBlocked(world, chat, member(world, chat, visit.body.from), visit.body.blocked)
      return { ok: true }
    }),
    stream('GET', at('events'), (visit) => streamEvents(world, visit.res, chatOf(visit).chat.id)),
  ]
}
