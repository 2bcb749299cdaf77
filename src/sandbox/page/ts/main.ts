// The page as a whole: the chats beside the open one, with its header, messages and composer.

import { html, render } from 'htm/preact'
import { request } from './api.ts'
import { composer } from './composer.ts'
import { currentLanguage, setLanguage, t } from './i18n.ts'
import { Conversation } from './messages.ts'
import { addressed, openPlace, readKnown, rememberPlace, start } from './session.ts'
import { faceOf, sidebar } from './sidebar.ts'
import { here, onUpdate, place, state, update } from './state.ts'
import { iconButton, toastView } from './ui.ts'

const app = () =>
  html`<div class="app ${state.isListOpen ? 'list-open' : ''}" data-testid="app">
    ${state.chatId !== 0 && html`${sidebar()}${chatView()}`}</div>
    ${state.overlay && html`<${state.overlay} />`}${toastView()}`

const chatView = () =>
  html`<main key=${place()} class="chat" data-testid="chat">${header()}<div class="chat-body">
      ${state.isLost && html`<div class="warning" role="alert" data-testid="connection-banner">${t('connectionLost')}</div>`}
      <${Conversation} />${!here().chat.last_message && greeting()}${composer()}
    </div></main>`

function header() {
  const { chat, bot, isPrivate } = here()
  const { title, face } = faceOf(chat)
  const idle = isPrivate ? `${t('bot')} · @${bot.username}` : t('members', { n: chat.members.length })
  const acting = t(state.action === 'typing' ? 'typing' : 'sendingFile')
  return html`<header class="line head">
    ${iconButton('back', t('chats'), 'open-sidebar', { class: 'icon-button back', onClick: () => update({ isListOpen: true }) })}
    ${face}
    <div class="two-lines grow"><h1>${title}</h1><small data-testid="status" aria-live="polite">${state.action ? acting : idle}</small></div>
  </header>`
}

/** The content of a chat without messages: the bot's own description, and the button that starts it. */
function greeting() {
  const { bot, chat, isPrivate } = here()
  const { title, face } = faceOf(chat)
  const words = isPrivate && (bot.profile.description[currentLanguage()] || bot.profile.description[''])
  return html`<section class="column card" data-testid="empty">
    ${face}<h2>${isPrivate ? t('welcome') : title}</h2>
    <p class="pre-wrap">${words}</p><p class="muted">${t('emptyText')}</p>
    <button class="button primary" data-testid="start" onClick=${() => start()}>${t('start')}</button></section>`
}

onUpdate(() => render(app(), document.body))
addEventListener('focus', () => state.chatId !== 0 && rememberPlace())
setLanguage(navigator.language)
await readKnown()
if (state.users.length === 0) {
  await request('POST /api/users', { first_name: 'Anna', language_code: currentLanguage() })
  await readKnown()
}
openPlace(...addressed())
