// One part of an answer as a message. What Telegram refuses in one form it may take in another: words without their formatting,
// a file as words.

import { type Api, InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import { type Piece, plainPieces } from '../../chat/format/answer.ts'
import { isAboutFile } from '../../telegram/errors.ts'
import { sendInto } from '../../telegram/send-into.ts'
import type { Spot } from './live-answer.ts'

/** How a part stands in its chat. */
export interface Sending {
  readonly api: Api
  readonly spot: Spot
  /** What goes with the message: its keyboard, what it replies to. */
  readonly more: object
  /** The message that it goes into. */
  readonly into: number | undefined
}

/** @returns the first message @throws the refusal of the last form, and whatever is no refusal of a form */
export async function sendPiece(sending: Sending, piece: Piece): Promise<number | undefined> {
  const ways = piece.kind === 'file' ? fileWays(sending, piece) : textWays(sending, piece)
  let refusal: unknown
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      if (!isAboutFile(error)) throw error
      refusal = error
    }
  }
  throw refusal
}

type Way = () => Promise<number | undefined>
type TextPiece = Extract<Piece, { kind: 'text' }>
type FilePiece = Extract<Piece, { kind: 'file' }>

function textWays(sending: Sending, { text, entities }: TextPiece): Way[] {
  const { api, spot, more, into } = sending
  const formatted = { ...more, entities: [...entities], link_preview_options: { is_disabled: true } }
  const edit: Way[] =
    into === undefined ? [] : [() => api.editMessageText(spot.chatId, into, text, formatted).then(() => into)]
  return [...edit, () => sendText(sending, text, formatted), () => sendText(sending, text, more)]
}

async function sendText({ api, spot }: Sending, text: string, more: object): Promise<number> {
  const sent = await sendInto<Message>(spot, (place) =>
    api.sendMessage(spot.chatId, text, { ...more, ...place }),
  )
  return sent.message_id
}

/** Not every group takes documents. */
function fileWays(sending: Sending, { name, text }: FilePiece): Way[] {
  const { api, spot, more } = sending
  const asDocument = async () => {
    const file = new InputFile(Buffer.from(text), name)
    const sent = await sendInto<Message>(spot, (place) =>
      api.sendDocument(spot.chatId, file, { ...more, ...place }),
    )
    return sent.message_id
  }
  return [asDocument, () => sendAsWords(sending, text)]
}

async function sendAsWords(sending: Sending, words: string): Promise<number | undefined> {
  const pieces = plainPieces(words)
  let first: number | undefined
  for (const [i, { text }] of pieces.entries()) {
    const id = await sendText(sending, text, i === pieces.length - 1 ? sending.more : {})
    first ??= id
  }
  return first
}
