// The words that a video says, as an order of a speech model: the first one on sale, with the voice of the user's last speech.

import type { Answers } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import { readAnswer, spokenIn } from '../../form/answer.ts'
import { fitAnswers, promptField } from '../../form/fit.ts'
import type { Kopecks } from '../../money.ts'
import { isSpoken, orderOf } from '../../orders/deliver/job.ts'
import { type Draft, lastAnswers } from '../../orders/drafts.ts'
import { readOnSale } from '../commands.ts'
import type { BotDeps } from '../context.ts'

export interface Speech {
  /** The id that the draft of the speech gets. */
  readonly draftId: string
  readonly model: Model
  readonly answers: Answers
  readonly amount: Kopecks
}

/** What must be ordered for the words of the draft; undefined without words, and when their order was made before. `unsold`: it cannot be. */
export async function speechOf(
  deps: BotDeps,
  { userId, answers }: Pick<Draft, 'userId' | 'answers'>,
): Promise<Speech | 'unsold' | undefined> {
  const said = spokenIn(answers)
  if (said?.words === undefined || (await orderOf(deps, said.file))) return undefined
  const [model] = (await readOnSale(deps)).models('speech')
  const field = model && promptField(model)
  if (!field) return 'unsold'
  const read = readAnswer(model, field, {}, said.words)
  const last = (await lastAnswers(deps.db, userId, model.id)) ?? {}
  const voices = model.fields.filter((one) => one.kind === 'text' && one.source === 'voices')
  const voice = voices.flatMap(({ name }) => (last[name] === undefined ? [] : [[name, last[name]] as const]))
  const spoken = fitAnswers(model, { ...Object.fromEntries(voice), [field.name]: said.words })
  const amount = read.ok ? deps.catalog.priceWith(model, spoken)?.amount : undefined
  return amount === undefined ? 'unsold' : { draftId: said.file, model, answers: spoken, amount }
}

/** The answers of an order that is repeated: words whose speech did not come are said anew. */
export async function withFreshSpeech(deps: BotDeps, answers: Answers): Promise<Answers> {
  const said = spokenIn(answers)
  const order = said && (await orderOf(deps, said.file))
  if (!order || isSpoken(order)) return answers
  const file = deps.ids.next()
  const entries = Object.entries(answers).map(([name, answer]) => [
    name,
    typeof answer === 'object' ? answer.map((one) => (one === said ? { ...one, file } : one)) : answer,
  ])
  return Object.fromEntries(entries)
}
