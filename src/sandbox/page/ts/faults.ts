// "Make it fail": ready-made faults, which show how the bot deals with them.

import { ApiError, api, type NewFault, type ScriptedFault } from './api.ts'
import { openDialog, toast } from './dialog.ts'
import { fill, h, icon } from './dom.ts'
import { t, type WordKey } from './i18n.ts'

interface Preset {
  readonly id: string
  readonly label: WordKey
  readonly fault: NewFault
}

const task = (status: 'failed' | 'canceled' | 'stuck', error?: string): NewFault => ({
  target: 'gateway',
  operation: 'create',
  fault: { kind: 'task', status, error },
})

const tooManyRequests: NewFault['fault'] = {
  kind: 'error',
  status: 429,
  description: 'Too Many Requests: retry after 3',
  retryAfter: 3,
}

const presets: readonly Preset[] = [
  { id: 'failed', label: 'faultFailed', fault: task('failed', 'The generation failed') },
  { id: 'canceled', label: 'faultCanceled', fault: task('canceled') },
  { id: 'stuck', label: 'faultStuck', fault: task('stuck') },
  {
    id: 'gateway',
    label: 'faultGateway',
    fault: { target: 'gateway', operation: '*', fault: { kind: 'error', status: 503 } },
  },
  {
    id: 'callbacks',
    label: 'faultCallbacks',
    fault: { target: 'gateway', operation: 'callback', fault: { kind: 'cut' } },
  },
  { id: 'cdn', label: 'faultCdn', fault: { target: 'gateway', operation: 'cdn', fault: { kind: 'cut' } } },
  {
    id: 'gone',
    label: 'faultGone',
    fault: { target: 'gateway', operation: 'cdn', fault: { kind: 'error', status: 404 } },
  },
  {
    id: 'redirect',
    label: 'faultRedirect',
    fault: { target: 'gateway', operation: 'cdn', fault: { kind: 'redirect', status: 302 } },
  },
  {
    id: 'type',
    label: 'faultType',
    fault: {
      target: 'gateway',
      operation: 'cdn',
      fault: { kind: 'type', type: 'application/octet-stream' },
    },
  },
  {
    id: 'files',
    label: 'faultFiles',
    fault: { target: 'gateway', operation: 'create', fault: { kind: 'files' } },
  },
  {
    id: 'video',
    label: 'faultVideo',
    fault: {
      target: 'telegram',
      operation: 'sendVideo',
      fault: tooManyRequests,
    },
  },
  {
    id: 'answer',
    label: 'faultAnswer',
    fault: { target: 'gateway', operation: 'chat', fault: { kind: 'cut', after: true } },
  },
  {
    id: 'draft',
    label: 'faultDraft',
    fault: {
      target: 'telegram',
      operation: 'sendMessageDraft',
      fault: tooManyRequests,
    },
  },
  {
    id: 'twice',
    label: 'faultTwice',
    fault: { target: 'telegram', operation: 'update', fault: { kind: 'twice' } },
  },
]

const counts = [1, 3, 10]

export function openFaults(): void {
  const times = h(
    'select.field.small',
    { testid: 'fault-times', label: t('faultTimes') },
    counts.map((count) => h('option', { value: count }, `× ${count}`)),
  )
  const list = h('ul.fault-list', { testid: 'fault-list' })
  const clear = h('button.button', { testid: 'faults-clear' }, t('clearFaults'))

  const draw = (faults: readonly ScriptedFault[]) => {
    clear.disabled = faults.length === 0
    fill(list, faults.length === 0 ? h('li.muted', {}, t('faultClear')) : faults.map(faultRow))
  }
  const run = async (request: () => Promise<readonly ScriptedFault[]>) => {
    try {
      draw(await request())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'error')
    }
  }
  clear.addEventListener('click', () => run(api.clearFaults))

  const add = (fault: NewFault) => run(() => api.addFault({ ...fault, times: Number(times.value) }))
  const buttons = presets.map(({ id, label, fault }) =>
    h('button.preset', { testid: `fault-${id}`, onclick: () => add(fault) }, icon('bolt'), t(label)),
  )
  openDialog({
    title: t('faults'),
    testid: 'faults-dialog',
    wide: true,
    body: [
      h('p.muted', {}, t('faultText')),
      h('label.inline-label', {}, t('faultTimes'), times),
      h('div.presets', {}, buttons),
      h('h3', {}, t('faultList')),
      list,
    ],
    actions: clear,
  })
  void run(api.faults)
}

const comparable = ({ target, operation, fault }: NewFault): string =>
  `${target} ${operation} ${fault.kind} ${'status' in fault ? (fault.status ?? '') : ''}`

function faultRow(fault: ScriptedFault): HTMLElement {
  const preset = presets.find((one) => comparable(one.fault) === comparable(fault))
  const words = preset ? t(preset.label) : comparable(fault)
  return h('li', { testid: 'fault' }, words, h('span.count', {}, `× ${fault.times}`))
}
