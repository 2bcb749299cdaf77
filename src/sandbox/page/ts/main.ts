// The page as a whole: the sidebar beside the open chat, with its header, messages and composer.

import { html, render } from 'htm/preact'
import { ApiError, type Chat, chatTitle, type On, request } from './api.ts'
import { Composer, sendFiles } from './composer.ts'
import { currentLanguage, plural, setLanguage, t, type WordKey } from './i18n.ts'
import { avatar, iconButton } from './icons.ts'
import { conversation } from './messages.ts'
import { addressed, openPlace, readKnown, rememberPlace, setBlocked, start } from './session.ts'
import { closeSidebar, sidebar, topics } from './sidebar.ts'
import {
  here,
  type MenuItem,
  onUpdate,
  openMenu,
  place,
  shownMessages,
  state,
  toast,
  update,
} from './state.ts'
import { action, dialogs, Menu, Toasts } from './windows.ts'

const retryMs = 2000
const narrow = matchMedia('(max-width: 760px)')

const app = () =>
  html`<div class="app ${state.isSidebarOpen ? 'sidebar-open' : ''}" data-testid="app">${state.chatId !== 0 && parts()}</div>
    ${dialogs()}<${Toasts} />`

const parts = () =>
  html`${sidebar()}
    ${state.isSidebarOpen && html`<div class="backdrop" data-testid="backdrop" onClick=${closeSidebar}></div>`}${chatView()}`

/** Files can be dropped anywhere on the messages. */
function chatView() {
  const { chat } = here()
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    sendFiles([...(event.dataTransfer?.files ?? [])])
  }
  const lost =
    state.isLost &&
    html`<div class="banner" role="alert" data-testid="connection-banner">${t('connectionLost')}</div>`
  const isEmpty = shownMessages().length === 0 && !chat.blocked
  return html`<main key=${place()} class="chat" data-testid="chat" data-chat-id=${chat.id}>${header()}
    <div class="chat-body" onDragOver=${(event: Event) => event.preventDefault()} onDrop=${onDrop}>
      ${lost}${topics()}${conversation()}${isEmpty && greeting()}
      <div class="foot">${chat.blocked ? blockedBar() : html`<${Composer} />`}</div>
    </div>
    ${state.menu && html`<${Menu} key=${state.menu.id} menu=${state.menu} />`}
  </main>`
}

const actions: Readonly<Record<string, WordKey>> = {
  typing: 'actTyping',
  upload_photo: 'actPhoto',
  upload_video: 'actVideo',
  upload_voice: 'actVoice',
  upload_document: 'actDocument',
}

function header() {
  const { chat, bot, isPrivate } = here()
  const title = chatTitle(chat, bot)
  const idle = isPrivate ? `${t('bot')} · @${bot.username}` : plural('members', chat.members.length)
  const acting = `${t(actions[state.action] ?? 'actOther')}…`
  const more = ({ currentTarget }: On) => openMenu(currentTarget, 'chat-menu', t('chatMenu'), menuItems(chat))
  return html`<header class="line head">
    ${iconButton('menu', t('sidebar'), 'open-sidebar', { 'data-narrow': true, onClick: openSidebar })}
    ${avatar(title, isPrivate ? bot.id : chat.id)}
    <div class="two-lines grow"><h1>${title} <small class="tag" title=${t('emptyText')}>⚡ ${t('sandbox')}</small></h1>
      <small class="status" data-testid="status" aria-live="polite">${state.action ? acting : idle}</small></div>
    ${iconButton('more', t('chatMenu'), 'chat-menu-button', { 'aria-haspopup': 'menu', onClick: more })}
  </header>`
}

function openSidebar(): void {
  update({ isSidebarOpen: true })
  queueMicrotask(() => document.querySelector<HTMLElement>('.sidebar button')?.focus())
}

function menuItems({ blocked }: Chat): MenuItem[] {
  const label = t(blocked ? 'unblock' : 'block')
  const items: MenuItem[] = [
    { label: t('restart'), sign: 'refresh', testid: 'chat-start', onclick: () => start() },
    { label, sign: 'ban', testid: 'chat-block', onclick: () => setBlocked(!blocked) },
  ]
  return here().isPrivate ? items : items.slice(0, 1)
}

const blockedBar = () =>
  html`<div class="line bar" data-testid="blocked-bar"><span class="grow">${t('blocked')}</span>
    ${action(t('unblock'), 'unblock', () => setBlocked(false), { class: 'button primary' })}</div>`

/** The content of a chat without messages: the bot's own description, and the button that starts it. */
function greeting() {
  const { bot, chat, isPrivate } = here()
  const title = chatTitle(chat, bot)
  const { description } = bot.profile
  const words = isPrivate && (description[currentLanguage()] || description[''])
  return html`<section class="column empty" data-testid="empty">
    ${avatar(title, isPrivate ? bot.id : chat.id)}<h2>${isPrivate ? t('welcome') : title}</h2>
    <p class="pre-wrap">${words}</p><p class="muted">${t(isPrivate ? 'emptyText' : 'emptyGroup')}</p>
    ${action(t('start'), 'start', () => start(), { class: 'button primary' })}</section>`
}

async function createFirstUser(): Promise<void> {
  const isRussian = navigator.language.toLowerCase().startsWith('ru')
  await request('POST /api/users', { first_name: 'Anna', language_code: isRussian ? 'ru' : 'en' })
  await readKnown()
}

/** Starts the page; tries again until the sandbox answers. */
async function begin(): Promise<void> {
  try {
    await readKnown()
    if (state.users.length === 0) await createFirstUser()
    await openPlace(...addressed())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(error.message, 'error')
    setTimeout(begin, retryMs)
  }
}

onUpdate(() => render(app(), document.body))
addEventListener('keydown', ({ key }) => key === 'Escape' && state.isSidebarOpen && closeSidebar())
addEventListener('focus', () => state.chatId !== 0 && rememberPlace())
narrow.addEventListener('change', closeSidebar)
setLanguage(navigator.language)
void begin()
