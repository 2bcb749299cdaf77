// Takes data URIs out of a text that arrives in pieces, in Markdown images and elsewhere: those of pictures become pictures. As text they
// would be megabytes of letters in the chat and in every later question.

import { longestPicture, type Picture, pictureOf } from './chat-content.ts'

type TextPiece = { readonly text: string } | { readonly picture: Picture }

/** A picture that is being received. */
interface Begun {
  readonly opening: string
  readonly address: string[]
  length: number
}

const opening =
  /(?:!\[[^\]\n]{0,200}\]\(\s{0,3}<?)?(?=data:[\w.+-]{1,40}\/[\w.+-]{1,80}(?:;[\w.=-]{1,40}){0,3};base64,)/
/** A text that ends as a picture may begin. */
const maybeOpening =
  /(?:!(?:\[[^\]\n]{0,200}(?:\](?:\(\s{0,3}<?[^)\s,]{0,200})?)?)?|data:[\w.+/;=-]{0,200}|d|da|dat|data)$/
const afterAddress = /[^\w+/=:;,.-]/
/** The end of a Markdown image after its address: a title, and the bracket. */
const closing = /^[^)\n]{0,200}\)/
const maybeClosing = /^[^)\n]{0,200}$/
/** What is no picture remains text, unless nobody could read it. */
const longestText = 1000

export function createPictureTaker() {
  let kept = ''
  let begun: Begun | undefined

  function* piecesIn(text: string, isLast: boolean): Generator<TextPiece> {
    let rest = kept + text
    kept = ''
    while (rest !== '')
      rest = yield* begun ? insidePicture(begun, rest, isLast) : outsidePicture(rest, isLast)
  }

  /** @returns the text that has not been read */
  function* outsidePicture(text: string, isLast: boolean): Generator<TextPiece, string> {
    const found = opening.exec(text)
    const maybe = isLast ? undefined : maybeOpening.exec(text)
    const end = (found ?? maybe)?.index ?? text.length
    if (end > 0) yield { text: text.slice(0, end) }
    if (found) begun = { opening: found[0], address: [], length: 0 }
    else kept = text.slice(end)
    return found ? text.slice(end + found[0].length) : ''
  }

  /** @returns the text that has not been read */
  function* insidePicture(picture: Begun, text: string, isLast: boolean): Generator<TextPiece, string> {
    const end = text.search(afterAddress)
    extend(picture, end < 0 ? text : text.slice(0, end))
    if (end < 0) return ''
    const tail = text.slice(end)
    if (picture.opening === '') {
      begun = undefined
      yield* isShort(picture) ? textOf(picture, '') : pieceOf(picture, '')
      return tail
    }
    const closed = closing.exec(tail)?.[0] ?? ''
    if (closed === '' && !isLast && maybeClosing.test(tail)) {
      kept = tail
      return ''
    }
    begun = undefined
    yield* pieceOf(picture, closed)
    return tail.slice(closed.length)
  }

  return {
    /** @returns the text and pictures that are complete; what may be the beginning of a picture is kept back */
    take: (text: string) => [...piecesIn(text, false)],
    /** @returns the rest of the text; a picture that was cut is dropped */
    end: () => [...piecesIn('', true), ...(begun ? restOf(begun) : [])],
  }
}

/** A short address outside of an image, perhaps in an example of code, is text. */
const isShort = ({ length }: Begun): boolean => length < longestText

/** Outside of an image nothing closes an address, so that it may be whole. */
const restOf = (begun: Begun): TextPiece[] =>
  begun.opening === '' && !isShort(begun) ? pieceOf(begun, '') : textOf(begun, '')

/** The rest of a picture that is too large is not kept. */
function extend(picture: Begun, part: string): void {
  picture.length += part.length
  if (picture.length <= longestPicture) picture.address.push(part)
  else picture.address.length = 0
}

function pieceOf(begun: Begun, closed: string): TextPiece[] {
  const picture = pictureOf(addressIn(begun))
  return picture ? [{ picture }] : textOf(begun, closed)
}

/** Outside of an image the punctuation of a sentence may follow. */
function addressIn({ opening, address }: Begun): string {
  const whole = address.join('')
  return opening === '' ? whole.replace(/[.,:;-]+$/, '') : whole
}

const textOf = (begun: Begun, closed: string): TextPiece[] =>
  isShort(begun) ? [{ text: begun.opening + begun.address.join('') + closed }] : []
