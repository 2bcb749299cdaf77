// Updates of shapes that the bot does not expect: Telegram may add new kinds and fields, and leave others out.

const date = 1_790_000_000

/** @param from the id of a user @param groupId the id of a group with the user */
export function oddUpdates(
  from: number,
  groupId: number,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const person = { id: from, is_bot: false, first_name: 'Anna' }
  const chat = { id: from, type: 'private', first_name: 'Anna' }
  const group = { id: groupId, type: 'supergroup', title: 'We' }
  const channel = { id: -1_000_000_000_778, type: 'channel', title: 'News' }
  const bot = { id: 777, is_bot: true, first_name: 'Other', username: 'other_bot' }
  const message = (more: object) => ({ message: { message_id: 5, date, chat, from: person, ...more } })
  const tap = (more: object) => ({ callback_query: { id: '1', from: person, chat_instance: '1', ...more } })
  const file = { file_id: 'x', file_unique_id: 'x' }
  const fox = '/image a fox'
  const entity = (text: string, type: string, offset: number, length: number, times = 1) =>
    message({ text, entities: Array(times).fill({ type, offset, length }) })
  const command = (text: string, offset: number, length: number) =>
    entity(text, 'bot_command', offset, length)
  const forward_origin = { type: 'hidden_user', sender_user_name: 'x', date }
  const gone = { message_id: 999_999, date: 0, chat }
  return {
    'nothing but its number': {},
    'an unknown kind': { something_new: { from: person, chat } },
    'a poll': { poll: { id: '1', question: 'x', options: [] } },
    'a shipping query': { shipping_query: { id: '1', from: person, invoice_payload: 'x' } },
    'a message without content': message({}),
    'a message without a sender': { message: { message_id: 5, date, chat, text: 'hello' } },
    'a message in a group without a sender': { message: { message_id: 5, date, chat: group, text: fox } },
    'a post of a channel': { channel_post: { message_id: 5, date, chat: channel, text: fox } },
    'a message from a channel in a group': message({ chat: group, sender_chat: channel, text: fox }),
    'a message of another bot': message({ from: bot, chat: group, text: fox }),
    'a command without entities': message({ text: fox }),
    'a text that is empty': message({ text: '' }),
    'entities of an empty text': command('', 0, 6),
    'a command entity beyond the text': command('/x', 0, 99),
    'a command entity of no length': command('/x', 0, 0),
    'a command entity before the text': command('/x', -5, 6),
    'an unknown entity': entity('/x', 'sparkles', 0, 2),
    'a thousand entities': entity('/x', 'bold', 0, 1, 1000),
    'a sender without a name': message({ from: { id: from, is_bot: false }, text: '/help' }),
    'a language that is none': message({ from: { ...person, language_code: '\u0000<b>' }, text: '/help' }),
    'a language of a thousand letters': message({
      from: { ...person, language_code: 'x'.repeat(1000) },
      text: '/help',
    }),
    'a time before 1970': message({ date: -1, text: '/help' }),
    'a time in the far future': message({ date: 99_999_999_999, text: '/help' }),
    'a place': message({ location: { latitude: 1e308, longitude: -1e308 } }),
    'data of a web app': message({ web_app_data: { data: '{"amount":1e9}', button_text: 'x' } }),
    'a passport': message({ passport_data: { data: [], credentials: {} } }),
    'a photo without sizes': message({ photo: [] }),
    'a photo without facts': message({ photo: [file] }),
    'a video without facts': message({ video: file }),
    'a document without facts': message({ document: file }),
    'a document of negative size': message({ document: { ...file, file_size: -1, mime_type: 'text/plain' } }),
    'a document of endless size': message({
      document: { ...file, file_size: 1e300, mime_type: 'text/plain' },
    }),
    'a document with an odd type': message({ document: { ...file, mime_type: 'text/plain; x="\r\n\r\n' } }),
    'a document with an odd name': message({ document: { ...file, file_name: '../../\u0000\u202egpj.exe' } }),
    'an animated sticker': message({ sticker: { ...file, is_animated: true, is_video: false } }),
    'a voice of endless length': message({ voice: { ...file, duration: 1e300 } }),
    'a voice of negative length': message({ voice: { ...file, duration: -1 } }),
    'paid media': message({ paid_media: { star_count: 1e9, paid_media: [] } }),
    'a reply to nothing': message({ text: 'x', reply_to_message: { message_id: 0, date: 0, chat } }),
    'a reply to another chat': message({ text: 'x', external_reply: { origin: forward_origin } }),
    'a reply to a message that is gone': message({ text: '/help', reply_to_message: gone }),
    'a forwarded command': message({ text: '/topup 500', forward_origin }),
    'a topic that is gone': message({ text: '/help', message_thread_id: 999_999, is_topic_message: true }),
    'an edit without a text': { edited_message: { message_id: 5, date, chat, from: person } },
    'an edit of an unknown message': { edited_message: { ...gone, date, from: person, text: 'x' } },
    'an edit without a sender': { edited_message: { message_id: 5, date, chat, text: 'x' } },
    'a tap without data': tap({ message: { message_id: 5, date, chat } }),
    'a tap on a game': tap({ game_short_name: 'x', message: { message_id: 5, date, chat } }),
    'a tap without a message': tap({ data: 't:10000' }),
    'a tap on an inline message': tap({ data: 'q:0123456789', inline_message_id: 'x' }),
    'a tap on a message of another chat': tap({
      data: 't',
      message: { message_id: 5, date: 0, chat: group },
    }),
    'a tap of a bot': tap({ from: bot, data: 't', message: { message_id: 5, date, chat } }),
    'a membership without a status': {
      my_chat_member: { chat, from: person, date, old_chat_member: {}, new_chat_member: {} },
    },
    'a membership in a channel': {
      my_chat_member: {
        chat: channel,
        from: person,
        date,
        old_chat_member: { status: 'left', user: bot },
        new_chat_member: { status: 'administrator', user: bot },
      },
    },
    'a stop of no answer': { stopped_message_generation: { chat, draft_id: 999_999 } },
    'a migration to nowhere': message({ chat: group, migrate_to_chat_id: -1_000_000_000_779 }),
    'a migration from nowhere': message({ chat: group, migrate_from_chat_id: -1_000_000_000_780 }),
    'a new title of a group': message({ chat: group, new_chat_title: '\u202e' }),
  }
}
