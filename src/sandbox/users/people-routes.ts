// Routes of the bot, users, groups, command menus and files.

import { commandMenu } from '../telegram/command-menu.ts'
import { defined } from '../telegram/defined.ts'
import { clientView } from '../telegram/post.ts'
import { serveFile } from '../telegram/serve-file.ts'
import { filePath, getMe, type TelegramServer } from '../telegram/server.ts'
import { createGroup, createUser } from './people.ts'
import { complain, type Route, rawRoute, route } from './route.ts'
import { anything, menuQuery, newGroup, newUser } from './schemas.ts'

function chatList(server: TelegramServer) {
  return Object.values(server.state.chats).map((state) => {
    const { chat, members, started, blocked, topics, messages } = state
    const last = messages.at(-1)
    const last_message = last && clientView(state, last)
    return { ...chat, members, started, blocked, topics, ...defined({ last_message }) }
  })
}

export function peopleRoutes(server: TelegramServer): Route[] {
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
