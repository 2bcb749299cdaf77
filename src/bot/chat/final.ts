// A finished answer as messages: its thinking folded away, its text in pieces that fit, its sources, its price.

import { type Api, type InlineKeyboard, InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import { formatAnswer, formatSources, formatThinking, type Piece } from '../../chat/format/answer.ts'
import { splitThinking } from '../../chat/format/thinking.ts'
import type { Turn } from '../../chat/threads.ts'
import { sendInto } from '../../delivery/place.ts'
import type { Say } from '../../texts.ts'
import type { Spot } from './face.ts'

export interface Final {
  readonly turn: Turn
  /** A line below the answer: why it ended early. */
  readonly note: string | undefined
  readonly keyboard: InlineKeyboard
  /** The message that the first piece goes into. */
  readonly into: number | undefined
  /** What the answer replies to. */
  readonly replyTo: number | undefined
}

/** @returns the first message of the answer */
export async function sendFinal(api: Api, spot: Spot, final: Final, say: Say): Promise<number | undefined> {
  const made = piecesOf(final, say)
  const pieces = made.length > 0 ? made : [{ kind: 'text', text: '…', entities: [] } as const]
  let first: number | undefined
  for (const [i, piece] of pieces.entries()) {
    const isLast = i === pieces.length - 1
    const more = { ...(isLast ? { reply_markup: final.keyboard } : {}), ...(i === 0 ? replyOf(final) : {}) }
    const into = i === 0 && piece.kind === 'text' ? final.into : undefined
    const id = await sendPiece(api, spot, piece, into, more)
    first ??= id
  }
  return first
}

function piecesOf({ turn, note }: Final, say: Say): Piece[] {
  const split = splitThinking(turn.answer)
  const thinking = [turn.thinking, split.thinking].filter(Boolean).join('\n')
  return [
    ...(thinking ? formatThinking(thinking, say.plain('chat-thinking')) : []),
    ...formatAnswer(split.answer),
    ...(turn.sources.length > 0 ? formatSources(turn.sources, say.plain('chat-sources')) : []),
    ...(note ? [{ kind: 'text', text: note, entities: [] } as const] : []),
  ]
}

const replyOf = ({ replyTo, into }: Final) =>
  replyTo === undefined || into !== undefined
    ? {}
    : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }

async function sendPiece(
  api: Api,
  spot: Spot,
  piece: Piece,
  into: number | undefined,
  more: object,
): Promise<number> {
  if (piece.kind === 'file') {
    const file = new InputFile(Buffer.from(piece.text), piece.name)
    const sent = await sendInto(spot, (place) => api.sendDocument(spot.chatId, file, { ...more, ...place }))
    return sent.message_id
  }
  const send = (entities: object) =>
    sendInto<Message>(spot, (place) =>
      api.sendMessage(spot.chatId, piece.text, { ...entities, ...more, ...place }),
    )
  const formatted = { entities: [...piece.entities], link_preview_options: { is_disabled: true } }
  if (into !== undefined) {
    const edited = await api
      .editMessageText(spot.chatId, into, piece.text, { ...formatted, ...more })
      .catch(() => undefined)
    if (edited) return into
  }
  // Whatever is wrong with the formatting, the words are not.
  const sent = await send(formatted).catch(() => send({}))
  return sent.message_id
}
