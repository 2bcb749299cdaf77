/** Rows without white space, many in a line. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
