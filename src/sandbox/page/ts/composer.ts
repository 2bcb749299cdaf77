// The composer: the growing input, the message that is answered, and above them the commands or the results of an inline query.

import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import type { AskedAnswer, BotCommand, OfferedResult, On } from './api.ts'
import { fileSign } from './content.ts'
import { openFiles } from './files.ts'
import { t } from './i18n.ts'
import { quoted, senderName, summary } from './messages.ts'
import { currentContext, focusInput, leaveContext, send, start, takeReply } from './session.ts'
import { act, here, state, update } from './state.ts'
import { icon, iconButton, twoLines } from './ui.ts'

async function submit(): Promise<void> {
  const { context, text: written } = state
  const text = written.trim()
  if (!text) return
  update({ text: '' })
  // After a refusal, which the user has seen, the written text must not be lost.
  if (!(await send({ text, ...takeReply() }))) update({ text: written, context })
}

/** The commands that a typed text begins. */
const commandsFor = (text: string): readonly BotCommand[] =>
  text.startsWith('/')
    ? state.commands.filter(({ command }) => `/${command}`.startsWith(text.toLowerCase()))
    : []

/** The query to the bot's inline mode in a typed text. */
function queryIn(text: string): string | undefined {
  const [, name, query] = /^@(\w+) (.*)$/s.exec(text) ?? []
  return name?.toLowerCase() === here().bot.username.toLowerCase() ? query?.trim() : undefined
}

function commandRow({ command, description }: BotCommand) {
  const choose = () => {
    update({ text: '' })
    void send({ text: `/${command}`, ...takeReply() })
  }
  return html`<button class="line item" key=${command} data-testid="command-${command}" onClick=${choose}>
    <b class="mention">/${command}</b><span class="muted">${description}</span></button>`
}

function panel(text: string) {
  const query = queryIn(text)
  if (query !== undefined) return html`<${InlinePanel} key=${query} query=${query} />`
  const commands = commandsFor(text)
  return (
    commands.length > 0 &&
    html`<section class="panel" aria-label=${t('commands')} data-testid="commands">
      ${commands.map(commandRow)}</section>`
  )
}

/** Asks the bot when the user has paused, and sends the result that is chosen. */
function InlinePanel({ query }: { readonly query: string }) {
  const [answer, setAnswer] = useState<AskedAnswer>()
  const { button, results = [], query_id = '' } = answer ?? {}
  const ask = async () =>
    setAnswer(await act('POST /api/chats/:chatId/inline', { from: state.userId, query }))
  useEffect(() => {
    const timer = setTimeout(ask, 250)
    return () => clearTimeout(timer)
  }, [])
  const choose = async (result_id: string) => {
    const { reply_to } = takeReply()
    const body = { from: state.userId, query_id, result_id, reply_to }
    if (await act('POST /api/chats/:chatId/choices', body)) update({ text: '' })
  }
  const note = answer ? results.length === 0 && t('nothingFound') : t('searching')
  const begin = () => start(button?.start_parameter)
  return html`<section class="panel" data-testid="inline-panel" aria-label=${t('inlineResults')}>
    ${button && html`<button class="line item mention" data-testid="inline-start" onClick=${begin}>${button.text}</button>`}
    ${note && html`<p class="item muted" role="status" data-testid="inline-note">${note}</p>`}
    ${results.map((one) => resultRow(one, () => choose(one.id)))}</section>`
}

function resultRow({ id, title, description, content }: OfferedResult, onClick: () => void) {
  const { photo, video, document, caption } = content
  const thumb = (photo?.[0] ?? video?.thumbnail ?? document?.thumbnail)?.file_id
  return html`<button key=${id} class="line item" data-testid="inline-result" onClick=${onClick}>
    ${fileSign(thumb)}${twoLines(title || summary(content), description ?? caption)}</button>`
}

/** What a key does in the input; undefined when it types. Enter sends, but from an inline query it moves to the results. */
function keyAction(key: string): (() => unknown) | undefined {
  const [first] = commandsFor(state.text)
  const toResults = () => document.querySelector<HTMLElement>('.panel button')?.focus()
  if (key === 'Enter') return queryIn(state.text) === undefined ? submit : toResults
  if (key === 'Tab' && first) return () => update({ text: `/${first.command} ` })
  return key === 'Escape' ? leaveContext : undefined
}

function onKeyDown(event: KeyboardEvent): void {
  const act = !event.isComposing && !event.shiftKey && keyAction(event.key)
  if (!act) return
  event.preventDefault()
  act()
}

function onPaste(event: ClipboardEvent): void {
  const pasted = [...(event.clipboardData?.files ?? [])]
  if (pasted.length > 0) event.preventDefault()
  openFiles(pasted)
}

/** A keyboard on the screen would cover the chat that was opened. */
const focusAtDesk = (input: HTMLElement | null) => matchMedia('(pointer: fine)').matches && input?.focus()

export function composer() {
  const { text } = state
  const isCommand = text.startsWith('/')
  const onInput = ({ currentTarget: { value } }: On<HTMLTextAreaElement>) => update({ text: value })
  const onMenu = () => {
    update({ text: isCommand ? '' : '/' })
    focusInput()
  }
  const onFiles = ({ currentTarget: input }: On<HTMLInputElement>) => {
    openFiles([...(input.files ?? [])])
    input.value = ''
  }
  const onAttach = () => document.querySelector<HTMLElement>('[type=file]')?.click()
  return html`<div class="foot" data-testid="composer">${panel(text)}${contextBar()}
    <div class="line bar">
      ${state.commands.length > 0 && (!text || isCommand) && iconButton('menu', t('commands'), 'commands-button', { class: 'icon-button ready', onClick: onMenu })}
      <textarea ref=${focusAtDesk} class="input grow" rows="1" data-testid="input" aria-label=${t('message')} dir="auto"
        placeholder=${t('message')} maxlength="4096" enterkeyhint="send" value=${text}
        onInput=${onInput} onKeyDown=${onKeyDown} onPaste=${onPaste} />
      <input type="file" multiple hidden data-testid="files" onChange=${onFiles} />
      ${iconButton('attach', t('attach'), 'attach', { onClick: onAttach })}
      ${iconButton('send', t('send'), 'send', { class: `icon-button ${text.trim() && 'ready'}`, onClick: submit })}
    </div></div>`
}

/** The line above the input that says which message is being answered. */
function contextBar() {
  const message = currentContext()
  if (!message) return ''
  return html`<div class="line bar" data-testid="context-bar">${icon('reply')}
    ${quoted(message, t('replyTo', { name: senderName(message) }))}
    ${iconButton('close', t('close'), 'context-cancel', { onClick: leaveContext })}</div>`
}
