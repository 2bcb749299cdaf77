// The page as a whole: the open user and chat (kept in the address), the sidebar, and the open session.

import { addressed, placeOf, rememberPlace, showPlace } from './address.ts'
import { ApiError, api, type Bot, type Chat, ignoreRefusal, type User } from './api.ts'
import { toast } from './dialog.ts'
import { avatar, fill, h } from './dom.ts'
import { openFaults } from './faults.ts'
import { chatTitle } from './header.ts'
import { setLanguage, t } from './i18n.ts'
import { chatsOf, nothingKnown, readKnown, withLastMessage } from './known.ts'
import { type MenuPlace, openMenu } from './menu.ts'
import { fullName, summary } from './quote.ts'
import { createRefusals } from './refusals.ts'
import { Session } from './session.ts'
import { createSidebar, openUserMenu, type Sidebar, type SidebarOptions } from './sidebar.ts'

/** The user and chat that the page shows, and their parts of the page. */
interface Opened {
  readonly user: User
  readonly chat: Chat
  readonly sidebar: Sidebar
  readonly session: Session
}

const retryMs = 2000
const settleMs = 300
const root = rootElement()
const narrow = matchMedia('(max-width: 760px)')
const refusals = createRefusals()
/** Unsent texts by user and chat. */
const unsent = new Map<string, string>()
let known = nothingKnown
let opened: Opened | undefined

function rootElement(): HTMLElement {
  const element = document.getElementById('app')
  if (!element) throw new Error('index.html has no element with the id "app"')
  return element
}

async function reread(): Promise<void> {
  known = await readKnown()
}

/** Reads the users and chats again, and shows the list of chats as it is now. */
async function showChats(): Promise<void> {
  await reread()
  if (opened) opened.sidebar.show(chatsOf(known, opened.user))
}

let reading: number | undefined

/** Reads the chats once for several events at about the same time. */
function rereadSoon(): void {
  clearTimeout(reading)
  reading = setTimeout(() => ignoreRefusal(showChats()), settleMs)
}

async function createFirstUser(): Promise<void> {
  const isRussian = navigator.language.toLowerCase().startsWith('ru')
  await api.createUser({ first_name: 'Anna', language_code: isRussian ? 'ru' : 'en' })
  await reread()
}

const openPlace = () => opened && placeOf(opened.user.id, opened.chat.id)

function setSidebar(isOpen: boolean): void {
  root.classList.toggle('sidebar-open', isOpen)
  if (!opened) return
  const { element } = opened.sidebar
  element.inert = narrow.matches && !isOpen
  if (narrow.matches && isOpen) element.querySelector('button')?.focus()
}

const openSidebar = () => setSidebar(true)
const closeSidebar = () => setSidebar(false)

function closeSession(): void {
  if (!opened) return
  const { user, chat, session } = opened
  unsent.set(placeOf(user.id, chat.id), session.composer.text())
  known = withLastMessage(known, chat, session.conversation.all().at(-1))
  session.close()
  opened.sidebar.destroy()
  opened = undefined
}

/** Opens a user and a chat: the first user in place of an unknown one, the private chat in place of an unknown chat. */
async function open(userId: number, chatId: number): Promise<void> {
  closeSession()
  const { users, bot } = known
  const user = users.find((one) => one.id === userId) ?? users[0]
  if (!user || !bot) return
  const chats = chatsOf(known, user)
  const chat = chats.find((one) => one.id === chatId) ?? chats.find((one) => one.type === 'private')
  if (!chat) return
  setLanguage(user.language_code)
  const place = placeOf(user.id, chat.id)
  showPlace(place)
  document.title = `${fullName(bot)} · ${t('sandbox')}`
  refusals.draw()

  const options = sidebarOptions(user, chat, chats, bot)
  const sidebar = createSidebar(options)
  const session = createSession(options, sidebar)
  opened = { user, chat, sidebar, session }
  const backdrop = h('div.backdrop', { testid: 'backdrop', onclick: closeSidebar })
  fill(root, sidebar.element, backdrop, session.element)
  closeSidebar()
  await session.open()
  const text = unsent.get(place)
  if (text) session.composer.setText(text)
  if (matchMedia('(pointer: fine)').matches) session.composer.focus()
}

function sidebarOptions(user: User, chat: Chat, chats: readonly Chat[], bot: Bot): SidebarOptions {
  return {
    get users() {
      return known.users
    },
    user,
    chat,
    chats,
    bot,
    refusals: refusals.element,
    lastLine(one) {
      const isOpen = opened?.chat.id === one.id
      const last = isOpen ? opened?.session.conversation.all().at(-1) : one.last_message
      return last ? summary(last) : ''
    },
    openUser(id) {
      const stays = chat.type !== 'private' && chat.members.includes(id)
      void open(id, stays ? chat.id : id)
    },
    openChat: (id) => void open(user.id, id),
    async userCreated({ id }) {
      await reread()
      await open(id, id)
    },
    async groupCreated({ id }) {
      await reread()
      await open(user.id, id)
    },
    openFaults,
    close: closeSidebar,
  }
}

function createSession(options: SidebarOptions, sidebar: Sidebar): Session {
  const { user, chat, bot } = options
  return new Session({
    user,
    chat,
    bot,
    speaker: chat.type === 'private' ? null : speakerButton(options),
    openSidebar,
    openFaults,
    onActivity: sidebar.follow,
    onRefusal: refusals.add,
    onElsewhere: rereadSoon,
    onChatsChanged: showChats,
    typeElsewhere,
  })
}

function typeElsewhere(text: string, at: MenuPlace): void {
  const { bot } = known
  if (!opened || !bot) return
  const { user, chat, session } = opened
  const type = (chatId: number) => {
    if (chatId === chat.id) return session.composer.setText(text)
    unsent.set(placeOf(user.id, chatId), text)
    void open(user.id, chatId)
  }
  const items = chatsOf(known, user).map((chat) => ({
    label: chatTitle(chat, bot),
    testid: `send-to-${chat.id}`,
    onclick: () => type(chat.id),
  }))
  openMenu(at, items, { testid: 'choose-chat', label: t('chats') })
}

/** A button that shows who writes in a group, and opens a menu to switch to another user. */
function speakerButton(options: SidebarOptions): HTMLElement {
  const name = fullName(options.user)
  const label = t('speaks', { name })
  const button: HTMLButtonElement = h(
    'button.speaker',
    { testid: 'speaker', label, title: label, onclick: () => openUserMenu(button, options) },
    avatar(name, options.user.id),
  )
  return button
}

/** Starts the page; tries again until the sandbox answers. */
async function begin(): Promise<void> {
  try {
    await reread()
    if (known.users.length === 0) await createFirstUser()
    const { userId, chatId } = addressed()
    const id = userId || known.users[0]?.id || 0
    await open(id, chatId || id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (root.childElementCount === 0) toast(error.message, 'error')
    setTimeout(begin, retryMs)
  }
}

/** Opens the user and chat of the address. An unknown chat may be a new one, so the chats are read again. */
async function openAddressed(userId: number, chatId: number): Promise<void> {
  if (!known.chats.some(({ id }) => id === chatId)) await reread()
  await open(userId, chatId)
}

addEventListener('hashchange', () => {
  const { userId, chatId } = addressed()
  if (placeOf(userId, chatId) !== openPlace()) ignoreRefusal(openAddressed(userId, chatId))
})
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && root.classList.contains('sidebar-open')) closeSidebar()
})
// Each tab shows its own place: the last is the one of the tab that was used last.
addEventListener('focus', () => {
  const place = openPlace()
  if (place !== undefined) rememberPlace(place)
})
narrow.addEventListener('change', closeSidebar)
setLanguage(navigator.language)
void begin()
