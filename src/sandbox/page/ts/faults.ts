// "Make it fail": ready-made faults, which show how the bot deals with them.

import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { type NewFault, request, type ScriptedFault } from './api.ts'
import { t, type WordKey } from './i18n.ts'
import { icon } from './icons.ts'
import { openDialog, told } from './state.ts'
import { action, dialog } from './windows.ts'

type Fault = NewFault['fault']

const later = { description: 'Too Many Requests: retry after 3', retryAfter: 3 }
const gateway = (operation: string, fault: Fault): NewFault => ({ target: 'gateway', operation, fault })
const telegram = (operation: string, fault: Fault): NewFault => ({ target: 'telegram', operation, fault })

const presets: readonly (readonly [WordKey, NewFault])[] = [
  ['faultFailed', gateway('create', { kind: 'task', status: 'failed', error: 'The generation failed' })],
  ['faultCanceled', gateway('create', { kind: 'task', status: 'canceled' })],
  ['faultStuck', gateway('create', { kind: 'task', status: 'stuck' })],
  ['faultGateway', gateway('*', { kind: 'error', status: 503 })],
  ['faultGone', gateway('cdn', { kind: 'error', status: 404 })],
  ['faultVideo', telegram('sendVideo', { kind: 'error', status: 429, ...later })],
  ['faultAnswer', gateway('chat', { kind: 'cut', after: true })],
  ['faultTwice', telegram('update', { kind: 'twice' })],
]

export const openFaults = () => openDialog(() => html`<${Faults} />`)

function Faults() {
  const [faults, setFaults] = useState<readonly ScriptedFault[]>([])
  const show = async (answer: Promise<readonly ScriptedFault[]>) => setFaults((await told(answer)) ?? faults)
  useEffect(() => void show(request('GET /api/faults')), [])
  const button = ([label, fault]: readonly [WordKey, NewFault]) => {
    const add = () => show(request('POST /api/faults', fault))
    return html`<button class="line item" data-testid=${label} onClick=${add}>${icon('bolt')}${t(label)}</button>`
  }
  const clear = () => show(request('DELETE /api/faults'))
  const content = html`<p class="muted">${t('faultText')}</p><div>${presets.map(button)}</div>
    <h3>${t('faultList')}</h3>
    <ul data-testid="fault-list">${faults.length === 0 && html`<li class="muted">${t('faultClear')}</li>`}
      ${faults.map((one) => html`<li data-testid="fault">${nameOf(one)} <span class="muted">× ${one.times}</span></li>`)}</ul>`
  return dialog(t('faults'), 'faults-dialog', content, action(t('clearFaults'), 'faults-clear', clear))
}

const signOf = ({ target, operation, fault }: NewFault) =>
  `${target} ${operation} ${fault.kind} ${'status' in fault ? (fault.status ?? '') : ''}`

function nameOf(fault: NewFault): string {
  const [label] = presets.find(([, one]) => signOf(one) === signOf(fault)) ?? []
  return label ? t(label) : signOf(fault)
}
