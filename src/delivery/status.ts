// The status message of a generation: the card is edited into it, and it shows the state of the order until the end.

import { promptOf } from '../catalog/prompt.ts'
import type { Generation } from '../generations/generation.ts'
import { expectPreview } from '../media/glb-preview.ts'
import { escapeHtml, type Html, type Locale, type Say } from '../texts.ts'
import { type DeliveryDeps, type Subject, subjectOf } from './job.ts'

/** Edits the status message. A failure is only logged. @param locale the language of its user, if it is known */
export const updateStatus = (deps: DeliveryDeps, generation: Generation, locale?: Locale): Promise<void> =>
  logged(deps, generation, async () => edit(deps, await subjectOf(deps, generation, locale)))

/** The same for a known subject. */
export const showStatus = (deps: DeliveryDeps, subject: Subject): Promise<void> =>
  logged(deps, subject.generation, () => edit(deps, subject))

async function logged(
  { log }: DeliveryDeps,
  { id, statusMessageId }: Generation,
  work: () => Promise<unknown>,
): Promise<void> {
  if (statusMessageId === null) return
  try {
    await work()
  } catch (error) {
    log.debug({ generation: id, error }, 'status message not edited')
  }
}

async function edit({ api, clock }: DeliveryDeps, subject: Subject): Promise<void> {
  const { chatId, statusMessageId, state, request } = subject.generation
  if (statusMessageId === null) return
  if (state === 'running' && subject.model?.delivers(request).kind === 'model3d') expectPreview()
  const text = statusText(subject, clock.now())
  await api.editMessageText(chatId, statusMessageId, text, { parse_mode: 'HTML' })
}

function statusText(subject: Subject, now: Date): string {
  const { say, generation } = subject
  const state = stateText(say, generation, now)
  return say.html('status', { title: titleOf(subject), state: { html: state } })
}

/** The name of the model, and the beginning of the prompt. */
export function titleOf(subject: Subject): Html {
  const name = escapeHtml(modelName(subject))
  const prompt = promptOf(subject.generation.request)
  return {
    html: prompt ? `<b>${name}</b>\n<blockquote>${escapeHtml(prompt)}</blockquote>` : `<b>${name}</b>`,
  }
}

export const modelName = ({ say, model, generation }: Subject): string =>
  model ? say.label(model.label) : generation.modelId

/** Whether money returns to the wallet of a group. */
export const isByWallet = ({ walletId }: Pick<Generation, 'walletId'>): boolean => walletId !== null

function stateText(say: Say, generation: Generation, now: Date): string {
  const { state, amount } = generation
  const elapsed = clockTime(generation, now)
  switch (state) {
    case 'held':
    case 'submitting':
      return say.html('status-accepted', { amount: say.roubles(amount) })
    case 'running':
      return say.html(generation.progress === 'processing' ? 'status-processing' : 'status-queued', {
        elapsed,
      })
    case 'unknown':
      return say.html(isByWallet(generation) ? 'status-unknown-wallet' : 'status-unknown', {
        amount: say.roubles(amount),
      })
    case 'succeeded':
      return succeededText(say, generation, elapsed)
    case 'failed':
    case 'canceled':
      if (generation.arrivedLateAt) return say.html('status-late')
      return say.html(isByWallet(generation) ? 'status-failed-wallet' : 'status-failed', {
        amount: say.roubles(amount),
      })
  }
}

function succeededText(say: Say, generation: Generation, elapsed: string): string {
  const { delivery, captured, refunded, amount } = generation
  if (delivery === 'pending') return say.html('status-sending', { elapsed })
  const charged = (captured ?? 0n) - (refunded ?? 0n)
  if (charged === 0n)
    return say.html(isByWallet(generation) ? 'status-failed-wallet' : 'status-failed', {
      amount: say.roubles(amount),
    })
  if (delivery === 'undeliverable') return say.html('status-undelivered', { charged: say.roubles(charged) })
  const key = charged < amount ? 'status-done-partly' : 'status-done'
  const back = say.roubles(amount - charged)
  return say.html(key, { elapsed, charged: say.roubles(charged), back })
}

/** `0:42`: the time from the confirmation to the end, or until now. */
function clockTime({ createdAt, settledAt }: Generation, now: Date): string {
  const seconds = Math.max(0, Math.round(((settledAt ?? now).getTime() - createdAt.getTime()) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
