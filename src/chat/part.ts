// One message of an answer, as it is stored until it has been sent.

import type { Command } from '../catalog/model.ts'
import type { Piece } from './format/entity.ts'

/** A card with something the model proposes to make; its draft is begun when the card is first sent. */
export interface CardPart {
  readonly kind: 'card'
  readonly draftId: string
  readonly command: Command
  readonly prompt: string
}

export type AnswerPart = Piece | CardPart
