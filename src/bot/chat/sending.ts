// Sends one part of an answer as a message. A part that Telegram refuses is sent in another form: a text without formatting, a file as
// text, a picture as a document.

import { type Api, InputFile } from 'grammy'
import type { Message } from 'grammy/types'
import { type Piece, plainPieces } from '../../chat/format/answer.ts'
import type { Downloads } from '../../delivery/download.ts'
import type { Format } from '../../media/format.ts'
import { isAboutFile } from '../../telegram/errors.ts'
import { type ChatLocation, sendInto, withoutPreview } from '../../telegram/send-into.ts'

interface Sending {
  readonly api: Api
  readonly location: ChatLocation
  /** Further options of the message: its keyboard, what it replies to. */
  readonly more: object
  /** The message to edit, for an answer that was shown while it was written. */
  readonly into: number | undefined
}

export const sendPiece = (sending: Sending, piece: Piece): Promise<number | undefined> =>
  firstAccepted(piece.kind === 'file' ? fileAttempts(sending, piece) : textAttempts(sending, piece))

/** @param lost the text in place of a picture that cannot be downloaded or sent */
export function sendPicture(
  sending: Sending,
  picture: Awaited<ReturnType<Downloads['get']>>,
  lost: string,
): Promise<number | undefined> {
  const asText = () => sendText(sending, lost, sending.more)
  return firstAccepted(picture.ok ? [...pictureAttempts(sending, picture), asText] : [asText])
}

/** @returns the id of the first message @throws the refusal of the last form, or an error that is not about the form */
async function firstAccepted(attempts: readonly Attempt[]): Promise<number | undefined> {
  let refusal: unknown
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (!isAboutFile(error)) throw error
      refusal = error
    }
  }
  throw refusal
}

type Attempt = () => Promise<number | undefined>
type TextPiece = Extract<Piece, { kind: 'text' }>
type FilePiece = Extract<Piece, { kind: 'file' }>

function textAttempts(sending: Sending, { text, entities }: TextPiece): Attempt[] {
  const { api, location, more, into } = sending
  const plain = { ...more, ...withoutPreview }
  const formatted = { ...plain, entities: [...entities] }
  const edit: Attempt[] =
    into === undefined
      ? []
      : [() => api.editMessageText(location.chatId, into, text, formatted).then(() => into)]
  return [...edit, () => sendText(sending, text, formatted), () => sendText(sending, text, plain)]
}

async function sendText({ api, location }: Sending, text: string, more: object): Promise<number> {
  const sent = await sendInto<Message>(location, (into) =>
    api.sendMessage(location.chatId, text, { ...more, ...into }),
  )
  return sent.message_id
}

/** The attempts to send a file: as a document, then as text, since some groups forbid documents. */
function fileAttempts(sending: Sending, { name, text }: FilePiece): Attempt[] {
  const { api, location, more } = sending
  const asDocument = async () => {
    const file = new InputFile(Buffer.from(text), name)
    const sent = await sendInto<Message>(location, (into) =>
      api.sendDocument(location.chatId, file, { ...more, ...into }),
    )
    return sent.message_id
  }
  return [asDocument, () => sendAsText(sending, text)]
}

/** The attempts to send a picture: a photo may be too large or too narrow. */
function pictureAttempts(
  { api, location, more }: Sending,
  { bytes, format }: { readonly bytes: Buffer; readonly format: Format },
): Attempt[] {
  const file = new InputFile(bytes, `picture.${format.extension}`)
  return [
    () => sendInto<Message>(location, (into) => api.sendPhoto(location.chatId, file, { ...more, ...into })),
    () =>
      sendInto<Message>(location, (into) => api.sendDocument(location.chatId, file, { ...more, ...into })),
  ].map((send) => async () => (await send()).message_id)
}

async function sendAsText(sending: Sending, text: string): Promise<number | undefined> {
  const pieces = plainPieces(text)
  let first: number | undefined
  for (const [at, piece] of pieces.entries()) {
    const id = await sendText(sending, piece.text, at === pieces.length - 1 ? sending.more : {})
    first ??= id
  }
  return first
}
