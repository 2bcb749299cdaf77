// The page as a whole: who speaks in which chat (kept in the address), the sidebar, and the open session.

import { ApiError, api } from './api.ts'
import { toast } from './dialog.ts'
import { avatar, fill, h } from './dom.ts'
import { openFaults } from './faults.ts'
import { setLanguage, t } from './i18n.ts'
import { fullName, summary } from './quote.ts'
import { createRefusals } from './refusals.ts'
import { Session } from './session.ts'
import { createSidebar, openUserMenu } from './sidebar.ts'

const root = document.getElementById('app')
const retryMs = 2000
const unsent = new Map()

const app = {
  refusals: createRefusals(),
  users: [],
  chats: [],
  bot: { id: 0, first_name: 'Bot', username: '' },
  user: undefined,
  chat: undefined,
  visibleChats: () =>
    app.chats.filter((chat) => chat.members.includes(app.user.id)).sort((a, b) => b.id - a.id),
  lastLine(chat) {
    const last = chat.id === app.chat.id ? session?.conversation.all().at(-1) : undefined
    return last ? summary(last) : ''
  },
  openUser(id) {
    const stays = app.chat && app.chat.type !== 'private' && app.chat.members.includes(id)
    return open(id, stays ? app.chat.id : id)
  },
  openChat: (id) => open(app.user.id, id),
  async userCreated(user) {
    await reread()
    await open(user.id, user.id)
  },
  async groupCreated(chat) {
    await reread()
    await open(app.user.id, chat.id)
  },
  openFaults,
  openSidebar: () => setSidebar(true),
  closeSidebar: () => setSidebar(false),
}

let session
let sidebar

async function reread() {
  const [users, chats, bot] = await Promise.all([api.users(), api.chats(), api.bot()])
  Object.assign(app, { users, chats, bot })
}

async function firstUser() {
  const isRussian = navigator.language.toLowerCase().startsWith('ru')
  await api.createUser({ first_name: 'Anna', language_code: isRussian ? 'ru' : 'en' })
  await reread()
}

/** The address holds `#user/chat`, so a reload, a link and a second tab each keep their own. */
function wanted() {
  const [user, chat] = location.hash.slice(1).split('/').map(Number)
  return { user, chat }
}

function setSidebar(isOpen) {
  root.classList.toggle('sidebar-open', isOpen)
  const narrow = matchMedia('(max-width: 760px)').matches
  sidebar.element.inert = narrow && !isOpen
  if (narrow && isOpen) sidebar.element.querySelector('button')?.focus()
}

const place = () => `${app.user?.id}/${app.chat?.id}`

function closeSession() {
  if (!session) return
  unsent.set(place(), session.composer.text())
  session.close()
  sidebar.destroy()
}

async function open(userId, chatId) {
  closeSession()
  session = undefined
  app.user = app.users.find((one) => one.id === userId) ?? app.users[0]
  const mine = app.visibleChats()
  app.chat = mine.find((one) => one.id === chatId) ?? mine.find((one) => one.type === 'private')
  setLanguage(app.user.language_code)
  history.replaceState(null, '', `#${place()}`)
  document.title = `${fullName(app.bot)} · ${t('sandbox')}`

  sidebar = createSidebar(app)
  session = new Session({
    user: app.user,
    chat: app.chat,
    bot: app.bot,
    speaker: app.chat.type === 'private' ? null : speakerButton(),
    openSidebar: app.openSidebar,
    openFaults,
    onActivity: () => sidebar.follow(),
    onRefusal(refusal) {
      app.refusals.add(refusal)
      app.refusals.draw()
    },
    onChatsChanged: reread,
  })
  const backdrop = h('div.backdrop', { testid: 'backdrop', onclick: app.closeSidebar })
  fill(root, sidebar.element, backdrop, session.element)
  setSidebar(false)
  sidebar.draw()
  const opened = session
  await opened.open()
  const text = unsent.get(place())
  if (text) opened.composer.setText(text)
  if (matchMedia('(pointer: fine)').matches) opened.composer.focus()
}

/** In a group it matters who is writing. */
function speakerButton() {
  const name = fullName(app.user)
  const label = t('speaks', { name })
  const button = h('button.speaker', { testid: 'speaker', label, title: label }, avatar(name, app.user.id))
  button.addEventListener('click', () => openUserMenu(button, app))
  return button
}

async function begin() {
  try {
    await reread()
    if (app.users.length === 0) await firstUser()
    const { user, chat } = wanted()
    await open(user || app.users[0].id, chat || user || app.users[0].id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (root.childElementCount === 0) toast(error.message, 'error')
    setTimeout(begin, retryMs)
  }
}

addEventListener('hashchange', () => {
  const { user, chat } = wanted()
  if (`${user}/${chat}` !== place()) void open(user, chat)
})
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && root.classList.contains('sidebar-open')) app.closeSidebar()
})
matchMedia('(max-width: 760px)').addEventListener('change', () => setSidebar(false))
setLanguage(navigator.language)
void begin()
