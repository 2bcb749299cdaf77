// What every message about a generation has in common: its caption and its buttons.

import { type Api, InlineKeyboard } from 'grammy'
import type { Catalog } from '../catalog/catalog.ts'
import type { Delivers } from '../catalog/model.ts'
import type { Database } from '../db/client.ts'
import type { Artifact, Generation } from '../generations/generation.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Say, Texts } from '../texts.ts'
import type { Downloads } from './download.ts'
import { titleOf } from './status.ts'

export interface MessengerDeps {
  readonly api: Api
  readonly db: Database
  readonly catalog: Catalog
  readonly texts: Texts
  readonly clock: Clock
  readonly log: Log
  readonly downloads: Downloads
  /** How long the picture of a 3D model may take before the model goes without it. */
  readonly previewMs?: number
}

export function againKeyboard(say: Say, { id }: Generation): InlineKeyboard {
  return new InlineKeyboard()
    .text(say.plain('button-again'), `r:${id}`)
    .text(say.plain('button-change'), `e:${id}`)
}

/** What the results of a generation are; undefined when its model is gone. */
export const kindOf = (
  { catalog }: MessengerDeps,
  { modelId, request }: Generation,
): Delivers['kind'] | undefined => catalog.find(modelId)?.delivers(request).kind

/** How many results were paid for; there may be more files: two tracks for one price, extra files of a result. */
export const paidOf = ({ catalog }: MessengerDeps, { modelId, request }: Generation, files: number): number =>
  catalog.find(modelId)?.delivers(request).count ?? files

/** Without an extension. */
export const fileName = ({ id }: Generation, { position }: Artifact): string => `${id}-${position + 1}`

export type Parts = ReturnType<typeof partsOf>

/** The last of several results carries the caption and the buttons. */
export function partsOf(deps: MessengerDeps, generation: Generation, say: Say, isLast: boolean) {
  const model = deps.catalog.find(generation.modelId)
  const title = titleOf(say, generation, model)
  const amount = say.roubles(generation.captured ?? generation.amount)
  const caption = say.html('result-caption', { title, amount })
  const keyboard = againKeyboard(say, generation)
  // Photos are shown smaller than they were made.
  if (kindOf(deps, generation) === 'image')
    keyboard.row().text(say.plain('button-originals'), `o:${generation.id}`)
  const common = { parse_mode: 'HTML' as const }
  return {
    model: model ? say.label(model.label) : generation.modelId,
    /** For whatever has no caption. */
    common: { ...common, ...(isLast ? { reply_markup: keyboard } : {}) },
    caption,
    keyboard,
    all: { ...common, ...(isLast ? { caption, reply_markup: keyboard } : {}) },
  }
}
