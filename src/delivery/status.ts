// The one live message of a generation: the card turns into it, and it says what is going on until the end.

import type { Model } from '../catalog/model.ts'
import { promptOf } from '../catalog/prompt.ts'
import type { Generation } from '../generations/generation.ts'
import { escapeHtml, type Html, type Say } from '../texts.ts'

export function statusText(say: Say, generation: Generation, model: Model | undefined, now: Date): string {
  const title = titleOf(say, generation, model)
  return say.html('status', { title, state: { html: stateText(say, generation, now) } })
}

/** The model and the beginning of what was asked for. */
export function titleOf(say: Say, generation: Generation, model: Model | undefined): Html {
  const name = escapeHtml(model ? say.label(model.label) : generation.modelId)
  const prompt = promptOf(generation.request)
  return {
    html: prompt ? `<b>${name}</b>\n<blockquote>${escapeHtml(prompt)}</blockquote>` : `<b>${name}</b>`,
  }
}

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
      return say.html('status-unknown', { amount: say.roubles(amount) })
    case 'succeeded':
      return succeededText(say, generation, elapsed)
    case 'failed':
    case 'canceled':
      return say.html('status-failed', { amount: say.roubles(amount) })
  }
}

function succeededText(say: Say, generation: Generation, elapsed: string): string {
  const { delivery, captured, refunded, amount } = generation
  if (delivery === 'pending') return say.html('status-sending', { elapsed })
  const charged = (captured ?? 0n) - (refunded ?? 0n)
  if (charged === 0n) return say.html('status-failed', { amount: say.roubles(amount) })
  if (delivery === 'undeliverable') return say.html('status-undelivered', { charged: say.roubles(charged) })
  const key = charged < amount ? 'status-done-partly' : 'status-done'
  const back = say.roubles(amount - charged)
  return say.html(key, { elapsed, charged: say.roubles(charged), back })
}

/** `0:42`, from the confirmation to the end or to now. */
function clockTime({ createdAt, settledAt }: Generation, now: Date): string {
  const seconds = Math.max(0, Math.round(((settledAt ?? now).getTime() - createdAt.getTime()) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
