// The users' API of the local Telegram: what a person does with a client, as JSON over HTTP. Errors are `{error}`, with 400 for a
// wrong request and 404 for something that does not exist. Messages have the shape of the Bot API; their `reply_markup` also
// contains reply keyboards, and `reactions` all reactions, as a client shows them.
//
//   GET  /api/bot                                     the bot, its descriptions and its menu buttons
//   GET  /api/users                                   POST {first_name, username?, language_code?, id?}: a user; a known
//                                                     id updates its user
//   GET  /api/chats                                   POST {title, members, forum?, admin?}: a group with the bot in it,
//                                                     as an administrator if `admin`
//   POST /api/chats/:chatId/topics                    {from, name}: a topic -> {message_thread_id}
//   GET  /api/chats/:chatId/messages                  the messages in the chat now, oldest first
//   POST /api/chats/:chatId/messages                  {from, text}, or {from, caption?, file: {kind?, name, base64,
//                                                     width?, height?, duration?}}, or a multipart form {from,
//                                                     caption?, kind?, file}, or {from, content: any fields of the Bot
//                                                     API's Message, as rich_message or contact} -> the message;
//                                                     each with {reply_to?, reply_chat?, quote?, thread_id?,
//                                                     forwarded_from?, via_bot?, album?}
//   POST /api/chats/:chatId/edits                     {from, message_id, text}: the text or the caption, or {from, message_id,
//                                                     content} -> the message
//   POST /api/chats/:chatId/deletions                 {from, message_id}: deletes an own message
//   POST /api/chats/:chatId/taps                      {from, message_id, text}: the button with this label ->
//                                                     {callback_query_id, update_id}, or {message} from a reply keyboard (the user's
//                                                     contact or a place if the button asks for it), or
//                                                     {url}, {copied}, {pay: true}, {inline_query};
//                                                     {from, message_id, data}: any callback data; the message
//                                                     may be deleted
//   POST /api/chats/:chatId/inline                    {from, query, offset?}: what the bot answers to `@bot query` ->
//                                                     {query_id, results, next_offset, button?}
//   POST /api/chats/:chatId/choices                   {from, query_id, result_id, reply_to?, thread_id?}: sends one of the
//                                                     results -> the message
//   POST /api/chats/:chatId/reactions                 {from, message_id, reaction: [{type: 'emoji', emoji: '👍'}]}
//   GET  /api/chats/:chatId/drafts                    the drafts in the chat now; ?gone=true: all their states so far,
//                                                     oldest first
//   POST /api/chats/:chatId/stop                      {from, draft_id?}: presses Stop of this draft, or of the newest
//                                                     that has the button -> the draft
//   GET  /api/chats/:chatId/answers                   the bot's answers to callback queries
//   POST /api/chats/:chatId/payments                  {from, message_id, email?}: pays an invoice ->
//                                                     {ok: true, telegram_payment_charge_id} or {ok: false, error}
//   POST /api/chats/:chatId/members                   {from, user_id, member: {status: 'left'}}: the status of the bot or of a
//                                                     user in a group, in the fields of the Bot API
//   POST /api/chats/:chatId/block                     {from, blocked}
//   GET  /api/chats/:chatId/events                    server-sent events: message, edited, deleted, reaction, action,
//                                                     draft, draft_ended, answer, error, people; with ?others=true also
//                                                     elsewhere, when the messages of another chat have changed; with
//                                                     ?user=<id> no answers to the taps of other users
//   GET  /api/files/:file_id                          a file, with byte ranges
//   GET  /api/commands?chat_id&language_code          the command menu in this chat
//   GET  /api/updates                                 recent updates; POST /api/updates/redeliver {update_id}: delivers again

import type { Handler } from '../http.ts'
import type { LocalBot } from '../telegram/bot.ts'
import type { TelegramServer } from '../telegram/server.ts'
import { chatRoutes } from './chat-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { complain, type Route, route, router } from './route.ts'
import { anything, redelivery } from './schemas.ts'

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
