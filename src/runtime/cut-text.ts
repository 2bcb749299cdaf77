// Cuts texts at a number of characters (code points). A cut inside of an emoji would leave half of it, and Telegram refuses such a text.

/** Each code point has one or two UTF-16 units, so only the beginning of a long text has to be split. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('')

export function cutWithEllipsis(text: string, most: number): string {
  const cut = cutTo(text, most)
  return cut === text ? text : `${cut}…`
}
