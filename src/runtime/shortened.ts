// Cuts texts that others wrote.

/** Its first `most` characters (code points): a cut inside of an emoji would leave half of it, and Telegram refuses such a text. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : [...text].slice(0, most).join('')
