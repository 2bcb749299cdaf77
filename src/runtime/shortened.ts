// Cuts foreign texts.

/**
 * The first `most` characters (code points) of a text. A cut inside of an emoji would leave half of it, and Telegram refuses such a text.
 */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : [...text].slice(0, most).join('')
