// The composer: the growing input, replies and edits, commands, inline queries and files.

import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import {
  ApiError,
  type AskedAnswer,
  type BotCommand,
  fullName,
  type Message,
  type OfferedResult,
  type On,
  request,
} from './api.ts'
import { openAttachMenu, openSendDialog, pickers } from './attachments.ts'
import { fileSign, twoLines } from './content.ts'
import { t } from './i18n.ts'
import { avatar, type IconName, icon, iconButton } from './icons.ts'
import { askedReply } from './keyboards.ts'
import { quoted, senderName, summary, thumbnailOf } from './messages.ts'
import { focusInput, readCommands, send, start } from './session.ts'
import { openUserMenu } from './sidebar.ts'
import { type Context, here, place, setText, state, told, typedText, update } from './state.ts'
import { moveFocus } from './windows.ts'

function currentContext(): Context | undefined {
  const message = askedReply()
  return state.context ?? (message && { kind: 'reply', message })
}

function leaveContext(): void {
  if (state.context?.kind === 'edit') setText('')
  update({ context: undefined, cancelledReply: askedReply()?.message_id })
}

/** The id of the message that is being answered. Only the next message is a reply. */
function takeReply(): number | undefined {
  const context = currentContext()
  if (context?.kind !== 'reply') return undefined
  update({ context: undefined })
  return context.message.message_id
}

async function submit(): Promise<void> {
  const context = currentContext()
  const written = typedText()
  const text = written.trim()
  if (!text) return
  setText('')
  update({ context: undefined })
  const isEdit = context?.kind === 'edit'
  const place = { reply_to: context?.message.message_id, quote: context?.quote }
  const isSent = isEdit ? await sendEdit(context.message, text) : await send({ text, ...place })
  if (isSent) return
  // The user has seen the reason. The written text must not be lost.
  setText(written)
  update({ context })
}

async function sendEdit({ message_id }: Message, text: string): Promise<boolean> {
  const body = { from: state.userId, message_id, text }
  return (await told(request('POST /api/chats/:chatId/edits', body, state.chatId))) !== undefined
}

export const sendFiles = (files: readonly File[]) => openSendDialog(files, undefined, takeReply)

type Keys = Readonly<Record<string, () => unknown>>

/**
 * What is open above the input. The list of commands is opened by its button, or while the beginning of a command is typed; Enter always sends
 * what is typed. An inline query is not sent as a message: Enter moves to its results. Escape closes either until another text is typed.
 */
function usePanel(text: string) {
  const [isOpened, open] = useState(false)
  const [closed, close] = useState<string>()
  const show = (isList: boolean, without?: string) => {
    open(isList)
    close(without)
  }
  const hide = () => show(false, text)
  const prefix = /^\/([a-z0-9_]*)$/i.exec(text)?.[1]?.toLowerCase()
  const isListed = isOpened || (prefix !== undefined && text !== closed)
  const commands = isListed ? state.commands.filter(({ command }) => command.startsWith(prefix ?? '')) : []
  const query = text === closed ? undefined : queryIn(text)
  const focus = (selector: string) => document.querySelector<HTMLElement>(`.panel ${selector}`)?.focus()
  const choose = (command: string) => {
    hide()
    if (prefix === undefined) return void send({ text: `/${command}`, reply_to: takeReply() })
    setText(`/${command} `)
    return focusInput()
  }
  const toggle = () => {
    void readCommands()
    show(!isListed, isListed ? text : undefined)
    focusInput()
  }
  const row = ({ command, description }: BotCommand) =>
    html`<button type="button" class="line item" key=${command} data-testid="command-${command}" onClick=${() => choose(command)}>
      <b class="mention">/${command}</b><span class="muted">${description}</span></button>`
  const [first] = commands
  const ofList: Keys = { ArrowUp: () => focus('button:last-of-type'), Escape: hide }
  const ofQuery: Keys = { Enter: () => focus('button'), ArrowUp: () => focus('button'), Escape: hide }
  const list = () =>
    html`<section class="panel" aria-label=${t('commands')} data-testid="commands" onKeyDown=${moveFocus}>${commands.map(row)}</section>`
  return {
    panel: first ? list() : query !== undefined && html`<${InlinePanel} key=${query} query=${query} />`,
    keys: first ? { ...ofList, Tab: () => choose(first.command) } : query === undefined ? {} : ofQuery,
    toggle,
    typed: () => show(false),
  }
}

/** The query to the bot's inline mode in a typed text. */
function queryIn(text: string): string | undefined {
  const [, name, query] = /^@(\w+) (.*)$/s.exec(text) ?? []
  return name?.toLowerCase() === here().bot.username.toLowerCase() ? query?.trim() : undefined
}

/** Asks the bot when the user has paused, and sends the result that is chosen. */
function InlinePanel({ query }: { readonly query: string }) {
  const [answer, setAnswer] = useState<AskedAnswer>()
  const [note, setNote] = useState(t('searching'))
  const { button, results = [], next_offset: next, query_id = '' } = answer ?? {}
  const ask = async (offset: string) => {
    const body = { from: state.userId, query, offset }
    const asked = request('POST /api/chats/:chatId/inline', body, state.chatId)
    const given = await asked.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      setNote(error.message)
    })
    if (!given) return
    const all = [...results, ...given.results]
    setAnswer({ ...given, results: all })
    setNote(all.length === 0 ? t('nothingFound') : '')
  }
  useEffect(() => {
    const timer = setTimeout(() => ask(''), 250)
    return () => clearTimeout(timer)
  }, [])
  const choose = async (result_id: string) => {
    const [at, written] = [place(), typedText()]
    setText('')
    const body = { from: state.userId, query_id, result_id, reply_to: takeReply(), thread_id: state.topic }
    if (!(await told(request('POST /api/chats/:chatId/choices', body, state.chatId)))) setText(written, at)
  }
  const other = (testid: string, label: string, onClick: () => unknown) =>
    html`<button type="button" class="line item mention" data-testid=${testid} onClick=${onClick}>${label}</button>`
  return html`<section class="panel" data-testid="inline-panel" aria-label=${t('inlineResults')} onKeyDown=${moveFocus}>
    ${button && other('inline-start', button.text, () => start(button.start_parameter))}
    ${note && html`<p class="item muted" role="status" data-testid="inline-note">${note}</p>`}
    ${results.map((one) => resultRow(one, () => choose(one.id)))}
    ${next && other('inline-more', t('showMore'), () => ask(next))}
  </section>`
}

const signs: Readonly<Record<string, IconName>> = {
  video: 'video',
  audio: 'music',
  voice: 'mic',
  photo: 'image',
}

const resultRow = ({ id, type, title, description, content }: OfferedResult, onClick: () => void) =>
  html`<button type="button" key=${id} class="line item" data-testid="inline-result" onClick=${onClick}>
    ${fileSign(thumbnailOf(content), signs[type])}
    ${twoLines(title || summary(content), description ?? content.caption)}</button>`

export function Composer() {
  const text = typedText()
  const { panel, keys: ofPanel, toggle, typed } = usePanel(text)
  const onInput = ({ currentTarget: { value } }: On<HTMLTextAreaElement>) => {
    setText(value)
    typed()
    if (value === '/') void readCommands()
  }
  const ofContext = currentContext() && { Escape: leaveContext }
  const keys: Keys = { Enter: submit, ...ofContext, ...ofPanel }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act || event.isComposing || event.shiftKey) return
    event.preventDefault()
    act()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])]
    if (pasted.length > 0) event.preventDefault()
    sendFiles(pasted)
  }
  const onSubmit = (event: Event) => event.preventDefault()
  return html`<form data-testid="composer" aria-label=${t('message')} onSubmit=${onSubmit}>
    ${panel}${contextBar()}
    <div class="line bar composer-row">${speaker()}
      <button type="button" class="line commands-button" data-testid="commands-button" title=${t('commands')}
        hidden=${state.commands.length === 0} onClick=${toggle}>${icon('menu')}<span>${t('menu')}</span></button>
      <textarea class="input grow" rows="1" data-testid="input" aria-label=${t('message')} dir="auto" placeholder=${t('message')}
        maxlength="4096" enterkeyhint="send" value=${text} onInput=${onInput} onKeyDown=${onKeyDown} onPaste=${onPaste} />
      ${iconButton('attach', t('attach'), 'attach', { 'aria-haspopup': 'menu', onClick: openAttachMenu })}
      ${iconButton('send', t('send'), 'send', { class: `icon-button ${text.trim() && 'ready'}`, onClick: submit })}
    </div>
    ${pickers(takeReply)}
  </form>`
}

/** The line above the input that says which message is being answered or edited. */
function contextBar() {
  const context = currentContext()
  if (!context) return ''
  const { kind, message, quote } = context
  const isEdit = kind === 'edit'
  const label = isEdit ? t('editing') : t('replyTo', { name: senderName(message) })
  const cancel = iconButton('close', t('cancel'), 'context-cancel', {
    onClick: leaveContext,
  })
  return html`<div class="line bar" data-testid="context-bar">${icon(isEdit ? 'edit' : 'reply')}
    ${quoted(message, label, quote)}${cancel}</div>`
}

/** A button that shows who writes in a group, and opens a menu to switch to another user. */
function speaker() {
  const { user, isPrivate } = here()
  if (isPrivate) return ''
  const name = fullName(user)
  const label = t('speaks', { name })
  return html`<button type="button" data-testid="speaker" aria-label=${label} title=${label} onClick=${openUserMenu}>
    ${avatar(name, user.id)}</button>`
}
