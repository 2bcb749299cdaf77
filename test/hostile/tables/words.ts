/** Rows without white space, many in a line. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Rows between bars, many in a line. A row may be empty, or have white space at its ends. */
export const rows = (text: string): readonly string[] => text.split('|')
